import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** The classes of a text button, for a link that should look like one. */
export const textButtonClass = (className?: string): string =>
  cx(
    'min-h-6 text-left font-medium text-brand-text underline underline-offset-2 wrap-anywhere pointer-coarse:min-h-11',
    className,
  );

/** A button that looks like a link: a suggestion under a field, 'Reintentar' beside an error. */
export const TextButton = ({ className, type = 'button', ...rest }: ComponentProps<'button'>) => (
  <button {...rest} type={type} className={textButtonClass(className)} />
);
