/**
 * The only reader of whole numbers that programs write as a text: in an address, in an environment variable. What
 * people type is read by numbers.ts (decision 176).
 */

const WHOLE = /^[+-]?\d{1,30}$/;

/**
 * Reads a whole number in decimal digits, with a sign and spaces around it: a '+' that was not encoded in an address
 * arrives as a space. `Number` would also take '0x10', '1e3' and a blank text, and round what has too many digits.
 * @returns null if the text is no whole number, or one that JavaScript cannot tell from the next
 */
export function readWholeNumber(text: string): number | null {
  const digits = text.trim();
  const number = WHOLE.test(digits) ? Number(digits) : Number.NaN;
  // The sum turns -0 into 0.
  return Number.isSafeInteger(number) ? number + 0 : null;
}

/**
 * Reads a whole number that is brought into a range instead of refused, so that it may be of any size.
 * @returns null if the text is no whole number
 */
export function readClamped(text: string, least: number, most: number): number | null {
  const digits = text.trim();
  return /^[+-]?\d+$/.test(digits) ? Math.min(most, Math.max(least, Number(digits))) : null;
}
