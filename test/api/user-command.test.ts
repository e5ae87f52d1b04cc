import { expect, test } from 'vitest';
import { runUserCommand, UserCommandError } from '../../ops/user.ts';
import { makeSigningKeys } from '../../server/features/programs/signing/make-signing-keys.ts';
import { openPrivateKey } from '../../server/features/programs/signing/signing-keys.ts';
import { openSecrets, SecretKeyError } from '../../server/secret-key.ts';
import { createTestApp, signInAs } from '../app.ts';

/** npm run user, which helps a person who cannot sign in. */

test('the command password sets a new password, ends the sessions and writes the event', async () => {
  const t = await createTestApp();
  const text = await runUserCommand(t.context, ['password', 'Admin']);
  const password = /contraseña nueva (\S+)/.exec(text)?.[1] ?? '';
  expect(password).toMatch(/^([a-z0-9]{5}-){3}[a-z0-9]{5}$/);
  expect((await t.call('GET', '/api/auth/user/')).status).toBe(401);
  expect(await signInAs(t, 'admin', password)).not.toBe('');
  const event = await t.db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'user.password_changed')
    .executeTakeFirstOrThrow();
  expect([event.actor_kind, event.actor_name, event.subject_name]).toEqual([
    'system',
    'Línea de comandos',
    'Administrador Demo',
  ]);
  expect(JSON.stringify(event)).not.toContain(password);
});

test('the command password makes none that contains the user name, which is no password for an administrator', async () => {
  const t = await createTestApp();
  // Half of all random passwords contain a letter; of three letters, one in thousands.
  await t.db.updateTable('users').set({ username: 'k', username_key: 'k' }).where('id', '=', 1).execute();
  for (let tries = 0; tries < 12; tries += 1) {
    const text = await runUserCommand(t.context, ['password', 'k']);
    expect(/contraseña nueva (\S+)/.exec(text)?.[1]).not.toContain('k');
  }
});

test('the command password lists the API keys that still work', async () => {
  const t = await createTestApp();
  const { body } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Tienda', permissions: ['licenses:read'] },
  });
  const text = await runUserCommand(t.context, ['password', 'admin']);
  expect(text).toContain('Sus claves de API siguen funcionando');
  expect(text.split('\n').at(-1)).toBe(`- Tienda (…${body.key.slice(-4)})`);
});

test('the command mfa removes the second factor', async () => {
  const t = await createTestApp();
  await t.db
    .updateTable('users')
    .set({ mfa_secret: 'v1.x', mfa_enabled_at: '2026-01-01T00:00:00Z' })
    .execute();
  await runUserCommand(t.context, ['mfa', 'admin']);
  expect(await signInAs(t, 'admin', 'admin123')).not.toBe('');
});

test('the command lost-key removes all second factors, so that the server can start with another key', async () => {
  const t = await createTestApp();
  await t.db
    .updateTable('users')
    .set({ mfa_secret: 'v1.x', mfa_enabled_at: '2026-01-01T00:00:00Z' })
    .execute();
  const otherKey = { ...t.context.config, secretKey: 'q0Vf7yXn2LsT9cWmB4hKdR1uJ6gZpE3a' };
  await expect(openSecrets(t.db, otherKey)).rejects.toThrow(SecretKeyError);
  await runUserCommand(t.context, ['lost-key']);
  const secrets = await openSecrets(t.db, otherKey);
  expect(await signInAs(t, 'admin', 'admin123')).not.toBe('');
  // As at the next start: answers are signed with keys that the new key can read.
  await makeSigningKeys({ db: t.db, secrets }, t.context.now());
  const keys = await t.db.selectFrom('signing_keys').select(['kid', 'state', 'private_key']).execute();
  expect(keys.map(({ state }) => state).sort()).toEqual(['current', 'next', 'retired', 'retired']);
  for (const key of keys.filter(({ state }) => state !== 'retired')) openPrivateKey(secrets, key);
  const types = await t.db.selectFrom('events').select('type').execute();
  expect(types.map(({ type }) => type)).toContain('user.mfa_reset');
});

test('the command list prints the users, and an unknown command is refused with a usage text', async () => {
  const t = await createTestApp();
  expect(await runUserCommand(t.context, ['list'])).toBe('admin\tadmin\tactive\tadmin@example.com');
  for (const words of [[], ['otra', 'admin'], ['password'], ['mfa', 'nadie']]) {
    await expect(runUserCommand(t.context, words)).rejects.toThrow(UserCommandError);
  }
});
