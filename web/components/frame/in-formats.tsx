import { Fragment, type ReactNode } from 'react';
import { useFormats } from '../../api/vendor-formats.ts';

/**
 * Draws its content anew when the vendor's formats change, since texts are formatted where they are written. That is
 * rare: after a sign-in in a new browser, and when the settings are changed.
 */
export function InFormats({ children }: { children: ReactNode }) {
  const { currency, locale } = useFormats();
  return <Fragment key={`${currency} ${locale}`}>{children}</Fragment>;
}
