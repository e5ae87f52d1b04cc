import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '../../contract/people/api-keys.ts';

/**
 * The text of an API key: the prefix, 30 random letters and digits (178 bits), and their CRC-32 as 6 more characters.
 * With the prefix, scanners of source code can find a leaked key; with the checksum, a mistyped key is refused
 * without a query.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  for (let count = 0; count < CHECK_LENGTH; count += 1) {
    check = BASE62[rest % BASE62.length] + check;
    rest = Math.floor(rest / BASE62.length);
  }
  return check;
}

export function createApiKeyText(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
  return `${API_KEY_PREFIX}${random}${checkOf(random)}`;
}

/** Whether a text can be an API key: its form and its checksum are correct. */
export function isApiKeyText(text: string): boolean {
  if (!FORM.test(text)) return false;
  const random = text.slice(API_KEY_PREFIX.length, API_KEY_PREFIX.length + RANDOM_LENGTH);
  return text.endsWith(checkOf(random));
}
