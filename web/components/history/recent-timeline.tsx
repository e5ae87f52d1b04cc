import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Ref, useRef } from 'react';
import { localDay } from '../../../contract/base/time.ts';
import type { Note } from '../../../contract/notes/notes.ts';
import type { Event } from '../../../contract/system/events.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { actions } from '../../text/es.ts';
import { eventSentence, eventTexts, historyTexts } from '../../text/es-events.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { LicenseLink } from '../record/record-links.tsx';
import { RelativeTime } from '../record/relative-time.tsx';
import { EVENTS_PATH, type Whose } from './history.api.ts';
import { NoteItem } from './note-item.tsx';
import { notesQuery, useWritesNotes } from './notes.api.ts';
import { NewNote, PinnedNotes } from './record-timeline.tsx';
import { timelineItems } from './timeline-items.ts';

/** The number of lines shown. Support needs the latest ones during a phone call; the history has all. */
const MOST = 5;
/** More events than that are asked for, because those that say that a note was written are not shown beside it. */
const ASKED = 2 * MOST;

/**
 * The latest events of a record. The query key begins like the record's key, so that a change of the record also
 * refetches its events.
 */
const recentEventsQuery = (whose: Whose) =>
  queryOptions({
    queryKey: ['client' in whose ? KEYS.clients : KEYS.licenses, 'history', 'recent', whose],
    queryFn: async ({ signal }) => {
      const query = { ...whose, limit: ASKED };
      const page = await request<{ results: Event[] }>('GET', EVENTS_PATH, { query, signal });
      return page.results;
    },
    staleTime: 0,
  });

interface RecentTimelineProps {
  of: Whose;
  /** Opens the complete history. */
  onHistory: () => void;
  historyRef?: Ref<HTMLButtonElement>;
}

/**
 * 'Cambios recientes' of a client or a licence: who did what, and when (LIST-04), with its notes, of which those that
 * are pinned or due always stand here (DESK-02, DESK-05).
 */
export function RecentTimeline({ of, onHistory, historyRef }: RecentTimelineProps) {
  const writes = useWritesNotes();
  const topRef = useRef<HTMLDivElement>(null);
  return (
    <DialogSection title={eventTexts.title} columns={1}>
      <div ref={topRef} tabIndex={-1} className="space-y-4 outline-none">
        {writes && <NewNote key={JSON.stringify(of)} whose={of} />}
        <Latest of={of} toTop={() => topRef.current?.focus()} />
      </div>
      <TextButton ref={historyRef} className="justify-self-start" onClick={onHistory}>
        {historyTexts.open}
      </TextButton>
    </DialogSection>
  );
}

function Latest({ of: whose, toTop }: { of: Whose; toTop: () => void }) {
  const recent = useQuery(recentEventsQuery(whose));
  const loadedNotes = useInfiniteQuery(notesQuery(whose));
  if (recent.data === undefined || loadedNotes.data === undefined) {
    if (!recent.isError && !loadedNotes.isError) return <Loading />;
    return (
      <p className="text-muted">
        {`${eventTexts.failed}. `}
        <TextButton
          onClick={() => {
            for (const { isError, refetch } of [recent, loadedNotes]) if (isError) void refetch();
          }}
        >
          {actions.retry}
        </TextButton>
      </p>
    );
  }
  const of = 'client' in whose ? 'client' : 'license';
  const notes = loadedNotes.data.pages.flatMap(({ results }) => results);
  const today = localDay(new Date(), businessTimeZoneInUse());
  const isDue = ({ pinned, remind_on }: Note) => !pinned && remind_on !== null && remind_on <= today;
  const due = notes.filter(isDue);
  const latest = timelineItems(
    { loaded: recent.data, hasMore: recent.data.length === ASKED },
    { loaded: notes, hasMore: loadedNotes.hasNextPage },
  ).filter((item) => item.kind === 'event' || !isDue(item.note));
  if (latest.length === 0 && notes.length === 0) return <p className="text-muted">{eventTexts.empty}</p>;
  return (
    <>
      <PinnedNotes notes={notes} of={of} onRemoved={toTop} />
      <ol className="space-y-2">
        {due.map((note) => (
          <NoteItem key={`note ${note.id}`} note={note} of={of} withDay onRemoved={toTop} />
        ))}
        {latest
          .slice(0, Math.max(0, MOST - due.length))
          .map((item) =>
            item.kind === 'note' ? (
              <NoteItem key={`note ${item.note.id}`} note={item.note} of={of} withDay onRemoved={toTop} />
            ) : (
              <Happened key={item.event.id} event={item.event} of={of} />
            ),
          )}
      </ol>
    </>
  );
}

const Loading = () => (
  <div aria-hidden className="space-y-3">
    <Skeleton className="h-4 w-3/5" />
    <Skeleton className="h-4 w-2/5" />
  </div>
);

const Happened = ({ event, of }: { event: Event; of: 'client' | 'license' }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-4">
    <span className="min-w-0 wrap-anywhere">
      {eventSentence(event)}
      {of === 'client' && event.license && (
        <>
          {' '}
          <LicenseLink id={event.license.id} licenseKey={event.license.license_key} className="text-xs" />
        </>
      )}
    </span>
    <RelativeTime value={event.at} className="text-xs text-muted" />
  </li>
);
