import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

interface SelectProps extends ComponentProps<'select'> {
  /** `auto` takes the width of its longest option (filters, page size). */
  width?: 'full' | 'auto';
}

/** The native select with our styles: options and optgroups are its children. */
export function Select({ className, width = 'full', children, ...props }: SelectProps) {
  return (
    <span className={cx('relative inline-flex min-w-0', width === 'full' && 'w-full')}>
      <select
        {...props}
        {...useFieldControl(props)}
        className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'appearance-none truncate pr-9', className)}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
