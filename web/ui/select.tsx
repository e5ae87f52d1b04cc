import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

interface SelectProps extends ComponentProps<'select'> {
  /** `auto`: as wide as the longest option (filters, page size). */
  width?: 'full' | 'auto';
  /** The text of the first option, whose value is ''. */
  none?: string | undefined;
  /** The other options, each a value and its text. Groups of options are passed as children. */
  choices?: readonly (readonly [value: string | number, text: string | number])[];
}

/** The native select with our styles. */
export function Select({ className, width = 'full', none, choices = [], children, ...props }: SelectProps) {
  return (
    <span className={cx('relative inline-flex min-w-0', width === 'full' && 'w-full')}>
      <select
        {...props}
        {...useFieldControl(props)}
        className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'appearance-none truncate pr-9', className)}
      >
        {none && <option value="">{none}</option>}
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
