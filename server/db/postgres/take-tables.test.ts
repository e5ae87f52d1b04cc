import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { laterMigrations } from '../../../test/later-migrations.ts';
import { migrateTo } from '../../../test/released.ts';
import { describeSchema } from '../../../test/schema.ts';
import type { Engine } from '../dialect.ts';
import { BASELINE } from '../migrations/baseline.ts';
import { migrate, migrateNext } from '../open.ts';
import type { Tables } from '../tables.ts';
import { takeTables } from './take-tables.ts';

vi.setConfig({ testTimeout: 60_000 });

type Postgres = Extract<Engine, { kind: 'postgres' }>;

/** What a later version adds: it changes tables that each write of a record reads or writes. */
const LATER = laterMigrations({
  '901-later-columns': `alter table clients add column later text;

    alter table licenses add column later text;

    update licenses set later = 'x' where id < 0;

    create index licenses_by_later on licenses (later);`,
  '902-later-table': `create table later (id bigint primary key, user_id bigint not null references users (id));

    alter table users add column later text;

    alter table outbox add column later text;`,
});

/** A database of this version. The migrations get one connection, so that its settings can be read afterwards. */
async function databaseBefore() {
  const engine = { ...(await emptyDatabase()), pool: 1 } as Postgres;
  const db = openForTest(engine);
  await migrate(db);
  return { engine, db };
}

/** A transaction of an older program; `writes` takes the lock on a table that every write of a row takes. */
async function openWriter(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  return {
    writes: async (table: string) => {
      await client.query(`lock table ${pg.escapeIdentifier(table)} in row exclusive mode`);
    },
    /** Gives the transaction its number, as its first written row does. */
    takesNumber: () => client.query('select pg_current_xact_id()'),
    /** Fails if it had to wait. */
    readsAtOnce: async (table: string) => {
      await client.query(`lock table ${pg.escapeIdentifier(table)} in access share mode nowait`);
    },
    /** As a foreign key does; fails if it had to wait. */
    refersAtOnce: async (table: string) => {
      await client.query(`lock table ${pg.escapeIdentifier(table)} in row share mode nowait`);
    },
    commit: () => client.query('commit'),
  };
}

/**
 * Watches the locks of other connections. It is opened before the wait that it is to see begins, because that lasts only
 * for a time, and opening a connection may take longer.
 */
async function openLocks(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const until = (table: string, condition: string) => {
    const locks = async () =>
      (
        await client.query(
          `select 1 from pg_locks where relation = to_regclass($1) and ${condition}
            and database = (select oid from pg_database where datname = current_database())`,
          [table],
        )
      ).rows;
    return expect.poll(locks, { interval: 5 }).not.toEqual([]);
  };
  return {
    /** Waits until another connection waits for a table. */
    untilAwaited: (table: string) => until(table, 'not granted'),
    /** Waits until another connection has shut out the writers of a table. */
    untilTaken: (table: string) => until(table, "mode = 'ExclusiveLock' and granted"),
  };
}

/** As often as takeTables was tried before its waits become long. */
const LATER_TRY = 99;

const settingsOf = async (db: Kysely<Tables>) =>
  (
    await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('lock_timeout', 'statement_timeout') order by name`.execute(db)
  ).rows;

async function expectedSchema(): Promise<string[]> {
  const fresh = openForTest(await emptyDatabase());
  await migrate(fresh);
  await migrate(fresh, () => {}, LATER);
  return describeSchema(fresh);
}

describe.runIf(process.env.TEST_ENGINE === 'postgres')(
  'migrations beside an older program (promises)',
  () => {
    test('two replicas wait for a writer without holding what it needs next', async () => {
      const { engine, db } = await databaseBefore();
      const settings = await settingsOf(db);
      const locks = await openLocks(engine.url);
      const writer = await openWriter(engine.url);
      await writer.writes('clients');

      const migrated = Promise.all([
        migrate(db, () => {}, LATER),
        migrate(openForTest(engine), () => {}, LATER),
      ]);
      await locks.untilAwaited('clients');
      for (const table of ['licenses', 'license_terms', 'installations', 'events', 'outbox', 'jobs']) {
        await writer.writes(table);
      }
      await writer.commit();
      await migrated;

      expect(await describeSchema(db)).toEqual(await expectedSchema());
      expect(await settingsOf(db)).toEqual(settings);
    });

    test('a migration that waits for a licence does not hold the users that its mail refers to', async () => {
      const { engine, db } = await databaseBefore();
      const locks = await openLocks(engine.url);
      const writer = await openWriter(engine.url);
      await writer.writes('licenses');
      const waits = db.transaction().execute((tx) => takeTables(tx, 'users clients licenses', LATER_TRY));
      await locks.untilAwaited('licenses');
      await writer.refersAtOnce('users');
      await writer.commit();
      await waits;
    });

    test('a migration breaks off no transaction that has read a table and then writes it', async () => {
      const { engine, db } = await databaseBefore();
      const take = () => db.transaction().execute((tx) => takeTables(tx, 'outbox', LATER_TRY));
      const locks = await openLocks(engine.url);
      const writer = await openWriter(engine.url);
      await writer.takesNumber();
      await writer.readsAtOnce('outbox');
      const waits = take();
      const outcome = expect(waits).rejects.toMatchObject({ name: 'BusyTablesError' });
      await locks.untilTaken('outbox');
      await writer.writes('outbox');
      await outcome;
      await writer.commit();
      await take();
    });

    test('a migration gives way to a writer in another order, and is repeated', async () => {
      const { engine, db } = await databaseBefore();
      const locks = await openLocks(engine.url);
      const writer = await openWriter(engine.url);
      await writer.writes('licenses');

      const reasons: unknown[] = [];
      const migrated = migrate(db, (reason) => reasons.push(reason), LATER);
      await locks.untilAwaited('licenses');
      // The activation of a program locks its licence and reads the client.
      await writer.readsAtOnce('clients');
      await writer.writes('clients');
      // The writer still has the licences, so the migration is repeated at least once.
      await expect.poll(() => reasons).not.toEqual([]);
      await writer.writes('users');
      await writer.commit();
      await migrated;

      for (const reason of reasons) expect(reason).toMatchObject({ name: 'BusyTablesError' });
      expect(await describeSchema(db)).toEqual(await expectedSchema());
    });

    test('each migration takes first all tables whose rows or columns it changes', async () => {
      const db = openForTest(await emptyDatabase());
      // The first makes a schema where there is none, and nobody works.
      await migrateTo(db, BASELINE);
      for (let migrated = 0; ; migrated += 1) {
        const { isLeft, late } = await db.transaction().execute(async (tx) => ({
          isLeft: await migrateNext(tx, 0, LATER),
          late: await weaklyLocked(tx),
        }));
        if (!isLeft) {
          expect(migrated).toBeGreaterThan(1);
          return;
        }
        expect(late).toEqual([]);
      }
    });
  },
);

/** The tables in which a transaction changed something, or kept rows from deletion, without holding them for itself. */
async function weaklyLocked(tx: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select relname as "table" from pg_locks join pg_class on pg_class.oid = relation
    where pid = pg_backend_pid() and relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not like 'kysely_%'
    group by relname
    having bool_or(mode <> 'AccessShareLock') and not bool_or(mode = 'AccessExclusiveLock')`.execute(tx);
  return rows.map(({ table }) => table);
}
