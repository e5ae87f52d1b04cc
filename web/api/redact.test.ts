import { expect, test } from 'vitest';
import { redact, redactPath } from './redact.ts';

const KEY = 'A7KQ2-M9XVD-4TRHB-W3NPE-6JZCY';

test('a redacted path contains no token and no licence key (D001)', () => {
  expect(redactPath('/api/x/?token=abc&page=1')).toBe('/api/x/?token=***&page=1');
  expect(redactPath(`/licenses/api/licenses/?search=${KEY}`)).toBe('/licenses/api/licenses/?search=***');
  expect(redactPath('/licenses/api/clients/?search=ana')).toBe('/licenses/api/clients/?search=ana');
});

test('a redacted value contains no credential at any depth (D001)', () => {
  const value = {
    username: 'ana',
    password: 'secreta',
    inner: [{ refresh_token: 'r', Authorization: 'Bearer t', license_key: KEY, note: `la clave es ${KEY}` }],
  };
  const text = JSON.stringify(redact(value));
  expect(text).toContain('ana');
  for (const secret of ['secreta', 'Bearer', KEY, '"r"']) expect(text).not.toContain(secret);
});
