import type { Locale } from '../../../../contract/base/money.ts';
import { formatsInUse } from '../../../text/format.ts';

let made: { locale: Locale; format: Intl.NumberFormat } | undefined;

/** '12.5 k', '3 M' in the vendor's locale, for the numbers of an axis. */
export function formatShort(value: number): string {
  const { locale } = formatsInUse();
  if (made?.locale !== locale) {
    made = {
      locale,
      format: new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
    };
  }
  return made.format.format(value);
}
