import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';

/** User names that cannot be confused with another. */

const register = (t: TestApp, username: string) =>
  t.call('POST', '/api/auth/register/', {
    token: null,
    body: { username, password: 'secreta1', names: 'X', email: 'x@example.com' },
  });

test.each([
  ['a Cyrillic letter among Latin ones', 'аdmin'],
  ['a Greek one', 'adminο'],
  ['a zero-width space', 'ad\u200bmin'],
  ['a soft hyphen', 'ad\u00admin'],
  ['a mark of direction', 'admin\u202e'],
  ['a Hangul filler, which is a letter', 'admin\u3164'],
  ['a variation selector', 'admin\ufe0f'],
  ['a character of private use', 'admin\ue000'],
  ['a blank of Braille', 'admin\u2800'],
  ['two spaces, of which a page shows one', 'ana  ríos'],
  ['a tag', 'admin\u{e0041}'],
])(
  'a user name with %s is 400 at its field, in registration and in an invitation',
  async (_what, username) => {
    const t = await createTestApp();
    const refused = await register(t, username);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([400, ['username']]);
    const invited = await t.call('POST', '/licenses/api/users/', {
      body: { username, names: 'X', last_name: '', email: 'x@example.com', role: 'viewer' },
    });
    expect([invited.status, Object.keys(invited.body.errors ?? {})]).toEqual([400, ['username']]);
  },
);

test('different Unicode forms of one name are one user: full width, ligatures and composed letters', async () => {
  const t = await createTestApp();
  expect((await register(t, 'ａｄｍｉｎ')).body.errors).toEqual({
    username: [expect.stringContaining('Ya existe')],
  });
  const created = await register(t, 'José-ﬁna');
  expect(created.body.user.username).toBe('José-fina'.normalize('NFC'));
  for (const typed of ['José-fina'.normalize('NFD'), 'JOSÉ-FINA', 'josé-ﬁna']) {
    expect([typed, (await register(t, typed)).status]).toEqual([typed, 400]);
    expect(await signInAs(t, typed, 'secreta1')).not.toBe('');
  }
});

test.each(['мария', '田中さん', '김민수', 'ñandú_2', 'ana.maría@empresa', 'محمد'])(
  'a name in one script is accepted: %s',
  async (username) => {
    expect((await register(await createTestApp(), username)).status).toBe(201);
  },
);

test('a user whose name was stored by an earlier version can still sign in', async () => {
  const t = await createTestApp();
  const old = 'ｅｖａ';
  await t.db.updateTable('users').set({ username: old, username_key: old }).execute();
  expect(await signInAs(t, old, 'admin123')).not.toBe('');
});
