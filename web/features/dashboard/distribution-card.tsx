import { Suspense } from 'react';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { formatNumber } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { DashboardStatistics } from './dashboard.api.ts';
import { Figure } from './figure.tsx';

/** The chart's code is large and prefetched last. */
const chart = codeOf(() => import('./distribution-chart.tsx'), { last: true });
const DistributionChart = lazyComponent(chart, (module) => module.DistributionChart);

interface DistributionCardProps {
  statistics: DashboardStatistics | undefined;
  loading: boolean;
}

/**
 * Active, trial and all licences (SEED-2.5-12). An active trial counts in both (D068), so the counts are not parts of a
 * whole: a bar chart, not a pie.
 */
export function DistributionCard({ statistics, loading }: DistributionCardProps) {
  const value = (count: number | undefined) => (count === undefined ? undefined : formatNumber(count));
  return (
    <Card title={dashboardTexts.distribution} className="flex flex-col">
      <dl className="grid grid-cols-3 gap-4">
        <Figure label={dashboardTexts.active} value={value(statistics?.active_licenses)} loading={loading} />
        <Figure label={dashboardTexts.trial} value={value(statistics?.trial_licenses)} loading={loading} />
        <Figure label={dashboardTexts.total} value={value(statistics?.total_licenses)} loading={loading} />
      </dl>
      <div className="mt-4 h-36">
        {statistics === undefined ? (
          loading && <Skeleton className="h-full w-full" />
        ) : (
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <DistributionChart
              bars={[
                { name: dashboardTexts.active, count: statistics.active_licenses, tone: 'success' },
                { name: dashboardTexts.trial, count: statistics.trial_licenses, tone: 'info' },
                { name: dashboardTexts.total, count: statistics.total_licenses, tone: 'neutral' },
              ]}
            />
          </Suspense>
        )}
      </div>
      <p className="mt-3 text-xs text-muted">{dashboardTexts.distributionSoon}</p>
    </Card>
  );
}
