import { Bell, Pencil, Pin, PinOff, StickyNote, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { excerptOf } from '../../../contract/notes/note-words.ts';
import type { Note } from '../../../contract/notes/notes.ts';
import { actions } from '../../text/es.ts';
import { noteTexts } from '../../text/es-notes.ts';
import { timeOfDay } from '../../text/event-days.ts';
import { businessTimeZoneInUse, formatDate } from '../../text/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { RecordLink } from '../record/record-links.tsx';
import { useAction } from '../record/use-action.ts';
import { NoteForm } from './note-form.tsx';
import { type NoteValues, useChangeNote, useRemoveNote } from './notes.api.ts';

interface NoteItemProps {
  note: Note;
  /** The kind of record whose history this is. */
  of: 'client' | 'license';
  /** True where no heading says the day. */
  withDay?: boolean;
  /** Called after the note is gone, to focus what remains. */
  onRemoved: () => void;
}

/** A note in a history, with what its reader may do with it. */
export function NoteItem({ note, of, withDay = false, onRemoved }: NoteItemProps) {
  const [edited, setEdited] = useState<NoteValues | null>(null);
  const editRef = useRef<HTMLButtonElement>(null);
  const change = useChangeNote(note.id);
  const endEdit = () => setEdited(null);
  const wasEdited = useRef(false);
  const isEdited = edited !== null;
  // After the buttons are back.
  useEffect(() => {
    if (wasEdited.current && !isEdited) editRef.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  return (
    <li className="flex gap-3 py-3">
      <span className="mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full bg-warning-tint text-warning-text">
        <StickyNote aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        {edited === null ? (
          <Shown {...{ note, of, withDay, onRemoved, editRef }} onEdit={() => setEdited(valuesOf(note))} />
        ) : (
          <NoteForm
            label={noteTexts.text}
            open
            textRef={focusAtEnd}
            values={edited}
            onChange={setEdited}
            onCancel={endEdit}
            save={async (values) => {
              await change.mutateAsync({ ...values, updated_at: note.updated_at });
              endEdit();
            }}
          />
        )}
      </div>
    </li>
  );
}

const valuesOf = ({ text, pinned, remind_on }: Note): NoteValues => ({ text, pinned, remind_on });

/** The text of a note that is edited has the focus, with the caret behind what stands there. */
function focusAtEnd(area: HTMLTextAreaElement | null) {
  if (area === null || area === document.activeElement) return;
  area.focus();
  area.setSelectionRange(area.value.length, area.value.length);
}

function Shown({
  note,
  of,
  withDay = false,
  onRemoved,
  onEdit,
  editRef,
}: NoteItemProps & { onEdit: () => void; editRef: RefObject<HTMLButtonElement | null> }) {
  const { text, actor, created_at, license, can_change } = note;
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <p dir="auto" className="min-w-0 whitespace-pre-line wrap-anywhere">
          {text}
        </p>
        {can_change && <NoteButtons {...{ note, onRemoved, onEdit, editRef }} />}
      </div>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-xs text-muted">
        <bdi className="py-1">{actor.name}</bdi>
        <time dateTime={created_at} className="tabular-nums">
          {withDay ? formatDate(created_at) : timeOfDay(new Date(created_at))}
        </time>
        {license !== null && of === 'client' && (
          <RecordLink kind="licenses" id={license.id} className="inline-block py-1 wrap-anywhere">
            <Code>{license.license_key}</Code>
          </RecordLink>
        )}
        <DueDay note={note} />
      </p>
    </>
  );
}

/** The day of a note; from that day on in its colour, with a button that ends it. */
function DueDay({ note: { id, text, remind_on, can_change } }: { note: Note }) {
  const change = useChangeNote(id);
  const [end, ending] = useAction(noteTexts.saveFailed, () => change.mutateAsync({ remind_on: null }));
  if (remind_on === null) return null;
  const today = localDay(new Date(), businessTimeZoneInUse());
  const isDue = remind_on <= today;
  return (
    <>
      <Badge tone={isDue ? 'warning' : 'neutral'} dot={false}>
        <Bell aria-hidden className="mr-1 inline size-3 align-[-0.1em]" />
        {wordsOf(remind_on, today)}
      </Badge>
      {isDue && can_change && (
        <TextButton
          className="text-xs"
          aria-label={noteTexts.of(noteTexts.done, excerptOf(text))}
          aria-disabled={ending || undefined}
          onClick={() => void end()}
        >
          {noteTexts.done}
        </TextButton>
      )}
    </>
  );
}

function wordsOf(day: string, today: string): string {
  if (day === today) return noteTexts.dueToday;
  return day === addDays(today, 1) ? noteTexts.dueTomorrow : noteTexts.due(day);
}

interface NoteButtonsProps {
  note: Note;
  onEdit: () => void;
  onRemoved: () => void;
  editRef: RefObject<HTMLButtonElement | null>;
}

function NoteButtons({ note: { id, text, pinned }, onEdit, onRemoved, editRef }: NoteButtonsProps) {
  const [isAsked, setAsked] = useState(false);
  const change = useChangeNote(id);
  const removal = useRemoveNote(id);
  const excerpt = excerptOf(text);
  const [turn] = useAction(noteTexts.saveFailed, () => change.mutateAsync({ pinned: !pinned }));
  const [remove, removing] = useAction(noteTexts.removeFailed, async () => {
    await removal.mutateAsync();
    setAsked(false);
    onRemoved();
  });
  return (
    <div className="-my-1 flex shrink-0" data-print="hidden">
      <IconButton
        size="sm"
        icon={pinned ? PinOff : Pin}
        label={noteTexts.of(pinned ? noteTexts.unpin : noteTexts.pin, excerpt)}
        onClick={() => void turn()}
      />
      <IconButton
        ref={editRef}
        size="sm"
        icon={Pencil}
        label={noteTexts.of(noteTexts.edit, excerpt)}
        onClick={onEdit}
      />
      <IconButton
        size="sm"
        icon={Trash2}
        tone="danger"
        label={noteTexts.of(noteTexts.remove, excerpt)}
        onClick={() => setAsked(true)}
      />
      <ConfirmDialog
        open={isAsked}
        tone="danger"
        title={noteTexts.removeTitle}
        text={noteTexts.removeText(excerpt)}
        confirmLabel={actions.remove}
        cancelLabel={actions.back}
        busy={removing}
        busyLabel={actions.removing}
        onConfirm={() => void remove()}
        onCancel={() => setAsked(false)}
      />
    </div>
  );
}
