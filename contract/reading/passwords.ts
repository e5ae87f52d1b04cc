/**
 * What a typed password means (INPUT-11): a letter with its accent is one text, whether the keyboard sent it composed
 * ('é') or as two characters. Without schemas, because the sign-in page loads this file.
 */

/** The form in which a password is measured, hashed and compared: Unicode's NFC. */
export const readPassword = (typed: string): string => typed.normalize('NFC');

/** The length of a password in UTF-16 units, as its limits count it. */
export const passwordLength = (typed: string): number => readPassword(typed).length;
