import { expect, test } from 'vitest';
import type { z } from 'zod';
import { threadTimeOf } from '../../test/thread-time.ts';
import { tags } from '../tags/tags.ts';
import { passwordReset } from './account.ts';
import { passwordOf, presentPassword, registration } from './auth.ts';

/** What a body of 95 kB can hold: accents in mixed order, which Unicode's forms have to sort. */
const ACCENTS = '\u0301\u0323'.repeat(23_000);
/** What bringing it into one of these forms takes: many times what refusing it may take. */
const COMPOSING = threadTimeOf(() => ACCENTS.normalize('NFC'));

const person = { username: 'nueva', password: 'secreta-y-larga', names: 'Nora', email: 'nora@example.com' };

const bodies: [what: string, schema: z.ZodType, body: unknown, field: string][] = [
  ['a present password', presentPassword, ACCENTS, ''],
  ['a new password', passwordReset, { token: 'x'.repeat(43), password: ACCENTS }, 'password'],
  ['the password of a new user', registration, { ...person, password: ACCENTS }, 'password'],
  ['the name of a new user', registration, { ...person, username: ACCENTS }, 'username'],
  ['a tag', tags, ['VIP', ACCENTS], '1'],
];

test.for(bodies)(
  '%s of thousands of accents is refused at once (promises: Under load)',
  ([, schema, body, field]) => {
    let read: z.ZodSafeParseResult<unknown> | undefined;
    const took = threadTimeOf(() => {
      read = schema.safeParse(body);
    });
    expect(took).toBeLessThan(COMPOSING / 2);
    const faults = read?.error?.issues.filter(({ path }) => path.join('.') === field);
    expect(faults?.map((issue) => (issue.code === 'custom' ? issue.params?.code : issue.code))).toEqual([
      expect.stringMatching(/^(too_long|too_big)$/),
    ]);
  },
);

test('a password typed as letters with separate accents has the limit of the composed ones (INPUT-11)', () => {
  const schema = passwordOf(1, 'corta', 200);
  for (const letter of ['e\u0301', '\u03b1\u0313\u0342\u0345']) {
    expect(schema.safeParse(letter.repeat(200)).success).toBe(true);
    expect(schema.safeParse(letter.repeat(201)).success).toBe(false);
  }
});
