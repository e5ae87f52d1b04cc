import { useInfiniteQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Note } from '../../../contract/notes/notes.ts';
import { useIdempotentAttempt } from '../../api/idempotency.ts';
import { historyTexts } from '../../text/es-events.ts';
import { noteTexts } from '../../text/es-notes.ts';
import { byDay } from '../../text/event-days.ts';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { Day, EventLines } from './event-days.tsx';
import { HistoryLoading } from './event-history.tsx';
import { recordKey } from './event-links.tsx';
import { historyQuery, type Whose } from './history.api.ts';
import { draftOf, keepDraftOf } from './note-drafts.ts';
import { NoteForm } from './note-form.tsx';
import { NoteItem } from './note-item.tsx';
import { type NoteValues, notesQuery, useWriteNote, useWritesNotes } from './notes.api.ts';
import { runsOf, timelineItems } from './timeline-items.ts';

const BLANK: NoteValues = { text: '', pinned: false, remind_on: null };

/**
 * The history of a client or a licence, with its notes: those that are pinned on top, the others among what happened
 * (EVENT-08, DESK-02). Who writes notes has a field for a new one above.
 */
export function RecordTimeline({ of: whose }: { of: Whose }) {
  const writes = useWritesNotes();
  const topRef = useRef<HTMLDivElement>(null);
  return (
    <div ref={topRef} tabIndex={-1} className="space-y-4 outline-none">
      {writes && <NewNote key={JSON.stringify(whose)} whose={whose} />}
      <Timeline whose={whose} topRef={topRef} />
    </div>
  );
}

/** The field for a new note: one line until it has the focus. */
export function NewNote({ whose }: { whose: Whose }) {
  const [values, setValues] = useState(() => draftOf(whose) ?? BLANK);
  const [isOpen, setOpen] = useState(values !== BLANK);
  const [isSaved, setSaved] = useState(false);
  const write = useWriteNote(whose);
  const once = useIdempotentAttempt();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const isTyped = values.text.trim() !== '';
  useEffect(() => keepDraftOf(whose, isTyped ? values : null), [whose, values, isTyped]);
  useAskBeforeUnload(isTyped);
  const close = () => {
    setOpen(false);
    textRef.current?.blur();
  };
  return (
    <>
      <NoteForm
        label={noteTexts.fresh}
        textRef={textRef}
        open={isOpen}
        onOpen={() => setOpen(true)}
        values={values}
        onChange={(next) => {
          setSaved(false);
          setValues(next);
        }}
        onCancel={() => {
          setValues(BLANK);
          close();
        }}
        save={async (sent) => {
          await once((headers) => write.mutateAsync({ values: sent, headers }));
          setValues(BLANK);
          setSaved(true);
          close();
        }}
      />
      <p role="status" className="sr-only">
        {isSaved && noteTexts.saved}
      </p>
    </>
  );
}

/** The browser asks before a page with unsaved text is closed or reloaded. */
function useAskBeforeUnload(isTyped: boolean) {
  useEffect(() => {
    if (!isTyped) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isTyped]);
}

function Timeline({ whose, topRef }: { whose: Whose; topRef: RefObject<HTMLDivElement | null> }) {
  const history = useInfiniteQuery(historyQuery(whose));
  const loadedNotes = useInfiniteQuery(notesQuery(whose));
  const events = useMemo(() => history.data?.pages.flatMap(({ results }) => results), [history.data]);
  const notes = useMemo(() => loadedNotes.data?.pages.flatMap(({ results }) => results), [loadedNotes.data]);
  const gone = useMemo(
    () =>
      new Set(history.data?.pages.flatMap((page) => page.gone.map(({ kind, id }) => recordKey(kind, id)))),
    [history.data],
  );
  const failed = [history, loadedNotes].filter(({ error }) => error !== null);
  const retry = (
    <LoadError
      title={history.error === null ? noteTexts.failed : historyTexts.failed}
      error={failed[0]?.error ?? null}
      onRetry={() => {
        for (const query of failed) void (query.data ? query.fetchNextPage() : query.refetch());
      }}
      retrying={failed.some(({ isFetching }) => isFetching)}
    />
  );
  if (events === undefined || notes === undefined) return failed.length > 0 ? retry : <HistoryLoading />;
  const items = timelineItems(
    { loaded: events, hasMore: history.hasNextPage },
    { loaded: notes, hasMore: loadedNotes.hasNextPage },
  );
  const of = 'client' in whose ? 'client' : 'license';
  const toTop = () => topRef.current?.focus();
  const more = [history, loadedNotes].filter(({ hasNextPage }) => hasNextPage);
  return (
    <>
      <PinnedNotes notes={notes} of={of} onRemoved={toTop} />
      {byDay(items, new Date()).map(({ day, events: ofDay }) => (
        <Day key={day} day={day}>
          {runsOf(ofDay).map((run) =>
            run.kind === 'note' ? (
              <NoteItem key={`note ${run.note.id}`} note={run.note} of={of} onRemoved={toTop} />
            ) : (
              <EventLines key={run.events.at(-1)!.id} events={run.events} gone={gone} of={of} />
            ),
          )}
        </Day>
      ))}
      {items.length === 0 && notes.length === 0 && more.length === 0 && (
        <p className="text-muted">{historyTexts.empty}</p>
      )}
      {failed.length > 0 && retry}
      {more.length > 0 && failed.length === 0 && (
        <Button
          className="w-full"
          busy={more.some(({ isFetchingNextPage }) => isFetchingNextPage)}
          busyLabel={historyTexts.loadingMore}
          onClick={() => {
            for (const query of more) void query.fetchNextPage();
          }}
        >
          {historyTexts.more}
        </Button>
      )}
    </>
  );
}

interface PinnedProps {
  /** All that are loaded. */
  notes: readonly Note[];
  of: 'client' | 'license';
  onRemoved: () => void;
}

/** Those notes that are pinned, in a frame. */
export function PinnedNotes({ notes, of, onRemoved }: PinnedProps) {
  const id = useId();
  const pinned = notes.filter((note) => note.pinned);
  if (pinned.length === 0) return null;
  return (
    <section aria-labelledby={id} className="rounded-xl border border-border bg-sunken px-4 pt-3 pb-1">
      <h3 id={id} className="text-xs font-semibold text-muted">
        {noteTexts.pinned}
      </h3>
      <ul className="divide-y divide-border">
        {pinned.map((note) => (
          <NoteItem key={note.id} note={note} of={of} withDay onRemoved={onRemoved} />
        ))}
      </ul>
    </section>
  );
}
