import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { createFirstAccount } from './first-accounts.ts';

const ADMIN = { ADMIN_USERNAME: 'Dirección', ADMIN_PASSWORD: 'una clave propia' };

test('an empty database gets the configured account and no demo account (D006)', async () => {
  const t = await createTestApp({ env: ADMIN });
  const users = await t.db.selectFrom('users').select(['username', 'names', 'last_name', 'email']).execute();
  expect(users).toEqual([{ username: 'Dirección', names: 'Dirección', last_name: '', email: '' }]);
  expect(await signInAs(t, 'dirección', 'una clave propia')).not.toBe('');
});

test('no account is created without configuration or demo mode, or when one exists already (D006)', async () => {
  const t = await createTestApp({ env: { DEMO: '0' } });
  expect(await createFirstAccount(t.context)).toBe(false);
  expect(await t.db.selectFrom('users').selectAll().execute()).toEqual([]);

  const demo = await createTestApp();
  expect(await createFirstAccount(demo.context)).toBe(true);
  expect(await demo.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
});

test('replicas that start together on an empty database create the account once (D006)', async () => {
  const t = await createTestApp();
  await t.db.deleteFrom('users').execute();
  expect(await Promise.all(Array.from({ length: 3 }, () => createFirstAccount(t.context)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await t.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
});

test('the server does not start when the account cannot be stored', async () => {
  const t = await createTestApp();
  await t.db.deleteFrom('users').execute();
  await sql`alter table users rename column email to correo`.execute(t.db);
  await expect(createFirstAccount(t.context)).rejects.toThrow(/email/);
});

describe('ten concurrent registrations on an empty database', () => {
  const strangers = (t: TestApp, nameOf: (index: number) => string) =>
    Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        t.call('POST', '/api/auth/register/', {
          token: null,
          body: { username: nameOf(index), password: 'secreta1', names: 'X', email: 'x@example.com' },
        }),
      ),
    );

  test.each([
    ['each with another name', (index: number) => `persona-${index}`],
    ['all with one name', () => 'persona'],
  ])(
    'create one account, and nine get the answer that registration is closed: %s (D005)',
    async (_what, nameOf) => {
      const t = await createTestApp({ env: { DEMO: '0' } });
      const answers = await strangers(t, nameOf);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body.message])).toEqual(
        Array(9).fill([403, 'El registro de usuarios está deshabilitado']),
      );
      expect(await t.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
    },
  );

  test('each create an account when registration is open', async () => {
    const t = await createTestApp({ env: { DEMO: '0', ALLOW_REGISTRATION: '1' } });
    const answers = await strangers(t, (index) => `persona-${index}`);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  });
});

test('replicas configured with different administrators create only one of them (D006)', async () => {
  const t = await createTestApp({ env: { DEMO: '0' } });
  const contexts = ['uno', 'dos', 'tres'].map((username) => ({
    ...t.context,
    config: { ...t.context.config, admin: { username, password: 'una clave propia' } },
  }));
  expect(await Promise.all(contexts.map((context) => createFirstAccount(context)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await t.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
});
