import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import type { Event } from '../../../contract/system/events.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { actions } from '../../text/es.ts';
import { eventSentence, eventTexts, historyTexts } from '../../text/es-events.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { EVENTS_PATH, type Whose } from '../history/history.api.ts';
import { LicenseLink } from './record-links.tsx';
import { RelativeTime } from './relative-time.tsx';

/** The number of events shown. Support needs the latest ones during a phone call; the history has all. */
const MOST = 5;

/**
 * The latest events of a record. The query key begins like the record's key, so that a change of the record also
 * refetches its events.
 */
const recentEventsQuery = (whose: Whose) =>
  queryOptions({
    queryKey: ['client' in whose ? KEYS.clients : KEYS.licenses, 'events', whose],
    queryFn: async ({ signal }) => {
      const query = { ...whose, limit: MOST };
      const page = await request<{ results: Event[] }>('GET', EVENTS_PATH, { query, signal });
      return page.results;
    },
    staleTime: 0,
  });

interface RecentEventsProps {
  of: Whose;
  /** Opens the complete history. */
  onHistory: () => void;
  historyRef?: Ref<HTMLButtonElement>;
}

/** 'Cambios recientes' of a client or a licence: who did what, and when (LIST-04). */
export function RecentEvents({ of, onHistory, historyRef }: RecentEventsProps) {
  return (
    <DialogSection title={eventTexts.title} columns={1}>
      <Latest of={of} />
      <TextButton ref={historyRef} className="justify-self-start" onClick={onHistory}>
        {historyTexts.open}
      </TextButton>
    </DialogSection>
  );
}

function Latest({ of }: { of: Whose }) {
  const { data, isError, refetch } = useQuery(recentEventsQuery(of));
  if (data === undefined && isError) {
    return (
      <p className="text-muted">
        {`${eventTexts.failed}. `}
        <TextButton onClick={() => void refetch()}>{actions.retry}</TextButton>
      </p>
    );
  }
  if (data === undefined) {
    return (
      <div aria-hidden className="space-y-3">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-4 w-2/5" />
      </div>
    );
  }
  if (data.length === 0) return <p className="text-muted">{eventTexts.empty}</p>;
  return (
    <ol className="space-y-2">
      {data.map((event) => (
        <li key={event.id} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="min-w-0 wrap-anywhere">
            {eventSentence(event)}
            {'client' in of && event.license && (
              <>
                {' '}
                <LicenseLink
                  id={event.license.id}
                  licenseKey={event.license.license_key}
                  className="text-xs"
                />
              </>
            )}
          </span>
          <RelativeTime value={event.at} className="text-xs text-muted" />
        </li>
      ))}
    </ol>
  );
}
