import { cx } from './cx.ts';

/** A key of the keyboard, such as 'Ctrl' or 'K'. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-flex h-5 min-w-5 items-center justify-center rounded border border-border bg-sunken px-1 font-sans text-[0.6875rem] font-medium text-muted',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
