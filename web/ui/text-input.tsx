import { type ComponentProps, useId } from 'react';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

type InputProps = ComponentProps<'input'>;

/** A text input. It accepts the props of react-hook-form's `register`, or `value` and `onChange`. */
export function TextInput({ className, type = 'text', ...props }: InputProps) {
  return (
    <input
      {...props}
      {...useFieldControl(props)}
      type={type}
      className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'read-only:bg-sunken', className)}
    />
  );
}

interface NumberInputProps extends Omit<InputProps, 'type'> {
  /** A text at the end of the box, such as the currency of an amount. */
  unit?: string;
}

/** A number input. min, max and step are passed to the element, but the form validates (D084). */
export function NumberInput({ className, inputMode = 'decimal', unit, ...props }: NumberInputProps) {
  const unitId = useId();
  const control = useFieldControl({
    ...props,
    'aria-describedby': [props['aria-describedby'], unit && unitId].filter(Boolean).join(' ') || undefined,
  });
  const input = (
    <input
      {...props}
      {...control}
      type="number"
      inputMode={inputMode}
      className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'read-only:bg-sunken', unit && 'pr-14', className)}
    />
  );
  if (unit === undefined) return input;
  return (
    <span className="relative block">
      {input}
      <span
        id={unitId}
        className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-xs text-muted"
      >
        {unit}
      </span>
    </span>
  );
}

/** A date input for a day AAAA-MM-DD, with the browser's date picker. */
export function DateInput({ className, ...props }: Omit<InputProps, 'type'>) {
  return (
    <input
      {...props}
      {...useFieldControl(props)}
      type="date"
      className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'read-only:bg-sunken', className)}
    />
  );
}

/** An input for several lines of text. */
export function TextArea({ className, rows = 4, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...props}
      {...useFieldControl(props)}
      rows={rows}
      className={cx(CONTROL_CLASS, 'min-h-20 resize-y py-2', className)}
    />
  );
}
