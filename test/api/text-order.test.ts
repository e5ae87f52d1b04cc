import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { migrationProvider } from '../../server/db/migrations/index.ts';
import { engineOf, openDatabase } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { createDatabase } from '../postgres/databases.ts';

/** Lists sorted by a text have the same Spanish order on both engines (D057). */

const NAMES = ['Zeta', 'ñandú', 'Óscar', 'avila', 'Nube', 'Ávila', 'nz', 'AVILA', 'n\u0303u', 'ola', 'Na'];
/** Names that differ only in case and accents are sorted by id. */
const IN_ORDER = ['avila', 'Ávila', 'AVILA', 'Na', 'Nube', 'nz', 'ñandú', 'n\u0303u', 'ola', 'Óscar', 'Zeta'];

async function readPages(testApp: TestApp, url: string, field: string, pageSize: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const sign = url.includes('?') ? '&' : '?';
    const { body } = await testApp.call('GET', `${url}${sign}page=${page}&page_size=${pageSize}`);
    values.push(...body.results.map((row: Record<string, unknown>) => row[field]));
    if (body.next === null) return values;
  }
}

async function expectOrder(testApp: TestApp, url: string, field: string): Promise<void> {
  for (const pageSize of [100, 4, 1]) {
    expect(await readPages(testApp, `${url}${field}`, field, pageSize), `${pageSize}`).toEqual(IN_ORDER);
    expect(await readPages(testApp, `${url}-${field}`, field, pageSize), `-${pageSize}`).toEqual(
      IN_ORDER.toReversed(),
    );
  }
}

const LIST = '/licenses/api';

test('clients are ordered by name and by company, on pages of any size and in searches (D057)', async () => {
  const testApp = await createTestApp();
  for (const [index, name] of NAMES.entries()) {
    await createClient(testApp, { name, company: NAMES[index] ?? '', contact_person: 'Quetzal' });
  }
  await expectOrder(testApp, `${LIST}/clients/?ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/clients/?ordering=`, 'company');
  await expectOrder(testApp, `${LIST}/clients/?search=quetzal&ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/clients/?status=active&ordering=`, 'name');
});

test('a renamed client moves to its new place in the order (D057)', async () => {
  const testApp = await createTestApp();
  const { id } = await createClient(testApp, { name: 'Zeta' });
  await createClient(testApp, { name: 'Nube' });
  const { body: read } = await testApp.call('GET', `${LIST}/clients/${id}/`);
  const { name: _name, email, phone } = read;
  const { status } = await testApp.call('PUT', `${LIST}/clients/${id}/`, {
    body: { name: 'Árbol', email, phone },
  });
  expect(status).toBe(200);
  expect(await readPages(testApp, `${LIST}/clients/?ordering=name`, 'name', 10)).toEqual(['Árbol', 'Nube']);
});

test('software, licences by client, and licence types are ordered by name (D057)', async () => {
  const testApp = await createTestApp();
  for (const [index, name] of NAMES.entries()) {
    const client = await createClient(testApp, { name });
    const software = await createSoftware(testApp, { name, version: `1.${index}` });
    await createLicense(testApp, { client: client.id, software: software.id });
    await createLicenseType(testApp, { name });
  }
  await expectOrder(testApp, `${LIST}/software/?ordering=`, 'name');
  await expectOrder(testApp, `${LIST}/licenses/?ordering=`, 'client_name');
  for (const pageSize of [100, 4, 1]) {
    expect(await readPages(testApp, `${LIST}/license-types/`, 'name', pageSize)).toEqual(IN_ORDER);
  }
});

/** A database as it was before sort keys existed. */
async function formerDatabase(): Promise<Kysely<Tables>> {
  const { context } = await createTestApp();
  let engine = engineOf({ ...context.config, dataDir: '' });
  if (engine.kind === 'sqlite') {
    engine = { kind: 'sqlite', file: `${context.config.dataDir}/former.sqlite` };
  } else {
    const database = await createDatabase();
    onTestFinished(database.drop);
    engine = { ...engine, url: database.url };
  }
  const db = openDatabase(engine, () => {});
  onTestFinished(() => db.destroy());
  await migrateTo(db, '007-sessions-and-tries');
  return db;
}

async function migrateTo(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrationProvider }).migrateTo(name);
  if (error) throw error;
}

test('rows of an earlier version get sort keys, also when they are more than one batch (D057)', async () => {
  const db = await formerDatabase();
  const stamp = '2026-11-21T00:00:00.000Z';
  const names = [...NAMES, ...Array.from({ length: 1200 }, () => 'Zorro')];
  for (const [index, name] of names.entries()) {
    await sql`insert into software (name, version, identity_key, description, is_active, search_text, created_at, updated_at)
      values (${name}, '1', ${`${index}`}, '', true, '', ${stamp}, ${stamp})`.execute(db);
  }
  await migrateTo(db, '008-text-order');
  const rows = await db.selectFrom('software').select('name').orderBy('name_order').orderBy('id').execute();
  expect(rows.map(({ name }) => name)).toEqual([...IN_ORDER, ...Array.from({ length: 1200 }, () => 'Zorro')]);
});
