import { useQuery } from '@tanstack/react-query';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { formatDateTime } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { statisticsQuery } from './dashboard.api.ts';
import { dashboardTexts } from './dashboard-texts.ts';
import { DistributionCard } from './distribution-card.tsx';
import { MoneyCard } from './money-card.tsx';
import { QuickActionsCard } from './quick-actions-card.tsx';
import { RecentLicensesCard } from './recent-licenses-card.tsx';
import { StatCards } from './stat-cards.tsx';
import { SummaryCard } from './summary-card.tsx';
import { SystemStatusCard } from './system-status-card.tsx';
import { RemainingSteps, TodaySection, useDesk } from './today-section.tsx';

/** An arbitrary time, because all times have the same length as text. */
const A_TIME = '2000-01-01T00:00:00Z';

/** /dashboard: the state of the business at a glance (SEED-2.5-01 to -22). */
export function DashboardPage() {
  const { data: statistics, isPending, isError, refetch, isFetching } = useQuery(statisticsQuery);
  // The figures stay on the screen when a later refetch fails (D110).
  const failed = isError && statistics === undefined;
  const desk = useDesk();
  const { today, isReady } = desk;
  return (
    <div className="space-y-6">
      <PageHeader
        title={dashboardTexts.title}
        subtitle={dashboardTexts.subtitle}
        actions={<LastUpdated at={statistics?.last_updated} />}
      />
      <TodaySection {...desk} />
      {isReady && (
        <>
          {failed ? (
            <ErrorState
              title={dashboardTexts.statsFailed}
              message={dashboardTexts.statsFailedText}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <StatCards statistics={statistics} />
          )}
          <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="min-w-0 space-y-6">
              <RecentLicensesCard />
              <div className="grid items-stretch gap-6 md:grid-cols-2">
                <DistributionCard statistics={statistics} loading={isPending} />
                <SummaryCard statistics={statistics} loading={isPending} />
              </div>
            </div>
            {/* On a narrow window the money comes before the table, the other cards after it. */}
            <div className="contents min-w-0 gap-6 xl:grid">
              <div className="min-w-0 max-xl:order-first">
                <MoneyCard today={today.data} />
              </div>
              <div className="grid min-w-0 items-start gap-6 md:grid-cols-2 xl:grid-cols-1">
                <QuickActionsCard />
                <SystemStatusCard />
              </div>
            </div>
          </div>
          <RemainingSteps today={today.data} />
        </>
      )}
    </div>
  );
}

/** While the figures load, hidden text of the same length reserves the space. */
function LastUpdated({ at }: { at: string | undefined }) {
  return (
    <p className={cx('text-xs text-muted sm:text-right', at === undefined && 'invisible')}>
      <span className="block">{`${dashboardTexts.lastUpdated} ${formatDateTime(at ?? A_TIME)}`}</span>
      <RelativeTime value={at ?? A_TIME} className="block" />
    </p>
  );
}
