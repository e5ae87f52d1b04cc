import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { foldAll } from '../../../test/older-rows.ts';
import { insertFirstRows, migrateTo, RELEASED } from '../../../test/released.ts';
import { describeSchema } from '../../../test/schema.ts';
import { migrate } from '../open.ts';
import { migrationFiles } from './index.ts';

test('each migration is one SQL file, one file for each engine, or code without imports from this project', () => {
  for (const [name, files] of migrationFiles()) {
    if (files.length === 2) {
      expect(files).toEqual([`${name}.postgres.sql`, `${name}.sqlite.sql`]);
      continue;
    }
    if (files[0] === `${name}.sql`) {
      expect(files).toHaveLength(1);
      continue;
    }
    expect(files).toEqual([`${name}.ts`]);
    expect(readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8')).not.toMatch(/from '\.|import\(/);
  }
});

test('a released migration is never changed', () => {
  const now = Object.fromEntries(
    readdirSync(import.meta.dirname)
      .filter((file) => /^\d{3}-/.test(file))
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(import.meta.dirname, file)))
          .digest('hex'),
      ]),
  );
  expect(RELEASED.length).toBeGreaterThan(0);
  for (const { files } of RELEASED) expect(now).toMatchObject(files);
});

test('the schema and data of each released version can be migrated', async () => {
  const fresh = openForTest(await emptyDatabase());
  await migrate(fresh);
  const wanted = await describeSchema(fresh);

  for (const { last } of RELEASED) {
    const db = openForTest(await emptyDatabase());
    await migrateTo(db, last);
    await insertFirstRows(db);
    await migrate(db);
    await foldAll(db);

    expect(await describeSchema(db)).toEqual(wanted);
    expect(await db.selectFrom('clients').select(['name', 'notes']).execute()).toEqual([
      { name: 'Óscar Núñez', notes: 'una nota' },
    ]);
    const license = db
      .selectFrom('licenses')
      .select(['license_key', 'price_cents', 'expiry_date', 'current_installations']);
    expect(await license.execute()).toEqual([
      {
        license_key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE',
        price_cents: 120000,
        expiry_date: '2027-01-16T05:59:59.000Z',
        current_installations: 1,
      },
    ]);
    expect(await db.selectFrom('installations').select(['machine_id', 'machine_key']).execute()).toEqual([
      { machine_id: 'maquina-1', machine_key: 'maquina-1' },
    ]);
  }
});

test('a stop after each migration and a restart give the same schema as a fresh installation', async () => {
  const fresh = openForTest(await emptyDatabase());
  await migrate(fresh);
  // One database stops after each, instead of one for each stop, which takes 60 times as long. The test above has the
  // other case: a stop after which all that is left runs at once.
  const stopped = openForTest(await emptyDatabase());
  for (const name of migrationFiles().keys()) await migrateTo(stopped, name);
  await foldAll(stopped);
  expect(await describeSchema(stopped)).toEqual(await describeSchema(fresh));
});

test('mail that was stored before kinds existed gets its kind', { tags: ['MAIL-04'] }, async () => {
  const db = openForTest(await emptyDatabase());
  await migrateTo(db, RELEASED[0]!.last);
  await insertFirstRows(db);
  await migrateTo(db, '015-settings');
  const subjects: [subject: string, kind: string][] = [
    ['Tu licencia de Catálogo 1.0', 'license_issued'],
    ['Renovamos tu licencia de Nómina 1.0', 'license_renewed'],
    ['Prórroga de tu licencia de Nómina 1.0', 'license_extended'],
    ['Tu licencia de Nómina 1.0 está suspendida', 'license_suspended'],
    ['Tu licencia de Nómina 1.0 está activa de nuevo', 'license_reinstated'],
    ['Tu licencia de Nómina 1.0 se canceló', 'license_cancelled'],
    ['Nueva clave de tu licencia de Nómina 1.0', 'key_replaced'],
    ['Una licencia de Nómina 1.0 ahora es tuya', 'license_transferred'],
  ];
  for (const [subject] of subjects) {
    await sql`insert into outbox (license_id, message_id, to_name, to_address, subject, body_text, body_html, status, created_at)
      values (1, ${subject}, '', 'o@cliente.mx', ${subject}, 'x', 'x', 'sent', '2026-01-15T12:00:00.000Z')`.execute(
      db,
    );
  }
  await migrate(db);
  const mails = await db.selectFrom('outbox').select(['subject', 'kind']).orderBy('id').execute();
  expect(mails).toEqual(subjects.map(([subject, kind]) => ({ subject, kind })));
});
