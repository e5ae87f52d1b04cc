import type { ReactNode } from 'react';
import { useConnection } from '../../api/connection.ts';
import { PRODUCT } from '../../text/es.ts';
import { ConnectionBanner } from '../screen/connection-banner.tsx';
import { BrandMark } from './brand-mark.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface OutsidePageProps {
  heading: string;
  lead?: ReactNode;
  /** An element beside the theme switch. */
  action?: ReactNode;
  /** From 640 px on, the content is wider than the column of a form. */
  wide?: boolean;
  children: ReactNode;
}

/** A page without the frame: the target of links in mails, and steps that are required before the console opens. */
export function OutsidePage({ heading, lead, action, wide = false, children }: OutsidePageProps) {
  const lost = useConnection(({ state }) => state === 'lost');
  return (
    <div data-full-bleed className="flex min-h-dvh flex-col bg-surface px-4 py-6 sm:px-10">
      <div className="flex items-center justify-between gap-2">
        <p className="mr-auto flex items-center gap-2.5 text-base font-semibold">
          <BrandMark />
          {PRODUCT}
        </p>
        {action}
        <ThemeToggle />
      </div>
      <main
        className={`mx-auto flex w-full flex-col gap-6 pt-[clamp(2rem,12dvh,8rem)] pb-10 ${wide ? 'max-w-lg' : 'max-w-sm'}`}
      >
        <header>
          <h1 className="text-2xl font-semibold tracking-tight text-balance">{heading}</h1>
          {lead && <p className="mt-1 text-muted">{lead}</p>}
        </header>
        {lost && <ConnectionBanner announce="alert" />}
        {children}
      </main>
    </div>
  );
}
