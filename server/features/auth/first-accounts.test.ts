import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp, signInAs } from '../../../test/app.ts';
import { createFirstAccount } from './first-accounts.ts';

const ADMIN = { ADMIN_USERNAME: 'Dirección', ADMIN_PASSWORD: 'una clave propia' };

test('an empty database gets the account that is configured, and no demo account beside it (D006)', async () => {
  const t = await createTestApp({ env: ADMIN });
  const users = await t.db.selectFrom('users').select(['username', 'names', 'last_name', 'email']).execute();
  expect(users).toEqual([{ username: 'Dirección', names: 'Dirección', last_name: '', email: '' }]);
  expect(await signInAs(t, 'dirección', 'una clave propia')).not.toBe('');
});

test('none is made where neither an account nor the demo is configured, nor where there is one (D006)', async () => {
  const t = await createTestApp({ env: { DEMO: '0' } });
  expect(await createFirstAccount(t.context)).toBe(false);
  expect(await t.db.selectFrom('users').selectAll().execute()).toEqual([]);

  const demo = await createTestApp();
  expect(await createFirstAccount(demo.context)).toBe(true);
  expect(await demo.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
});

test('replicas that start together on an empty database make it once (D006)', async () => {
  const t = await createTestApp();
  await t.db.deleteFrom('users').execute();
  expect(await Promise.all(Array.from({ length: 3 }, () => createFirstAccount(t.context)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await t.db.selectFrom('users').selectAll().execute()).toHaveLength(1);
});

test('one that cannot be stored keeps the program from starting', async () => {
  const t = await createTestApp();
  await t.db.deleteFrom('users').execute();
  await sql`alter table users rename column email to correo`.execute(t.db);
  await expect(createFirstAccount(t.context)).rejects.toThrow(/email/);
});
