import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface FactsProps {
  /** The number of columns from 640 px on; on narrower windows one. */
  columns?: 1 | 2 | 3;
  children: ReactNode;
}

/** A description list of labels and values. Its children are `Fact`s. */
export function Facts({ columns = 2, children }: FactsProps) {
  return (
    <dl
      className={cx(
        'grid gap-x-6 gap-y-4',
        columns === 2 && 'sm:grid-cols-2',
        columns === 3 && 'sm:grid-cols-3',
      )}
    >
      {children}
    </dl>
  );
}

interface FactProps {
  label: string;
  /** Takes the full width of its `Facts`. */
  wide?: boolean;
  children: ReactNode;
}

/** A label and its value. */
export function Fact({ label, wide, children }: FactProps) {
  return (
    <div className={cx('min-w-0', wide && 'col-span-full')}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 text-text wrap-anywhere">{children}</dd>
    </div>
  );
}
