import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** A button that looks like text: an offer under a field, 'Reintentar' beside an error. */
export function TextButton({ className, type = 'button', ...rest }: ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(
        'min-h-6 text-left font-medium text-brand-text underline underline-offset-2 wrap-anywhere pointer-coarse:min-h-11',
        className,
      )}
    />
  );
}
