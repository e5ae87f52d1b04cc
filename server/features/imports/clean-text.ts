/** Texts as people paste them into spreadsheets: without what nobody sees (IMPORT-01). */

/** Spaces that a spreadsheet shows as one: no-break space, its narrow form, and that of digits. */
const ODD_SPACES = /[\u00a0\u2007\u202f]/g;

/** Marks without a width: zero-width spaces, direction marks, soft hyphens, byte order marks; and control characters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

const JOINERS = /[\u200c\u200d]+/g;
const MEANS_NOTHING_BESIDE = /^\p{ASCII}?$/u;

/** Joiners mean something between letters of some scripts and in emoji, and nothing beside ASCII or at an edge. */
function idleJoiners(run: string, at: number, text: string): string {
  const beside = [text.charAt(at - 1), text.charAt(at + run.length)];
  return beside.some((character) => MEANS_NOTHING_BESIDE.test(character)) ? '' : run;
}

/** A text without invisible characters, its odd spaces as plain ones. Line breaks and tabs stay. */
export const cleanText = (text: string): string =>
  text.replace(ODD_SPACES, ' ').replace(INVISIBLE, '').replace(JOINERS, idleJoiners);
