import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { historyTexts } from '../../text/es-events.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { EventDays } from './event-days.tsx';
import { recordKey } from './event-links.tsx';
import type { auditQuery, historyQuery } from './history.api.ts';

interface EventHistoryProps {
  query: ReturnType<typeof historyQuery> | ReturnType<typeof auditQuery>;
  /** The kind of the record whose history this is. Its name is not repeated beside each event. */
  of: 'client' | 'license' | null;
  failed: string;
  empty: ReactNode;
}

/** Events by day, newest first, with 'Cargar más' if there are older ones (EVENT-08). */
export function EventHistory({ query, of, failed, empty }: EventHistoryProps) {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(query);
  const events = useMemo(() => data?.pages.flatMap(({ results }) => results), [data]);
  const gone = useMemo(
    () => new Set(data?.pages.flatMap((page) => page.gone.map(({ kind, id }) => recordKey(kind, id)))),
    [data],
  );
  if (events === undefined) {
    return error === null ? (
      <HistoryLoading />
    ) : (
      <LoadError title={failed} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  }
  if (events.length === 0) return empty;
  return (
    <div className="space-y-4">
      <EventDays events={events} gone={gone} of={of} />
      {error !== null && (
        <LoadError
          title={failed}
          error={error}
          onRetry={() => void fetchNextPage()}
          retrying={isFetchingNextPage}
        />
      )}
      {hasNextPage && error === null && (
        <Button
          className="w-full"
          busy={isFetchingNextPage}
          busyLabel={historyTexts.loadingMore}
          onClick={() => void fetchNextPage()}
        >
          {historyTexts.more}
        </Button>
      )}
    </div>
  );
}

/** What is shown while a history loads. */
export function HistoryLoading() {
  return (
    <div aria-hidden className="space-y-4">
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
