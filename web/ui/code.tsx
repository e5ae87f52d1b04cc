import { cx } from './cx.ts';

interface CodeProps {
  children: string;
  /** A box around it, for text to copy. */
  boxed?: boolean;
  className?: string;
}

/** A key, a MAC or an IP address: letters of one width, broken only after - . or :, or where nothing else helps. */
export function Code({ children, boxed = false, className }: CodeProps) {
  return (
    <code
      className={cx(
        'font-mono text-[0.8125rem] break-words',
        boxed && 'block rounded-lg border border-border bg-sunken px-3 py-2 text-sm',
        className,
      )}
    >
      {children}
    </code>
  );
}
