import type { ReactNode, Ref } from 'react';

interface PageHeaderProps {
  title: string;
  subtitle?: ReactNode;
  /** The buttons of the screen, the primary button last. */
  actions?: ReactNode;
  /** The heading gets the focus when the only row of a list was deleted. */
  headingRef?: Ref<HTMLHeadingElement>;
}

/** The heading of a screen with subtitle and actions. */
export function PageHeader({ title, subtitle, actions, headingRef }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 ref={headingRef} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
          {title}
        </h1>
        {subtitle && <p className="mt-0.5 text-sm text-muted">{subtitle}</p>}
      </div>
      {actions && (
        <div data-print="hidden" className="flex flex-wrap items-center gap-2">
          {actions}
        </div>
      )}
    </header>
  );
}
