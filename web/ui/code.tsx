import { cx } from './cx.ts';

const SIZES = {
  normal: 'text-[0.8125rem]',
  large: 'text-base/7',
  // A licence key has 29 letters: at 320 px they take two lines, from 640 px on one.
  display: 'text-[1.375rem]/8 sm:text-[1.75rem]/10',
} as const;

interface CodeProps {
  children: string;
  /** `large` in the heading of a record, `display` where it is what the dialog is about. */
  size?: keyof typeof SIZES;
  /** A box around it, for text to copy. */
  boxed?: boolean;
  className?: string;
}

/** A key, a MAC or an IP address: letters of one width, broken only after - . or :, or where nothing else helps. */
export function Code({ children, size = 'normal', boxed = false, className }: CodeProps) {
  return (
    <code
      className={cx(
        'font-mono break-words',
        boxed ? 'block rounded-lg border border-border bg-sunken px-3 py-2 text-sm' : SIZES[size],
        className,
      )}
    >
      {children}
    </code>
  );
}
