import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { makeCopy } from '../../server/db/copies/make-copy.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { DATABASE_FILE, migrate, openDatabase } from '../../server/db/open.ts';
import { idsFoundBy } from '../../server/db/sqlite/search.ts';
import type { Tables } from '../../server/db/tables.ts';
import { backupJob } from '../../server/features/system/copies/backup-job.ts';
import { createTestApp } from '../app.ts';
import { NIGHT, POSTGRES_AT_NIGHT } from '../at-night.ts';
import { openForTest } from '../empty-database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { activate, createLicense } from '../factories.ts';
import { createDatabase } from '../postgres/databases.ts';
import { runJob } from '../run-job.ts';

/** Automatic backups, restored with `npm run restore` (OPS-03). */

const root = join(import.meta.dirname, '..', '..');
const onPostgres = process.env.TEST_ENGINE === 'postgres';

/** Runs `npm run restore` like an operator, without a terminal. */
async function restore(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['ops/restore.ts', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Tables that triggers and a job fill when rows are copied to PostgreSQL. */
const DERIVED =
  /^(row_counts|full_licenses|licenses_of_clients|day_(sums|changes|state)|recurring_(days|clients|changes|state))$/;
/** Tables about the backups themselves, which differ. */
const OF_COPIES = /^(backups|backup_plan)$/;

/** All rows of all tables, in a form that is equal on both engines. */
async function contentOf(db: Kysely<Tables>, left: RegExp): Promise<Record<string, string[]>> {
  const tables = (await db.introspection.getTables()).filter(
    ({ isView, name }) => !isView && !/_search(_|$)/.test(name) && !OF_COPIES.test(name) && !left.test(name),
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    content[name] = rows
      .map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort();
  }
  return content;
}

const NOTHING = /^$/;
const TRIGGERS = "select name from sqlite_master where type = 'trigger' order by name";

async function copied() {
  const folder = emptyFolder();
  const copies = { BACKUP_DIR: join(folder, 'copies'), BACKUP_KEY_DIR: join(folder, 'keys') };
  const t = await createTestApp({ env: copies });
  const license = await createLicense(t, { max_installations: 3 });
  await activate(t, license.license_key, 'máquina "uno" \\ ñ 🦜');
  const gone = await createLicense(t);
  await t.call('DELETE', `/licenses/api/licenses/${gone.id}/`);
  // Checks of programs are stored within ten seconds, or when the server ends.
  await t.app.close();
  await runJob(t.context, backupJob);
  const [name] = readdirSync(copies.BACKUP_DIR);
  return { t, copies, license, gone, name: name!, file: join(copies.BACKUP_DIR, name!) };
}

const sqliteIn = (folder: string): Engine => ({ kind: 'sqlite', file: join(folder, DATABASE_FILE) });

test('a backup copy restores into SQLite with equal rows, working searches and continued ids (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { t, copies, license, gone, name } = await copied();
  const dataDir = emptyFolder();
  const listed = await restore({ ...copies, DATA_DIR: dataDir });
  expect(listed).toEqual({ code: 0, output: expect.stringContaining(name) });
  expect(await restore({ ...copies, DATA_DIR: dataDir }, name)).toEqual({
    code: 0,
    output: expect.stringContaining('Copia restaurada'),
  });
  expect(readFileSync(join(dataDir, 'secret.key'))).toEqual(
    readFileSync(join(t.context.config.dataDir, 'secret.key')),
  );
  const db = openForTest(sqliteIn(dataDir));
  expect(await contentOf(db, NOTHING)).toEqual(await contentOf(t.db, NOTHING));
  const word = license.license_key.slice(0, 5).toLowerCase();
  const { rows } = await sql<{
    id: number;
  }>`select id from ${idsFoundBy('licenses', [word])}`.execute(db);
  expect(rows.map(({ id }) => id)).toContain(license.id);
  // Triggers work, and no id is used twice.
  const file = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  onTestFinished(() => void file.close());
  expect(file.pragma('foreign_key_check')).toEqual([]);
  expect(file.prepare("select seq from sqlite_sequence where name = 'licenses'").pluck().get()).toBe(gone.id);
  const made = openForTest(sqliteIn(emptyFolder()));
  await migrate(made);
  const { rows: triggers } = await sql<{ name: string }>`${sql.raw(TRIGGERS)}`.execute(made);
  expect(file.prepare(TRIGGERS).all()).toEqual(triggers);
});

test.runIf(onPostgres)(
  'copies of both engines restore into PostgreSQL with equal rows (OPS-03)',
  async () => {
    const { t, copies, name, gone } = await copied();
    const first = await createDatabase();
    onTestFinished(first.drop);
    const env = { ...copies, DATA_DIR: emptyFolder() };
    expect((await restore({ ...env, DATABASE_URL: first.url }, name)).output).toContain(
      'Copia restaurada en PostgreSQL',
    );
    const here = await contentOf(t.db, DERIVED);
    const db = openDatabase({ kind: 'postgres', url: first.url, pool: 2 }, () => {});
    expect(await contentOf(db, DERIVED)).toEqual(here);
    const { rows } = await sql<{ n: number }>`
    select last_value as n from ${sql.raw('licenses_id_seq')}`.execute(db);
    expect(rows[0]!.n).toBe(gone.id);
    await db.destroy();

    // The other direction: a copy of a SQLite installation is restored into PostgreSQL.
    const small = emptyFolder();
    expect((await restore({ ...copies, DATA_DIR: small }, name)).code).toBe(0);
    const file = join(emptyFolder(), 'copy.sqlite');
    const outcome = await makeCopy(
      { engine: sqliteIn(small), draft: `${file}.tmp`, file, rowsMax: 1 },
      new AbortController().signal,
    );
    expect(outcome.kind).toBe('made');
    // Restored into the first database again, whose data is replaced.
    const again = { ...env, DATABASE_URL: first.url };
    expect(await restore(again, file)).toEqual({
      code: 1,
      output: expect.stringContaining('agrega --replace'),
    });
    expect((await restore(again, file, '--replace')).output).toContain('Copia restaurada en PostgreSQL');
    const replaced = openForTest({ kind: 'postgres', url: first.url, pool: 2 });
    expect(await contentOf(replaced, DERIVED)).toEqual(here);
  },
);

test('a target with data is replaced only with --replace or a confirmation, and its old content is moved aside (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const { copies, name, file } = await copied();
  const dataDir = emptyFolder();
  const env = { ...copies, DATA_DIR: dataDir };
  expect((await restore(env, name)).code).toBe(0);
  writeFileSync(join(dataDir, 'secret.key'), `${'otra'.repeat(12)}\n`);
  expect(await restore(env, name)).toEqual({ code: 1, output: expect.stringContaining('--replace') });
  expect(readdirSync(dataDir).filter((file) => file.includes('anterior'))).toEqual([]);
  expect(await restore(env, name, '--replace')).toEqual({
    code: 0,
    output: expect.stringContaining('Copia restaurada'),
  });
  const aside = readdirSync(dataDir).filter((file) => file.includes('.anterior-'));
  expect(aside.map((file) => file.replace(/\.anterior-.*/, '')).sort()).toEqual([
    DATABASE_FILE,
    'secret.key',
  ]);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).not.toContain('otra');
  // A damaged copy does not change the existing data.
  const damaged = join(emptyFolder(), 'copy');
  writeFileSync(damaged, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 7)]));
  expect((await restore(env, damaged, '--replace')).code).toBe(1);
  // Nor does one of a newer program.
  copyFileSync(file, damaged);
  const copy = new Database(damaged);
  copy.exec("insert into kysely_migration values ('999-later', '2027-01-01')");
  copy.close();
  const before = readdirSync(dataDir);
  expect(await restore(env, damaged, '--replace')).toEqual({
    code: 1,
    output: expect.stringContaining('versión más nueva del programa (999-later)'),
  });
  expect(readdirSync(dataDir)).toEqual(before);
  expect(existsSync(join(dataDir, DATABASE_FILE))).toBe(true);
});

test.runIf(onPostgres)(
  'a database with open connections is not replaced (OPS-03)',
  { tags: [NIGHT] },
  async () => {
    const { copies, name } = await copied();
    const database = await createDatabase();
    onTestFinished(database.drop);
    const env = { ...copies, DATA_DIR: emptyFolder(), DATABASE_URL: database.url };
    expect((await restore(env, name)).code).toBe(0);
    const db = openDatabase({ kind: 'postgres', url: database.url, pool: 2 }, () => {});
    await sql`select 1`.execute(db);
    expect(await restore(env, name, '--replace')).toEqual({
      code: 1,
      output: expect.stringContaining('está en uso'),
    });
    await db.destroy();
  },
);

test('a file whose last commits are in its write-ahead log is restored with them (OPS-03)', async () => {
  const { file } = await copied();
  const live = join(emptyFolder(), DATABASE_FILE);
  copyFileSync(file, live);
  const writer = new Database(live);
  onTestFinished(() => void writer.close());
  writer.pragma('journal_mode = WAL');
  writer.exec('create table last_commit (at text)');
  // As after kill -9: the files as they are while the database is open.
  const left = join(emptyFolder(), 'left.sqlite');
  for (const end of ['', '-wal']) copyFileSync(`${live}${end}`, `${left}${end}`);
  const dataDir = emptyFolder();
  expect((await restore({ DATA_DIR: dataDir }, left)).code).toBe(0);
  const restored = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  onTestFinished(() => void restored.close());
  expect(restored.prepare('select count(*) from last_commit').pluck().get()).toBe(0);
});

test('a copy by hand in BACKUP_DIR is restored with the key beside it (OPS-03)', {
  tags: [NIGHT],
}, async () => {
  const { copies, file } = await copied();
  const byHand = join(copies.BACKUP_DIR, 'antes');
  copyFileSync(file, byHand);
  writeFileSync(`${byHand}.key`, `${'mano'.repeat(12)}\n`);
  const dataDir = emptyFolder();
  expect((await restore({ ...copies, DATA_DIR: dataDir }, byHand)).code).toBe(0);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toContain('mano');
});

test.runIf(process.getuid?.() === 0)(
  'what root restores belongs to the owner of the data folder (OPS-03)',
  { tags: [NIGHT] },
  async () => {
    const { copies, name } = await copied();
    const dataDir = emptyFolder();
    chownSync(dataDir, 65_534, 65_534);
    expect((await restore({ ...copies, DATA_DIR: dataDir }, name)).code).toBe(0);
    const owners = readdirSync(dataDir).map((file) => [file, statSync(join(dataDir, file)).uid]);
    expect(Object.fromEntries(owners)).toEqual({
      [DATABASE_FILE]: 65_534,
      'secret.key': 65_534,
      'server.lock': 65_534,
    });
  },
);

test('without BACKUP_DIR no copies can be listed, and an unknown option is refused (OPS-03)', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const env = { DATA_DIR: emptyFolder() };
  expect(await restore(env)).toEqual({ code: 1, output: expect.stringContaining('Sin BACKUP_DIR') });
  expect(await restore(env, 'copia', '--force')).toEqual({
    code: 1,
    output: expect.stringContaining('Uso:'),
  });
  const folder = emptyFolder();
  const empty = { ...env, BACKUP_DIR: folder, BACKUP_KEY_DIR: emptyFolder() };
  expect(await restore(empty)).toEqual({ code: 0, output: expect.stringContaining('No hay copias') });
});
