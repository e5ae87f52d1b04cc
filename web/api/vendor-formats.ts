import { create } from 'zustand';
import { CURRENCIES, LOCALES } from '../../contract/base/money.ts';
import { type Formats, formatsInUse, setFormats } from '../text/format.ts';
import { readStored, writeStored } from './storage.ts';

/** The formats of amounts and numbers: the vendor's settings `currency` and `locale` (MONEY-01). */

const KEY = 'license_manager_formats';

/** The current formats. When they change, the screen is rendered again. */
export const useFormats = create<Formats>()(() => formatsInUse());

/** Applies the formats of the server's settings now, and stores them for later visits. */
export function adoptFormats({ currency, locale }: Formats): void {
  if (!setFormats({ currency, locale })) return;
  writeStored(KEY, JSON.stringify({ currency, locale }));
  useFormats.setState({ currency, locale });
}

/** Restores the formats of an earlier visit. Call it once, before the first screen. */
export function recallFormats(): void {
  const stored = readFormats(readStored(KEY));
  if (stored !== null && setFormats(stored)) useFormats.setState(stored);
}

function readFormats(text: string | null): Formats | null {
  try {
    const { currency, locale } = JSON.parse(text ?? '{}');
    const isKnown = CURRENCIES.includes(currency) && LOCALES.includes(locale);
    return isKnown ? { currency, locale } : null;
  } catch {
    return null;
  }
}
