import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { beforeAll, expect, test } from 'vitest';
import { migrationsIn } from '../../server/db/migrations/index.ts';
import { migrate, migrationState } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';
import { contentOf, runCopyIn } from '../copy-commands.ts';
import { emptyFolder } from '../empty-folder.ts';
import { markJobs } from '../released.ts';
import { describeSchema, rowsOf } from '../schema.ts';
import type { RunningServer, ServerEnv } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, connections, newClient, newLicense, percentile, signIn } from './http.ts';
import { installLastRelease } from './last-release.ts';
import { seconds } from './programs.ts';
import { record } from './promises.ts';
import { missingRows, withDatabase } from './stored-rows.ts';

/** Upgrades from the last release to this program, with the real files of both. */

const ROUNDS = Number(process.env.LM_FAULT_ROUNDS ?? 5);
const CALLS_PER_SECOND = 30;
/** The part of the calls that may be answered with 503. */
const LATER_MAX = 0.01;
/** How many machines the database with unfinished jobs has. */
const MACHINES = 40;
/** How long the load runs before the new replicas start, and after they answer. */
const AROUND_MS = 2000;

let old: Awaited<ReturnType<typeof installLastRelease>>;

beforeAll(async () => {
  old = await installLastRelease();
  return old.remove;
}, 600_000);

type Call = { status: number | null; text: string; ms: number };

/** Calls of staff and programs at a fixed rate, whether or not earlier ones were answered. */
async function startLoad(server: RunningServer) {
  const { token } = await signIn(server);
  const license = await newLicense(server, token, { max_installations: 1000 });
  const make = async (path: string, body: unknown): Promise<number> =>
    (await call(server, 'POST', path, { token, body })).body.id;
  const client = await make('/licenses/api/clients/', newClient());
  const software = await make('/licenses/api/software/', { name: 'Caja', version: '9.0' });
  const agent = connections(64);
  const clients = new Set<number>();
  const licenses = new Set<number>();
  const calls: Call[] = [];
  const seats: string[] = [];
  const seat = (machine_id: string) => ({ license_key: license.license_key, machine_id });

  const send = async (method: string, path: string, body?: unknown) => {
    const began = performance.now();
    const answer = await call(server, method, path, { token, agent, body }).catch((error: unknown) => error);
    const ms = performance.now() - began;
    if (answer instanceof Error) {
      calls.push({ status: null, text: answer.message, ms });
      return null;
    }
    const { status, text, body: answered } = answer as Awaited<ReturnType<typeof call>>;
    calls.push({ status, text: status < 400 ? '' : text, ms });
    return status < 400 ? answered : null;
  };
  const turns = [
    async () => {
      const made = await send('POST', '/licenses/api/clients/', newClient());
      if (made) clients.add(made.id);
    },
    async () => {
      const body = { license_type: 'premium', price: 100, client, software };
      const made = await send('POST', '/licenses/api/licenses/', body);
      if (made) licenses.add(made.id);
    },
    () => send('GET', '/licenses/api/licenses/?page_size=20'),
    async (n: number) => {
      const machine = `equipo-${n}`;
      if (await send('POST', '/licenses/api/installations/', seat(machine))) seats.push(machine);
    },
    (n: number) => send('POST', '/licenses/api/license/validate/', seat(seats[n % seats.length] ?? 'otro')),
    () => send('GET', '/licenses/api/clients/?page_size=20'),
    // What 0.3.0 asks differently until its jobs have ended.
    () => send('GET', '/licenses/api/clients/?search=N%C3%BA%C3%B1ez+S.A.'),
    (n: number) => send('GET', `/licenses/api/installations/?machine_id=EQUIPO-${n}`),
  ];
  const running: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const n = running.length;
    running.push(turns[n % turns.length]!(n));
  }, 1000 / CALLS_PER_SECOND);
  return {
    clients,
    licenses,
    calls,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
    },
  };
}

test('replicas of this version start beside the last release under load', {
  timeout: ROUNDS * 120_000,
}, async (context) => {
  const starts: number[] = [];
  const calls: Call[] = [];
  let repeats = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const env: ServerEnv = { ...(await engineEnv('postgres')), ...SHARED };
    const before = await startForTest(env, old.root);
    const load = await startLoad(before);
    await setTimeout(AROUND_MS);

    const began = performance.now();
    const replicas = await Promise.all([startForTest(env), startForTest(env)]);
    starts.push(performance.now() - began);
    await setTimeout(AROUND_MS);
    await load.stop();

    calls.push(...load.calls);
    const later = calls.filter(({ status }) => status === 503);
    const failed = calls.filter(({ status }) => status !== 503 && (status === null || status >= 400));
    repeats += replicas.map(({ output }) => output().split('se repite').length - 1).reduce((a, b) => a + b);
    record(context, {
      promise: `two replicas start together beside the last release (${old.version}) under load: each start succeeds, no request fails but for a few 503`,
      engine: 'postgres',
      tried:
        `${round} starts, ${CALLS_PER_SECOND} calls a second; up after ${seconds(Math.min(...starts))} to ${seconds(Math.max(...starts))}, ` +
        `${repeats} repeated migrations; ${calls.length} calls, slowest ${seconds(
          percentile(
            calls.map(({ ms }) => ms),
            1,
          ),
        )}, ${later.length} of them 503, ${failed.length} failed`,
    });
    expect(failed).toEqual([]);
    // A request that waits for a migration on a busy machine may be asked to come again.
    expect(later.length / calls.length, before.output().slice(-4000)).toBeLessThan(LATER_MAX);
    expect(before.output()).not.toMatch(/deadlock|cached plan/);
    expect(await missingRows(replicas[0], env, 'clients', load.clients)).toEqual([]);
    expect(await missingRows(replicas[0], env, 'licenses', load.licenses)).toEqual([]);
    expect(load.licenses.size).toBeGreaterThan(0);
    expect((await withDatabase(replicas[0], env, migrationState)).missing).toEqual([]);
    await newLicense(replicas[1], (await signIn(replicas[1])).token);
    for (const server of [before, ...replicas]) await server.stop();
  }
});

/** The marks that jobs of the last release left, and the rows that one of them has not filled. */
async function unfinished(server: { dataDir: string }, env: ServerEnv): Promise<number> {
  return withDatabase(server, env, async (db) => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from folds where ended_at is null)
        + (select count(*) from installations where machine_key is null) as n`.execute(db);
    return Number(rows[0]!.n);
  });
}

/** What a database that was taken over has more than a new one, because processes of 0.3.0 that still run read it. */
const LEFT = /\bfolds\b|\binstallations_without_key\b/;

/** What the jobs of 0.3.0 leave in a new installation (`endFoldsOfNew` in its server/db/folds.ts). */
async function endJobs(db: Kysely<Tables>): Promise<void> {
  await sql`create unique index if not exists installations_by_machine_key
    on installations (machine_key, license_id) where machine_key is not null`.execute(db);
  await sql`create unique index if not exists trials_by_machine_key on trials (code, machine_key) where machine_key is not null`.execute(
    db,
  );
  await sql`create index if not exists installations_without_key on installations (machine_id) where machine_key is null`.execute(
    db,
  );
  await sql`drop index if exists installations_by_machine`.execute(db);
  await markJobs(db);
}

// It goes with the first migration after the baseline: the release before is another one then.
test.for(ENGINES)(
  'the baseline makes the schema and the first rows of the migrations of 0.3.0, %s',
  async (engine, context) => {
    const madeBy = async (make: (db: Kysely<Tables>) => Promise<void>) => {
      const env: ServerEnv = await engineEnv(engine);
      return withDatabase({ dataDir: emptyFolder() }, env, async (db) => {
        await make(db);
        return { schema: await describeSchema(db), rows: await rowsOf(db) };
      });
    };
    const upgraded = await madeBy(async (db) => {
      const provider = migrationsIn(join(old.root, 'server', 'db', 'migrations'));
      const { error } = await new Migrator({ db, provider }).migrateToLatest();
      if (error) throw error;
      await endJobs(db);
      await migrate(db);
    });
    const fresh = await madeBy((db) => migrate(db));
    // SQLite's list of indexes in their order names one that is left.
    const schema = upgraded.schema.map((part) => part.replace(/, ?installations_without_key/, ''));
    expect(schema.filter((part) => !LEFT.test(part))).toEqual(fresh.schema);
    expect(upgraded.rows).toEqual(fresh.rows);
    record(context, {
      promise: 'the baseline makes the schema and the first rows that the migrations of 0.3.0 make',
      engine,
      tried: `${fresh.schema.length} parts of the schema compared`,
    });
  },
);

test.for(ENGINES)(
  'a database whose jobs have not ended is refused; the last release ends them and all rows are there, %s',
  { timeout: 600_000 },
  async (engine, context) => {
    const env: ServerEnv = { ...(await engineEnv(engine)), ...SHARED, DATA_DIR: emptyFolder() };
    const before = await startForTest(env, old.root);
    const { token } = await signIn(before);
    const license = await newLicense(before, token, { max_installations: MACHINES });
    for (let n = 0; n < MACHINES; n += 1) {
      const body = { license_key: license.license_key, machine_id: `Caja-${n}` };
      expect((await call(before, 'POST', '/licenses/api/installations/', { token, body })).status).toBe(201);
    }
    await before.stop();
    // As 0.2.0 wrote them, with a job that has filled some.
    await withDatabase(before, env, async (db) => {
      await sql`update installations set machine_key = null where id % 4 <> 0`.execute(db);
      await sql`update clients set search_text = lower(name)`.execute(db);
      await sql`update folds set ended_at = null, clean_at = null`.execute(db);
    });
    const content = await contentOf(env);

    await expect(startForTest(env)).rejects.toThrow(
      'La base de datos es de la versión 0.3.0, cuyos trabajos no han terminado: «Identificadores de equipos de antes», ' +
        '«Textos de búsqueda», «Referencias de pagos».',
    );
    expect(await contentOf(env)).toEqual(content);

    const began = performance.now();
    const again = await startForTest(env, old.root);
    while ((await unfinished(again, env)) > 0) await setTimeout(1000);
    const ended = performance.now() - began;
    await again.stop();
    const filled = await contentOf(env);

    const after = await startForTest(env);
    const upgraded = await contentOf(env);
    expect(upgraded).toEqual(filled);
    const seats = upgraded.installations!.filter(({ license_id }) => license_id === license.id);
    expect(seats.map(({ machine_key }) => machine_key).sort()).toEqual(
      Array.from({ length: MACHINES }, (_, n) => `caja-${n}`).sort(),
    );
    expect(upgraded.installations!.filter(({ machine_key }) => machine_key === null)).toEqual([]);
    const own = (await signIn(after)).token;
    const found = await call(after, 'GET', '/licenses/api/installations/?machine_id=CAJA-7', { token: own });
    expect(found.body.count).toBe(1);
    const machine = { license_key: license.license_key, machine_id: 'caja-9' };
    const valid = await call(after, 'POST', '/licenses/api/license/validate/', { body: machine });
    expect(valid.body).toMatchObject({ valid: true });
    await after.stop();
    record(context, {
      promise: `upgrade with jobs of ${old.version} half done: refused with their names, nothing changed; ${old.version} ends them, then no row is missing`,
      engine,
      tried: `${MACHINES} machines, three in four without a key; the jobs took ${seconds(ended)}`,
    });
  },
);

test.for(ENGINES)(
  'the last release starts again on its copy, which it restored itself, %s',
  async (engine, context) => {
    const env: ServerEnv = { ...(await engineEnv(engine)), ...SHARED, DATA_DIR: emptyFolder() };
    const file = `${emptyFolder()}/copia`;
    const before = await startForTest(env, old.root);
    const { token } = await signIn(before);
    const kept = await newLicense(before, token);
    expect(await runCopyIn(old.root, 'backup', env, file)).toMatchObject({ code: 0 });
    const content = await contentOf(env);
    await before.stop();

    const after = await startForTest(env);
    expect(await contentOf(env)).toEqual(content);
    await newLicense(after, (await signIn(after)).token);
    await after.stop();
    // What operators must not do: the last release refuses the newer schema.
    await expect(startForTest(env, old.root)).rejects.toThrow('de una versión más nueva del programa');

    expect((await runCopyIn(old.root, 'restore', env, file)).output).toContain('--replace');
    expect(await runCopyIn(old.root, 'restore', env, file, '--replace')).toMatchObject({ code: 0 });
    expect(await contentOf(env)).toEqual(content);
    const again = await startForTest(env, old.root);
    const stillThere = await call(again, 'GET', `/licenses/api/licenses/${kept.id}/`, {
      token: (await signIn(again)).token,
    });
    expect(stillThere.body.license_key).toBe(kept.license_key);
    await newLicense(again, (await signIn(again)).token);
    record(context, {
      promise:
        'going back: the last release restores its copy over the newer database, starts on it and writes',
      engine,
      tried: `${old.version}, upgraded and back once`,
    });
  },
);
