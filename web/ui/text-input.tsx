import type { ComponentProps } from 'react';
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
      className={cx(CONTROL_CLASS, 'py-2', rows === 1 ? 'resize-none' : 'min-h-20 resize-y', className)}
    />
  );
}
