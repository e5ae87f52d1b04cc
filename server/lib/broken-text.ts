/**
 * Whether a text looks like Spanish that was read in its own encoding, or like one read in another (INPUT-04). Rated
 * are the characters beyond ASCII, each by what stands beside it: 'Núñez' but not 'N£¤ez', '“Hola”' but not 'Hol“'.
 */

/** At most this is the rating of a character that no text has at its place. */
const BROKEN = -2;

/** Without the raised letters of ordinals. */
const LETTER = /[^ªº\P{L}]/u;
const LATIN = /\p{Script=Latin}/u;
const SPANISH = /[áéíóúüñÁÉÍÓÚÜÑ]/;
/** Letters of names of other languages, which stand in Spanish files too. */
const OTHER_NAMES = /[àâãäåçèêëìîïòôõöøùûßÀÂÃÄÅÇÈÊËÌÎÏÒÔÕÖØÙÛ]/;
const OPENING = /[¿¡«“‘‹„‚]/;
/** What stands after a word or a number; also ordinals and degrees. */
const CLOSING = /[»”’›…ºª°®™%]/;
/** Signs that stand beside words and numbers, or free. */
const FREE = /[–—’€\u00a0]/;
const HYPHEN = /[–—·\u00ad\u2010\u2011]/;
/** The first of two characters that a letter in UTF-8 becomes when it is read byte by byte, before the second. */
const UTF8_LEAD = /[ÂÃ]/;
const UTF8_TRAIL =
  /[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/;

/** A mark over a letter of another script; those of Latin letters are 'Inherited'. */
const FOREIGN_MARK = /[^\P{M}\p{Script=Inherited}]/u;

const isLetter = (character: string) => character !== '' && LETTER.test(character);
const isUpper = (character: string) => isLetter(character) && character !== character.toLowerCase();
const isLower = (character: string) => isLetter(character) && character !== character.toUpperCase();
const isControl = (character: string) => character >= '\u0080' && character <= '\u009f';

/** What stands around a character: two before it and one behind it, '' at the ends of the word. */
type Around = { before: string; previous: string; next: string };

/** A letter in the case of its word; 'JosÚ' and 'MéXICO' are what another encoding makes of 'José' and 'MÚXICO'. */
function scoreCase(character: string, { before, previous, next }: Around, good: number): number {
  if (isUpper(character)) return isLower(previous) ? BROKEN : good;
  if (isUpper(previous) && (isUpper(before) || isUpper(next))) return BROKEN;
  return !isLetter(previous) && isUpper(next) ? BROKEN : good;
}

function scoreLetter(character: string, around: Around, isUnicode: boolean): number {
  const { previous, next } = around;
  if (UTF8_LEAD.test(character) && UTF8_TRAIL.test(next)) return BROKEN;
  if (SPANISH.test(character)) return isUnicode ? 1 : scoreCase(character, around, 1);
  if (isUnicode) {
    const isMixed = [previous, next].some(
      (one) => isLetter(one) && LATIN.test(one) !== LATIN.test(character),
    );
    return isMixed ? BROKEN : 0;
  }
  if (!OTHER_NAMES.test(character)) return BROKEN;
  // These begin no Spanish word, and few names.
  const caseScore = scoreCase(character, around, 0.25);
  return isLetter(previous) ? caseScore : Math.min(caseScore, -0.5);
}

/** A sign between two letters. In UTF-8 and UTF-16 a dash is surely one. */
function scoreInside(character: string, { next }: Around, isUnicode: boolean): number {
  // D’Angelo, and the genitive of English names.
  if (character === '’') return isUpper(next) || isUnicode ? 0.5 : next === 's' ? 0 : BROKEN;
  if (character === '\u00a0') return isUnicode ? 0 : -0.5;
  return isUnicode && HYPHEN.test(character) && !isLower(next) ? 0 : BROKEN;
}

/** A sign at an edge of a word, or alone. */
function scoreOutside(character: string, { previous, next }: Around, isUnicode: boolean): number {
  if (OPENING.test(character)) return isLetter(next) ? 0.5 : -0.5;
  if (CLOSING.test(character)) return previous === '' ? -0.5 : 0.25;
  if (isUnicode || FREE.test(character)) return 0;
  // Beside one letter there is no ¢, £ or †.
  return isLetter(previous) || isLetter(next) ? -1 : -0.25;
}

function scoreOf(character: string, around: Around, isUnicode: boolean): number {
  if (character === '\ufffd' || isControl(character)) return 1.5 * BROKEN;
  if (FOREIGN_MARK.test(character) && LATIN.test(around.previous + around.next)) return BROKEN;
  return isLetter(character)
    ? scoreLetter(character, around, isUnicode)
    : isLetter(around.previous) && isLetter(around.next)
      ? scoreInside(character, around, isUnicode)
      : scoreOutside(character, around, isUnicode);
}

/** The judgements of the characters of a word beyond ASCII. */
function scoresOf(word: string, isUnicode: boolean): number[] {
  const characters = [...word];
  const at = (index: number) => characters[index] ?? '';
  return characters.flatMap((character, index) =>
    character < '\u0080'
      ? []
      : scoreOf(
          character,
          { before: at(index - 2), previous: at(index - 1), next: at(index + 1) },
          isUnicode,
        ),
  );
}

/**
 * How Spanish a word looks: about 1 for each good letter, below 0 for signs that no word has.
 * @param isUnicode true if its letters were written as such (UTF-8, UTF-16), so that a rare one is one
 */
export const spanishness = (word: string, isUnicode: boolean): number =>
  scoresOf(word, isUnicode).reduce((sum, score) => sum + score, 0);

/** Whether a word has a sign that no word has inside. */
export const isBroken = (word: string, isUnicode: boolean): boolean =>
  scoresOf(word, isUnicode).some((score) => score <= BROKEN);
