import { withoutDirectionMarks } from '../../../contract/reading/direction.ts';

/** Removes what is invisible in texts that people paste into spreadsheets (IMPORT-01). */

/** Characters that a spreadsheet shows like a space: no-break space, narrow no-break space, figure space. */
const NARROW_SPACES = /[\u00a0\u2007\u202f]/g;

/**
 * Characters without a width (zero-width spaces, direction marks, soft hyphens, byte order marks) and control
 * characters.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]/g;

const JOINERS = /[\u200c\u200d]+/g;
const MEANS_NOTHING_BESIDE = /^\p{ASCII}?$/u;

/**
 * Removes joiners beside ASCII or at an edge of the text, where they have no effect. Between letters of some scripts
 * and in emoji they do.
 */
function idleJoiners(run: string, at: number, text: string): string {
  const beside = [text.charAt(at - 1), text.charAt(at + run.length)];
  return beside.some((character) => MEANS_NOTHING_BESIDE.test(character)) ? '' : run;
}

/** The text without invisible characters, and with ordinary spaces. Line breaks and tabs stay. */
export const cleanText = (text: string): string =>
  withoutDirectionMarks(text)
    .replace(NARROW_SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(JOINERS, idleJoiners);
