import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/frame/load-error.tsx';
import { cx } from '../../ui/cx.ts';
import { todayQuery } from './dashboard.api.ts';
import { todayTexts } from './dashboard-texts.ts';
import { RevenueCard } from './revenue-card.tsx';
import { isSettingUp, SetupCard } from './setup-card.tsx';
import { TodayCard } from './today-card.tsx';

/**
 * The top of the dashboard: the tasks of today and the month's income. Before the first licence exists, the first
 * steps are shown instead. The height is fixed, so that nothing below moves when the figures are loaded.
 */
export function TodaySection() {
  const { data: today, error, refetch, isFetching } = useQuery(todayQuery);
  if (today === undefined && error !== null) {
    return (
      <LoadError
        title={todayTexts.failed}
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const isFirst = today !== undefined && today.setup.licenses === 0;
  return (
    <div
      className={cx(
        'grid min-h-185 gap-6 max-sm:gap-4 md:min-h-140 2xl:min-h-94',
        !isFirst &&
          'content-start items-start md:grid-cols-[minmax(0,1fr)_15rem] xl:grid-cols-[minmax(0,1fr)_20rem]',
      )}
    >
      {isFirst ? (
        <SetupCard setup={today.setup} wide />
      ) : (
        <>
          <TodayCard today={today} />
          <RevenueCard today={today} />
        </>
      )}
    </div>
  );
}

/** First steps that remain after the first licence, at the end of the dashboard. */
export function RemainingSteps() {
  const { data: today } = useQuery(todayQuery);
  if (today === undefined || today.setup.licenses === 0 || !isSettingUp(today.setup)) return null;
  return <SetupCard setup={today.setup} />;
}
