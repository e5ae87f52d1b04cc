import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

interface CardProps {
  title?: string;
  subtitle?: ReactNode;
  /** Beside the title: a secondary action or a text. */
  action?: ReactNode;
  /** `none` lets a table extend to the border. */
  padding?: 'normal' | 'none';
  className?: string;
  children: ReactNode;
}

/** A box with a border. With a title it is a named region for screen readers. */
export function Card({ title, subtitle, action, padding = 'normal', className, children }: CardProps) {
  const headingId = useId();
  return (
    <section
      aria-labelledby={title ? headingId : undefined}
      data-print="plain"
      className={cx(
        'min-w-0 overflow-hidden rounded-xl border border-border bg-surface shadow-edge',
        className,
      )}
    >
      {title && (
        <header className="flex items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 max-[22.5rem]:flex-wrap">
          <div className="min-w-0">
            <h2 id={headingId} className="text-base font-semibold">
              {title}
            </h2>
            {subtitle && <p className="text-xs text-muted">{subtitle}</p>}
          </div>
          {action}
        </header>
      )}
      <div
        className={cx(
          padding === 'normal' ? 'px-5 pb-5' : title && 'pt-4',
          padding === 'normal' && (title ? 'pt-4' : 'pt-5'),
        )}
      >
        {children}
      </div>
    </section>
  );
}
