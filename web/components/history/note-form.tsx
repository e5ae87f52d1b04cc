import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from 'react';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { NOTE_MAX, NOTE_MESSAGES } from '../../../contract/notes/note-words.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { actions } from '../../text/es.ts';
import { buttons } from '../../text/es-buttons.ts';
import { noteTexts } from '../../text/es-notes.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { DateInput, TextArea } from '../../ui/text-input.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import type { NoteValues } from './notes.api.ts';

/** From so many characters left on, they are counted. */
const COUNTED = 200;

interface NoteFormProps {
  label: string;
  values: NoteValues;
  onChange: (values: NoteValues) => void;
  /** Stores the note; a failure is shown here. */
  save: (values: NoteValues) => Promise<unknown>;
  onCancel: () => void;
  /** False for the closed form of a new note, which is one line. */
  open: boolean;
  onOpen?: () => void;
  textRef?: Ref<HTMLTextAreaElement>;
}

type Errors = Partial<Record<'text' | 'remind_on' | 'form', string | undefined>>;

/** The text of a note, its day, and whether it is pinned. Ctrl + Enter saves it, Escape cancels. */
export function NoteForm({ label, values, onChange, save, onCancel, open, onOpen, textRef }: NoteFormProps) {
  const [errors, setErrors] = useState<Errors>({});
  const countId = useId();
  const left = NOTE_MAX - values.text.trimEnd().length;
  const [submit, busy] = useOneAtATime(async () => {
    if (values.text.trim() === '') return setErrors({ text: NOTE_MESSAGES.textRequired });
    if (left < 0) return setErrors({ text: noteTexts.over(-left) });
    setErrors({});
    try {
      await save(values);
    } catch (error) {
      setErrors(errorsIn(error));
    }
  });
  const change = (changed: Partial<NoteValues>) => {
    setErrors({});
    onChange({ ...values, ...changed });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // The dialog around it stays open.
      event.stopPropagation();
      onCancel();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void submit();
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        // It may stand in the form of a dialog.
        event.stopPropagation();
        void submit();
      }}
      onKeyDown={open ? onKeyDown : undefined}
      className="space-y-3"
      data-print="hidden"
    >
      <Field label={label} labelHidden error={errors.text}>
        <TextArea
          ref={textRef}
          value={values.text}
          placeholder={noteTexts.placeholder}
          rows={open ? 3 : 1}
          aria-describedby={left <= COUNTED ? countId : undefined}
          onFocus={onOpen}
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
      {/* The region exists before, so that it is announced when it appears. */}
      <p
        id={countId}
        aria-live="polite"
        className={`-mt-2 text-xs tabular-nums empty:hidden ${left < 0 ? 'text-critical-text' : 'text-muted'}`}
      >
        {open && left <= COUNTED && (left < 0 ? noteTexts.over(-left) : noteTexts.left(left))}
      </p>
      {open && (
        <>
          <Remind
            day={values.remind_on}
            error={errors.remind_on}
            onChange={(remind_on) => change({ remind_on })}
          />
          <Checkbox
            label={noteTexts.pin}
            checked={values.pinned}
            onChange={({ target }) => change({ pinned: target.checked })}
          />
          {errors.form !== undefined && (
            <p role="alert" className="text-xs text-critical-text">
              {errors.form}
            </p>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" size="sm" busy={busy} busyLabel={buttons.saving}>
              {noteTexts.save}
            </Button>
            <Button variant="ghost" size="sm" onClick={onCancel}>
              {actions.cancel}
            </Button>
            <span className="text-xs text-muted pointer-coarse:hidden">{noteTexts.keys}</span>
          </div>
        </>
      )}
    </form>
  );
}

interface RemindProps {
  day: string | null;
  error: string | undefined;
  onChange: (day: string | null) => void;
}

/** The day on which the note is due, with the usual ones as buttons. */
function Remind({ day, error, onChange }: RemindProps) {
  const today = localDay(new Date(), businessTimeZoneInUse());
  const offers = [
    { label: noteTexts.tomorrow, day: addDays(today, 1) },
    { label: noteTexts.inAWeek, day: addDays(today, 7) },
    { label: noteTexts.noDay, day: null },
  ].filter((offer) => offer.day !== day);
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
      <Field label={noteTexts.remindOn} error={error} {...(day !== null && { help: noteTexts.remindHelp })}>
        <DateInput
          className="w-40"
          min={today}
          value={day ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        />
      </Field>
      <div className="flex h-9 items-center gap-3 pointer-coarse:h-11">
        {offers.map((offer) => (
          <TextButton key={offer.label} className="text-xs" onClick={() => onChange(offer.day)}>
            {offer.label}
          </TextButton>
        ))}
      </div>
    </div>
  );
}

function errorsIn(error: unknown): Errors {
  if (!(error instanceof ApiError)) return { form: errorMessage(error) };
  if (error.status === 412) return { form: noteTexts.changedByOther };
  const { text, remind_on } = error.fieldErrors;
  if (text === undefined && remind_on === undefined) return { form: errorMessage(error) };
  return { text: text?.join(' '), remind_on: remind_on?.join(' ') };
}
