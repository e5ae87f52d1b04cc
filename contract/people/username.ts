import { USERNAME_MAX, USERNAME_MIN } from '../base/limits.ts';

/** Finds user names that people could confuse although they differ as texts. */

/**
 * Characters that are invisible, change the text direction, or look different on each machine; the Braille blank; and
 * consecutive spaces, which HTML shows as one.
 */
const INVISIBLE = /[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800]|\s\s/u;

const LETTER = /\p{L}/gu;

/** Scripts. Those that are used together in one language form one entry. Digits and signs belong to every script. */
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

/** True if all letters of a text are of one script. */
function isOneScript(text: string): boolean {
  const scripts = (text.match(LETTER) ?? []).map((letter) =>
    SCRIPTS.findIndex((script) => script.test(letter)),
  );
  return new Set(scripts).size <= 1;
}

/** True if a user name in NFKC has only visible characters, and letters of one script (UTS 39). */
export const isClearName = (name: string): boolean => !INVISIBLE.test(name) && isOneScript(name);

/** Room for the number of a name that is taken: '-999'. */
const NUMBERED = 4;

/**
 * The user name that an email address suggests: the part before '@' without its +tag, with the beginning of the domain
 * where that is too short for a name ('jo@example.com': 'jo.example').
 */
export function usernameFrom(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@', 2);
  const name = local.split('+').find((part) => part !== '') ?? 'usuario';
  const long = name.length < USERNAME_MIN ? `${name}.${domain.split('.', 1)[0]}` : name;
  return long.slice(0, USERNAME_MAX - NUMBERED);
}

/** The parameter of an invitation's link that has the user name, where the person is to say the own name. */
export const INVITED_AS = 'usuario';
