import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { BASELINE } from '../../server/db/migrations/baseline.ts';
import { migrate, migrationState } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import { makeSchemaBeforeBaseline } from '../released.ts';
import type { ServerEnv } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

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

test.for(ENGINES)(
  'an upgrade from 0.3.0 killed half-way leaves its database or the new one, and the next start finishes it, %s',
  async (engine, context) => {
    const namesOf = async (db: Kysely<Tables>) => (await migrationState(db)).applied.sort();
    const oldDatabase = async () => {
      const env = { ...(await engineEnv(engine)), DATA_DIR: emptyFolder() };
      const names = await withDatabase({ dataDir: env.DATA_DIR }, env, async (db) => {
        await makeSchemaBeforeBaseline(db);
        return namesOf(db);
      });
      return { env, names };
    };
    const whole = await migrateAndDie((await oldDatabase()).env, 0);
    const found = new Set<number>();
    for (let at = 1; at <= whole.statements; at += 1) {
      const { env, names } = await oldDatabase();
      expect((await migrateAndDie(env, at)).killed).toBe(true);
      await withDatabase({ dataDir: env.DATA_DIR }, env, async (db) => {
        const left = await namesOf(db);
        found.add(left.length);
        if (left.length > 1) expect(left).toEqual(names);
        else expect(left).toEqual([BASELINE]);
        await migrate(db);
        expect((await migrationState(db)).missing).toEqual([]);
      });
    }
    record(context, {
      promise:
        'upgrade from 0.3.0 killed half-way: its database is intact or taken over, and the next start finishes',
      engine,
      tried: `${whole.statements} kills, one after each statement; ${found.size} states found`,
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
