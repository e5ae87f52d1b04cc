/**
 * Whether a pasted text is a stored phone, by its digits alone. Without the metadata of phones.ts, so that a search can
 * ask it at once.
 */

/** A number without the prefix of its country has at most so many digits in Latin America. */
const NATIONAL = 10;
/** Fewer digits are not a whole number. */
const WHOLE = 7;

const PHONE = /^\+?[\d\s().\-\u2010-\u2015/]+$/;

/** The digits of a pasted phone; null for a text with other signs, or with too few digits. */
export function phoneDigits(text: string): string | null {
  const typed = text.trim().replace(/^tel:/i, '');
  const digits = typed.replace(/\D/g, '');
  return PHONE.test(typed) && digits.length >= WHOLE ? digits : null;
}

/**
 * True if typed digits are those of a stored phone. People leave out the country's prefix, or write '01', '044' or '1'
 * before the number.
 */
export function isSamePhone(stored: string, typed: string): boolean {
  const digits = stored.replace(/\D/g, '');
  return (
    digits.endsWith(typed) || (typed.length > NATIONAL && digits.slice(-NATIONAL) === typed.slice(-NATIONAL))
  );
}
