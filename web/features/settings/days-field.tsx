import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { REMINDER_DAY_MAX, REMINDER_DAYS_MAX_COUNT } from '../../../contract/settings/settings.fields.ts';
import { daysInWords, remindersTexts as texts } from '../../text/es-settings.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorText, Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { readDays, writeDays } from './reminders.form.ts';

interface DaysFieldProps {
  label: string;
  /** The days as the form's value: '30,7,1,-1'. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Days before and after the end of a licence as texts: '30 días antes', each with a button to remove it. */
export function DaysField({ label, value, onChange, error }: DaysFieldProps) {
  const [number, setNumber] = useState('');
  const [isAfter, setAfter] = useState(false);
  const [fault, setFault] = useState<string | undefined>();
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const days = readDays(value);

  const add = () => {
    const typed = numberOf(number, 'count') ?? Number.NaN;
    const day = isAfter ? -typed || 0 : typed;
    if (!Number.isInteger(typed) || typed < 0 || typed > REMINDER_DAY_MAX) {
      setFault(texts.wrongDay(REMINDER_DAY_MAX));
    } else if (days.includes(day)) setFault(texts.known);
    else if (days.length === REMINDER_DAYS_MAX_COUNT) setFault(texts.tooMany(REMINDER_DAYS_MAX_COUNT));
    else {
      onChange(writeDays([...days, day]));
      setNumber('');
      setFault(undefined);
    }
    input.current?.focus();
  };

  const remove = (day: number) => {
    onChange(writeDays(days.filter((other) => other !== day)));
    setFault(undefined);
    // The pressed button has disappeared, so the input gets the focus.
    input.current?.focus();
  };

  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add();
  };

  return (
    <fieldset className="min-w-0 space-y-2" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="font-medium">{label}</legend>
      {days.length === 0 ? (
        <p className="text-muted">{texts.none}</p>
      ) : (
        <ul className="flex flex-wrap gap-2" aria-label={label}>
          {days.map((day) => (
            <li
              key={day}
              className="inline-flex items-center rounded-lg border border-border bg-sunken pl-3 font-medium"
            >
              {daysInWords(day)}
              <button
                type="button"
                aria-label={texts.remove(daysInWords(day))}
                onClick={() => remove(day)}
                className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-start gap-2">
        <Field label={`${texts.days}: ${label}`} labelHidden error={fault} className="w-24">
          <NumberInput
            unit="count"
            ref={input}
            value={number}
            onChange={({ target }) => setNumber(target.value)}
            onKeyDown={addOnEnter}
            min="0"
            max={REMINDER_DAY_MAX}
            placeholder={texts.days}
          />
        </Field>
        <Field label={`${texts.when}: ${label}`} labelHidden>
          <Select
            width="auto"
            value={isAfter ? 'after' : 'before'}
            onChange={({ target }) => setAfter(target.value === 'after')}
            choices={(['before', 'after'] as const).map((side) => [side, texts[side]])}
          />
        </Field>
        <Button icon={Plus} onClick={add}>
          {texts.add}
        </Button>
      </div>
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </fieldset>
  );
}
