import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let known: ReadonlySet<string> | undefined;

/**
 * True for one of the 3,000 most common passwords, in upper or lower case (PEOPLE-04; ASVS 5.0, 6.2.4). The list is
 * read at the first call.
 */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return known.has(password.toLowerCase());
}
