/** A shorter number says too little about whose it is. */
const DIGITS = 10;

/**
 * The last ten digits of a phone, by which likely duplicates are compared (INPUT-19). Apart from phones.ts, whose
 * metadata is large.
 * @returns null for a text with fewer digits
 */
export function phoneEnd(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  return digits.length >= DIGITS ? digits.slice(-DIGITS) : null;
}
