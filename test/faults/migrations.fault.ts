import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { migrationFiles } from '../../server/db/migrations/index.ts';
import { migrate, migrationState } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import { migrateTo, RELEASE_BEFORE } from '../released.ts';
import type { ServerEnv } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

/** How often an upgrade is killed. */
const KILLS = 6;

const root = join(import.meta.dirname, '..', '..');

/**
 * Runs a migration that kills itself after a number of statements, and returns the outcome. A migration that completes
 * reports its number of statements.
 */
async function migrateAndDie(env: ServerEnv, statements: number) {
  const child = spawn(process.execPath, ['test/faults/migrate-and-die.ts', String(statements)], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [, signal] = await once(child, 'close');
  return { killed: signal === 'SIGKILL', statements: Number(output) };
}

function emptyFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lm-migrate-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.for(ENGINES)(
  'a migration killed half-way leaves the old schema, and the next start finishes it, %s',
  async (engine, context) => {
    const whole = await migrateAndDie({ ...(await engineEnv(engine)), DATA_DIR: emptyFolder() }, 0);
    expect(whole.statements).toBeGreaterThan(30);
    let kills = 0;

    for (let at = 1; at <= whole.statements; at += 6) {
      const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
      expect((await migrateAndDie(env, at)).killed).toBe(true);
      kills += 1;
      const tables = await withDatabase({ dataDir: env.DATA_DIR }, env, async (db) => {
        const before = (await db.introspection.getTables()).map(({ name }) => name);
        await migrate(db);
        const after = (await db.introspection.getTables()).map(({ name }) => name);
        return { before, after };
      });
      // Either the old schema (no tables) or the new one, never a part of it.
      expect([0, tables.after.length]).toContain(tables.before.length);
      expect(tables.after).toContain('licenses');
      record(context, {
        promise: 'migration killed half-way: the old schema is intact and the next start finishes',
        engine,
        tried: `${kills} kills, one after every sixth of ${whole.statements} statements`,
      });
      if (at === 1 || at + 6 > whole.statements) {
        const server = await startForTest(env);
        await newLicense(server, (await signIn(server)).token);
        await server.stop();
      }
    }
  },
);

/** The number of applied migrations, and the tables that there are. */
async function stateOf(db: Kysely<Tables>) {
  const { applied } = await migrationState(db);
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  return { applied: applied.length, tables: tables.sort() };
}

test.for(ENGINES)(
  'an upgrade killed half-way leaves whole migrations, and the next start finishes it, %s',
  { timeout: 550_000 },
  async (engine, context) => {
    const oldDatabase = async () => {
      const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
      await withDatabase({ dataDir: env.DATA_DIR }, env, (db) => migrateTo(db, RELEASE_BEFORE.last));
      return env;
    };
    // What each number of applied migrations has for tables.
    const tablesAfter = new Map<number, string[]>();
    const steps = await oldDatabase();
    await withDatabase({ dataDir: steps.DATA_DIR }, steps, async (db) => {
      for (;;) {
        const { applied, tables } = await stateOf(db);
        tablesAfter.set(applied, tables);
        const next = [...migrationFiles().keys()][applied];
        if (next === undefined) break;
        await migrateTo(db, next);
      }
    });
    const least = Math.min(...tablesAfter.keys());
    const most = migrationFiles().size;
    const whole = await migrateAndDie(await oldDatabase(), 0);
    let kills = 0;
    const halfWay = new Set<number>();

    for (let at = 1; at <= whole.statements; at += Math.ceil(whole.statements / KILLS)) {
      const env = await oldDatabase();
      expect((await migrateAndDie(env, at)).killed).toBe(true);
      kills += 1;
      await withDatabase({ dataDir: env.DATA_DIR }, env, async (db) => {
        const { applied, tables } = await stateOf(db);
        expect(tables).toEqual(tablesAfter.get(applied));
        if (applied > least && applied < most) halfWay.add(applied);
        await migrate(db);
        expect((await stateOf(db)).tables).toEqual(tablesAfter.get(most));
      });
    }
    // A SQLite file is migrated in one transaction.
    expect(halfWay.size > 0).toBe(engine === 'postgres');
    record(context, {
      promise: 'upgrade killed half-way: every migration is whole or not there, and the next start finishes',
      engine,
      tried: `${kills} kills, spread over ${whole.statements} statements; ${halfWay.size} different states between`,
    });
  },
);

test('replicas that start together on an empty database migrate it once', async (context) => {
  const ROUNDS = 3;
  const TOGETHER = 4;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const env = { ...(await engineEnv('postgres')), ...SHARED };
    const servers = await Promise.all(Array.from({ length: TOGETHER }, () => startForTest(env)));
    const { migrations, users, software } = await withDatabase(servers[0]!, env, async (db) => ({
      migrations: await db
        .withTables<{ kysely_migration: { name: string } }>()
        .selectFrom('kysely_migration')
        .select('name')
        .execute(),
      users: await db.selectFrom('users').select('username').execute(),
      software: await db.selectFrom('software').select('identity_key').execute(),
    }));
    expect(migrations.length).toBeGreaterThan(0);
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length);
    expect(users).toHaveLength(1);
    expect(new Set(software.map((row) => row.identity_key)).size).toBe(software.length);
    record(context, {
      promise:
        'replicas that start together migrate once, and make the first account and the sample data once',
      engine: 'postgres',
      tried: `${round} times ${TOGETHER} processes on an empty database`,
    });
    await Promise.all(servers.map((server) => server.stop()));
  }
});
