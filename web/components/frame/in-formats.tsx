import { Fragment, type ReactNode } from 'react';
import { useFormats } from '../../api/vendor-formats.ts';

/**
 * Renders its content from scratch when the vendor's formats change, because components format texts while rendering.
 * A change is rare: after a sign-in in a new browser, and after a change of the settings.
 */
export function InFormats({ children }: { children: ReactNode }) {
  const { currency, locale } = useFormats();
  return <Fragment key={`${currency} ${locale}`}>{children}</Fragment>;
}
