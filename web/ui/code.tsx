import { cx } from './cx.ts';

const SIZES = {
  normal: 'text-[0.8125rem]',
  large: 'text-base/7',
  // A licence key has 29 characters: at 320 px it needs two lines, from 640 px on one.
  display: 'text-[1.375rem]/8 sm:text-[1.75rem]/10',
} as const;

interface CodeProps {
  children: string;
  /** `large` in the heading of a record, `display` if it is the main content of the dialog. */
  size?: keyof typeof SIZES;
  /** True: a box is shown around it, for text to copy. */
  boxed?: boolean;
  className?: string;
}

/**
 * A key, a MAC or an IP address in a monospaced font. Lines break only after - . or :, or anywhere if that is not
 * enough.
 */
export function Code({ children, size = 'normal', boxed = false, className }: CodeProps) {
  return (
    <code
      translate="no"
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
