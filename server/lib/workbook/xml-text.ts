/** How texts stand in the XML of a workbook (ECMA-376). */

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Characters that XML 1.0 does not admit or reads as something else, and the beginning of what would be read as the
 * form that stands for them. That form is `_x` and four hexadecimal digits and `_` (ST_Xstring).
 */
const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}_)/g;

const hexadecimal = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** A text as the content of an element. */
export const toXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, hexadecimal)
    .replace(/[&<>"]/g, (sign) => MARKUP[sign]!);

/** Reverses what {@link toXml} and Excel do with characters that XML does not admit. */
export const fromXml = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_form, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    : text;
