/** What makes two user names look alike to a person while they differ for the program. */

/**
 * Characters that show nothing, reverse what stands beside them, or look different on each machine; the blank of Braille,
 * and a second space, which a page does not show.
 */
const INVISIBLE = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800]|\s\s/u;

const LETTER = /\p{L}/gu;

/** Scripts, those that are written together as one; digits and signs belong to all. */
const SCRIPTS = [
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u,
  ...[
    'Latin',
    'Cyrillic',
    'Greek',
    'Hangul',
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Thai',
    'Armenian',
    'Georgian',
  ].map((script) => new RegExp(`\\p{scx=${script}}`, 'u')),
];

/** Whether all letters of a text are of one script. */
function isOneScript(text: string): boolean {
  const scripts = (text.match(LETTER) ?? []).map((letter) =>
    SCRIPTS.findIndex((script) => script.test(letter)),
  );
  return new Set(scripts).size <= 1;
}

/** Whether a user name in NFKC shows all that it is, in one script (UTS 39). */
export const isClearName = (name: string): boolean => !INVISIBLE.test(name) && isOneScript(name);
