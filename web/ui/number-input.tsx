import { type ComponentProps, useContext, useEffect, useId, useState } from 'react';
import { type Currency, stepOf } from '../../contract/base/money.ts';
import { type NumberUnit, numberMessage, plainText, readNumber } from '../../contract/reading/numbers.ts';
import { formatNumber, formatPercent, formatPrice, formatsInUse } from '../text/format.ts';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { FieldContext, useFieldControl } from './field.tsx';

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue'> {
  unit: NumberUnit;
  /** The text in the input. The form reads it with `numberOf` and the same unit. */
  value: string | number;
  /** True if the form drops decimals; the input then shows the number without them. */
  truncates?: boolean;
}

const isCurrency = (unit: NumberUnit): unit is Currency =>
  unit !== 'amount' && unit !== 'percent' && unit !== 'count';

/** The step of the arrow keys. */
function stepOfUnit(unit: NumberUnit): string {
  if (unit === 'count') return '1';
  return isCurrency(unit) ? stepOf(unit) : '0.01';
}

/** The text at the end of the box. */
const markOf = (unit: NumberUnit) => (isCurrency(unit) ? unit : unit === 'percent' ? '%' : undefined);

/** A number in the words of its unit: '$1,234.50 MXN', '12.5%', '1,200'. */
function inWords(value: number, unit: NumberUnit): string {
  if (isCurrency(unit)) return formatPrice(value, unit);
  return unit === 'percent' ? formatPercent(value) : formatNumber(value);
}

/** True for a text that already is the plain number, as an edited record shows it and the arrow keys write it. */
const isPlain = (text: string, value: number) => /^-?\d+(\.\d+)?$/.test(text) && Number(text) === value;

/** Rounded to as many decimals as any number here has, so that 0.1 + 0.2 is 0.3. */
const rounded = (value: number) => Number(value.toFixed(2));

/** Typing counts as ended after this pause. */
const PAUSE_MS = 700;

/** True once a text has not changed for a while, or `end` was called. For the text of a form that opens it is true at once. */
function usePause(text: string): { isOver: boolean; end: (text: string) => void } {
  const [settled, end] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => end(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { isOver: settled === text, end };
}

/**
 * Has the `Field` around the input say why its text is no number, once that is due, or the form has an error for the
 * field, whose message would only say that there is no number.
 */
function useUnread(message: string | undefined, isDue: boolean): void {
  const { report, invalid = false } = useContext(FieldContext) ?? {};
  const shown = isDue || invalid ? message : undefined;
  useEffect(() => {
    report?.(shown);
    return () => report?.(undefined);
  }, [report, shown]);
}

/** Writes a text as if it was typed, so that the form notices it. */
function type(input: HTMLInputElement, text: string): void {
  input.setRangeText(text, 0, input.value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * The only input for numbers (INPUT-01, decision 125). It takes a number as people write it, and what is typed stays
 * until the input is left; then it becomes the plain number with a point. What was understood stands below, as amounts
 * are shown. A text that is no number stays, and the `Field` around shows why. Only typing, pasting and the arrow keys
 * change it. min and max bound the arrow keys, but the form validates (D084).
 */
export function NumberInput({
  unit,
  value: given,
  truncates = false,
  className,
  min,
  max,
  step = stepOfUnit(unit),
  readOnly,
  onBlur,
  onKeyDown,
  ...props
}: NumberInputProps) {
  const text = String(given);
  const markId = useId();
  const mark = markOf(unit);
  const pause = usePause(text);
  const read = text.trim() === '' ? null : readNumber(text, unit);
  const fault = read !== null && 'fault' in read ? read : null;
  const value = numberRead(read, truncates);
  useUnread(fault === null ? undefined : numberMessage(fault, unit, formatsInUse().locale), pause.isOver);
  const control = useFieldControl({
    ...props,
    'aria-describedby': [props['aria-describedby'], mark && markId].filter(Boolean).join(' ') || undefined,
  });
  // A number with more decimals than any here may have would be shown rounded.
  const words = value === null || rounded(value) !== value ? '' : inWords(value, unit);
  const isNews = words !== text && words !== `${text}%`;

  const makePlain = (input: HTMLInputElement) => {
    if (value !== null && !readOnly && !isPlain(text, value)) type(input, plainText(value));
  };
  const stepBy = (input: HTMLInputElement, steps: 1 | -1) => {
    if (fault !== null || readOnly || input.disabled) return;
    const next = rounded((value ?? 0) + steps * (Number(step) || 1));
    type(input, String(Math.max(Math.min(next, Number(max ?? next)), Number(min ?? next))));
  };
  const input = (
    <input
      {...props}
      {...control}
      {...{ min, max, step, readOnly }}
      type="text"
      role="spinbutton"
      inputMode={unit === 'count' ? 'numeric' : 'decimal'}
      autoComplete="off"
      aria-valuenow={value ?? undefined}
      aria-valuemin={min === undefined ? undefined : Number(min)}
      aria-valuemax={max === undefined ? undefined : Number(max)}
      aria-valuetext={words || undefined}
      value={text}
      onBlur={(event) => {
        makePlain(event.currentTarget);
        pause.end(event.currentTarget.value);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        const { key, currentTarget, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event;
        if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
        if (key === 'Enter') makePlain(currentTarget);
        if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
        event.preventDefault();
        stepBy(currentTarget, key === 'ArrowUp' ? 1 : -1);
      }}
      className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'read-only:bg-sunken', mark && 'pr-14', className)}
    />
  );
  return (
    <>
      {mark === undefined ? (
        input
      ) : (
        <span className="relative block">
          {input}
          <span
            id={markId}
            className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-xs text-muted"
          >
            {mark}
          </span>
        </span>
      )}
      {/* Always there, so that a screen reader announces what appears in it. */}
      <div aria-live="polite" className="text-xs text-muted tabular-nums empty:-mt-1.5">
        {isNews && words}
      </div>
    </>
  );
}

/** The number that the form sends; null for a blank text and for one that is no number. */
function numberRead(read: ReturnType<typeof readNumber> | null, truncates: boolean): number | null {
  if (read === null || 'fault' in read) return null;
  return truncates ? Math.trunc(read.value) : read.value;
}
