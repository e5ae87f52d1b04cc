import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import type { Today } from '../../../contract/figures/today.ts';
import { LoadError } from '../../components/screen/load-error.tsx';
import { inboxQuery, todayQuery } from './dashboard.api.ts';
import { todayTexts } from './dashboard-texts.ts';
import { InboxCard, InboxOnItsWay } from './inbox-card.tsx';
import { nextStep } from './setup.api.ts';
import { SetupCard } from './setup-card.tsx';

const isKnown = ({ data, isError, failureCount }: UseQueryResult<unknown>) =>
  data !== undefined || isError || failureCount > 0;

/**
 * The top of the dashboard, and whether its height is known. It is as high as the work, so nothing may stand below it
 * before that: nothing on this screen reserves room that it does not fill, and nothing jumps (DESK-01, decision 139).
 */
export function useDesk() {
  const today = useQuery(todayQuery);
  const inbox = useQuery(inboxQuery);
  return { today, inbox, isReady: isKnown(today) && isKnown(inbox) };
}

/** What is for today; before the first licence exists, the first steps. */
export function TodaySection({ today, inbox, isReady }: ReturnType<typeof useDesk>) {
  // One of the two alone would move when the other comes.
  if (!isReady) return <InboxOnItsWay />;
  const { data, error, refetch, isFetching } = today;
  if (data === undefined && error !== null) {
    return (
      <LoadError
        title={todayTexts.failed}
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  const isFirst = data?.setup.licenses === 0;
  return (
    <>
      {isFirst && <SetupCard setup={data.setup} />}
      {(!isFirst || (inbox.data?.count ?? 0) > 0) && <InboxCard today={isFirst ? undefined : data} />}
    </>
  );
}

/** First steps that remain after the first licence, at the end of the dashboard. */
export function RemainingSteps({ today }: { today: Today | undefined }) {
  if (today === undefined || today.setup.licenses === 0 || nextStep(today.setup) === undefined) return null;
  return <SetupCard setup={today.setup} />;
}
