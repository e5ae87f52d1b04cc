import { ADMIN_PASSWORD_MIN } from '../../contract/base/limits.ts';
import { isCommonPassword } from './common-passwords.ts';

/**
 * Words that are common in examples and quick guesses; a random text of 32 characters practically never contains one.
 */
const WORDS = [
  'secret',
  'changeme',
  'change-me',
  'change_me',
  'password',
  'contrase',
  'example',
  'ejemplo',
  'license',
  'licencia',
];

/** 32 random hexadecimal characters contain 14 different ones on average; fewer than 8 occur once in 10,000,000,000. */
const DIFFERENT_MIN = 8;

const isRepeated = (text: string) => (text + text).indexOf(text, 1) < text.length;

/** Whether each character follows the one before, as in 'abcdefgh' and '87654321'. */
function isSequence(text: string): boolean {
  const steps = new Set(
    Array.from(text, (_, index) => text.charCodeAt(index + 1) - text.charCodeAt(index)).slice(0, -1),
  );
  return steps.size === 1;
}

/**
 * Whether a key was probably typed and not random: too few different characters, repeated, in sequence, or with a
 * known word.
 */
export function isGuessableKey(key: string): boolean {
  const lower = key.toLowerCase();
  return (
    new Set(key).size < DIFFERENT_MIN ||
    isRepeated(key) ||
    isSequence(key) ||
    WORDS.some((word) => lower.includes(word))
  );
}

/**
 * Whether even a long password is easy to guess: it is a common one (also repeated or followed by digits), has few
 * different characters, or contains the user name.
 */
export function isGuessablePassword(password: string, username: string): boolean {
  const lower = password.toLowerCase();
  const repeated = isRepeated(lower) ? lower.slice(0, (lower + lower).indexOf(lower, 1)) : lower;
  const bare = lower.replace(/[^\p{L}]/gu, '');
  return (
    lower.includes(username.trim().toLowerCase()) ||
    new Set(lower).size < 6 ||
    isRepeated(lower) ||
    [lower, repeated, bare].some(isCommonPassword)
  );
}

/** Whether a password does not do for an administrator: ADMIN_PASSWORD and every other way ask for the same (decision 116). */
export const isWeakForAdmin = (password: string, username: string): boolean =>
  password.length < ADMIN_PASSWORD_MIN || isGuessablePassword(password, username);
