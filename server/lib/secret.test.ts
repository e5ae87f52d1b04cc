import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { LICENSE_KEY_ALPHABET, LICENSE_KEY_PATTERN } from '../../contract/reading/license-keys.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { createCode, createToken, hashToken } from './secret.ts';

test('a token has 256 random bits and fits in a header, and its hash does not contain it', () => {
  const tokens = Array.from({ length: 1000 }, createToken);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(hashToken('a')).toMatch(/^[0-9a-f]{64}$/);
  expect(hashToken('a')).toBe(hashToken('a'));
  expect(hashToken('a')).not.toBe(hashToken('b'));
});

test('a licence key has 125 bits from 32 evenly distributed characters (SEED-9-18, D083)', () => {
  const codes = Array.from({ length: 2000 }, () => createCode(LICENSE_KEY_ALPHABET, 5, 5));
  expect(new Set(LICENSE_KEY_ALPHABET).size).toBe(32);
  expect(new Set(codes).size).toBe(2000);
  const counts = new Map<string, number>();
  for (const code of codes) {
    expect(code).toMatch(LICENSE_KEY_PATTERN);
    for (const letter of code.replaceAll('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // 50,000 letters over 32: about 1562 each, standard deviation about 39; a difference of eight deviations does not
  // occur by chance.
  expect(counts.size).toBe(32);
  for (const count of counts.values()) expect(Math.abs(count - 1562.5)).toBeLessThan(8 * 39);
});

test('a password is hashed with argon2id and a separate salt, and only that password matches', async () => {
  const [one, two] = [await hashPassword('contraseña 😀'), await hashPassword('contraseña 😀')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, 'contraseña 😀')).toEqual({ matches: true, isOutdated: false });
  expect(await verifyPassword(one, 'contraseña')).toEqual({ matches: false, isOutdated: false });
  expect(await verifyPassword('no hash at all', 'contraseña')).toEqual({ matches: false, isOutdated: false });
});

test.each([
  ['fewer kibibytes', { memoryCost: 4096, timeCost: 2 }, true],
  ['fewer passes', { memoryCost: 19_456, timeCost: 1 }, true],
  ['more of both', { memoryCost: 20_000, timeCost: 3 }, false],
])('a hash of %s matches, and is outdated if it is weaker', async (_, parameters, isOutdated) => {
  const stored = await hash('secreta1', { algorithm: 2, parallelism: 1, ...parameters });
  expect(await verifyPassword(stored, 'secreta1')).toEqual({ matches: true, isOutdated });
});

test('a password matches composed and decomposed, and an older hash of what was typed is outdated (INPUT-11)', async () => {
  const [composed, decomposed] = ['contraseñá-1x'.normalize('NFC'), 'contraseñá-1x'.normalize('NFD')];
  const now = await hashPassword(decomposed);
  expect(await verifyPassword(now, composed)).toEqual({ matches: true, isOutdated: false });
  expect(await verifyPassword(now, decomposed)).toEqual({ matches: true, isOutdated: false });
  const earlier = await hash(decomposed);
  expect(await verifyPassword(earlier, decomposed)).toEqual({ matches: true, isOutdated: true });
  expect(await verifyPassword(earlier, composed)).toEqual({ matches: false, isOutdated: false });
});
