import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase, openForTest as open } from '../../test/empty-database.ts';
import { laterMigrations } from '../../test/later-migrations.ts';
import { describeSchema } from '../../test/schema.ts';
import { forLongWork as forLongWorkOf, isUnavailable, oneReplicaAtATime } from './dialect.ts';
import {
  DATABASE_FILE,
  engineOf,
  migrate,
  migrationState,
  NewerSchemaError,
  openDatabases,
  prepareDataDir,
} from './open.ts';

test('three servers that start together on an empty database migrate it once (promises)', async () => {
  // As at a start: who waits for the first must not lose patience after some seconds.
  const engine = forLongWorkOf(await emptyDatabase());
  const replicas = [open(engine), open(engine), open(engine)];
  await Promise.all(replicas.map((db) => migrate(db)));
  const [first] = replicas;
  const applied = await first!
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  expect(new Set(applied.map((row) => row.name)).size).toBe(applied.length);
  expect(await first!.selectFrom('licenses').selectAll().execute()).toEqual([]);
});

test('a schema of a newer version is refused and left unchanged (promises)', async () => {
  const db = open(await emptyDatabase());
  await migrate(db);
  await db
    .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
    .insertInto('kysely_migration')
    .values({ name: '999-del-futuro', timestamp: '2030-01-01T00:00:00.000Z' })
    .execute();
  await expect(migrate(db)).rejects.toThrow(NewerSchemaError);
  await expect(migrate(db)).rejects.toThrow('999-del-futuro');
});

test('a migration that fails leaves a schema from which the next start goes on (promises)', async () => {
  const later = laterMigrations({
    '901-first': 'create table first_of_later (id integer);',
    '902-second': 'create table second_of_later (id integer);',
  });
  const fresh = open(await emptyDatabase());
  await migrate(fresh);
  await migrate(fresh, () => {}, later);
  const db = open(await emptyDatabase());
  await migrate(db);
  const before = (await migrationState(db, later)).applied;
  await sql`create table second_of_later (codigo integer)`.execute(db);
  await expect(migrate(db, () => {}, later)).rejects.toThrow(/second_of_later/);

  const isOneByOne = process.env.TEST_ENGINE === 'postgres';
  expect((await migrationState(db, later)).applied).toEqual([
    ...before,
    ...(isOneByOne ? ['901-first'] : []),
  ]);
  await sql`drop table second_of_later`.execute(db);
  await migrate(db, () => {}, later);
  expect(await describeSchema(db)).toEqual(await describeSchema(fresh));
});

test('a database with tables of another application is refused and left unchanged (promises)', async () => {
  const db = open(await emptyDatabase());
  await sql`create table clients (codigo integer)`.execute(db);
  await expect(migrate(db)).rejects.toThrow(/clients/);
  const tables = await db.introspection.getTables();
  expect(tables.map((table) => [table.name, table.columns.map((column) => column.name)])).toEqual([
    ['clients', ['codigo']],
  ]);
});

test('replicas run their start tasks one after another, also when one of them fails (promises)', async () => {
  const engine = await emptyDatabase();
  const replicas = engine.kind === 'postgres' ? [open(engine), open(engine), open(engine)] : [open(engine)];
  let running = 0;
  const work = (number: number) => async () => {
    running += 1;
    const most = running;
    await delay(50);
    running -= 1;
    if (number === 1) throw new Error('no');
    return most;
  };

  const outcomes = await Promise.allSettled(
    replicas.map((db, number) => oneReplicaAtATime(db, work(number))),
  );

  for (const [number, outcome] of outcomes.entries()) {
    expect(outcome).toMatchObject(number === 1 ? { reason: new Error('no') } : { value: 1 });
  }
});

test('the data folder is readable by its owner only, and too open permissions are corrected', () => {
  const parent = mkdtempSync(join(tmpdir(), 'license-manager-open-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const directory = join(parent, 'a', 'b');
  prepareDataDir(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  chmodSync(directory, 0o755);
  prepareDataDir(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('DATABASE_URL selects PostgreSQL, and without it the database is a file in DATA_DIR', () => {
  const config = { databaseUrl: null, databasePool: 3, dataDir: '/datos' };
  expect(engineOf(config)).toEqual({ kind: 'sqlite', file: `/datos/${DATABASE_FILE}` });
  expect(engineOf({ ...config, databaseUrl: 'postgres://x/y' })).toEqual({
    kind: 'postgres',
    url: 'postgres://x/y',
    pool: 3,
    pooler: null,
  });
});

test('long-running work uses separate PostgreSQL connections with a longer timeout (promises)', async () => {
  const engine = await emptyDatabase();
  const { db, forLongWork, close } = openDatabases(engine, () => {});
  onTestFinished(close);
  if (engine.kind === 'sqlite') {
    expect(forLongWork).toBe(db);
    return;
  }
  const timeoutOf = async (of: typeof db) =>
    (
      await sql<{
        ms: number;
      }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(of)
    ).rows[0]!.ms;
  const [short, long] = [await timeoutOf(db), await timeoutOf(forLongWork)];
  expect(short).toBeGreaterThan(0);
  expect(long === 0 || long > short).toBe(true);
});

test('errors that a retry can solve are distinguished from others', () => {
  const withCode = (code: unknown) => Object.assign(new Error('no'), { code });
  for (const code of [
    '08006',
    '53300',
    '57P01',
    '40P01',
    '40001',
    '57014',
    '25P03',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'SQLITE_FULL',
    'SQLITE_BUSY',
    'SQLITE_IOERR_WRITE',
  ]) {
    expect(isUnavailable(withCode(code)), code).toBe(true);
  }
  for (const code of ['23505', '42P01', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', 'ENOENT']) {
    expect(isUnavailable(withCode(code)), code).toBe(false);
  }
  expect(isUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isUnavailable(new Error('timeout exceeded when trying to connect'))).toBe(true);
  expect(isUnavailable(new Error('timeout expired'))).toBe(true);
  expect(isUnavailable(withCode(7))).toBe(false);
  expect(isUnavailable(new Error('other'))).toBe(false);
  expect(isUnavailable('text')).toBe(false);
  expect(isUnavailable(null)).toBe(false);
});

test('an unreachable database is reported as unavailable', async () => {
  const db = open({ kind: 'postgres', url: 'postgres://nadie@127.0.0.1:1/nada', pool: 2 });
  const failure = await db
    .selectFrom('users')
    .selectAll()
    .execute()
    .catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
});
