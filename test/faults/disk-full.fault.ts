import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../postgres/cluster.ts';
import type { ServerEnv } from '../start-server.ts';
import { ENGINES, type EngineName, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { canMount, mountRamDisk, type RamDisk } from './ram-disk.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

/** Nearly the maximum size of a client's notes, to fill the disk quickly. */
const NOTES = 'x'.repeat(1900);

/** A database on a small disk: the data folder for SQLite, a tablespace for PostgreSQL. */
async function onSmallDisk(engine: EngineName): Promise<{ disk: RamDisk; env: ServerEnv }> {
  if (engine === 'sqlite') {
    const disk = mountRamDisk(48);
    const folder = join(disk.directory, 'data');
    mkdirSync(folder);
    return { disk, env: { DATA_DIR: folder } };
  }
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const { uid, gid } = statSync(cluster.directory);
  const disk = mountRamDisk(48, { uid, gid });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`create tablespace small location '${disk.directory}'`);
  await client.query('create database small template template0 tablespace small');
  await client.end();
  return { disk, env: { DATABASE_URL: cluster.url.replace(/\/postgres$/, '/small'), DATABASE_POOL: '10' } };
}

/** Waits until both health paths answer with this status; the write check is cached for some seconds. */
async function healthThatSays(server: { url: string }, status: number): Promise<unknown> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const answers = [
      await call(server, 'GET', '/api/health/'),
      await call(server, 'GET', '/licenses/api/health/'),
    ];
    if (answers.every((answer) => answer.status === status)) return answers[0]?.body;
    if (performance.now() > deadline) throw new Error(`Health says: ${answers[0]?.text} ${answers[1]?.text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test.for(ENGINES)(
  'with a full disk writes are refused and no acknowledged write is lost, %s',
  async (engine, context) => {
    const promise =
      'disk full: the write is refused with a clear error, nothing acknowledged is lost, work goes on after space is freed';
    if (!canMount) {
      record(context, { promise, engine, tried: 'not run: a small disk can only be mounted as root' });
      context.skip();
    }
    const { disk, env } = await onSmallDisk(engine);
    const server = await startForTest(env);
    const { token } = await signIn(server);
    let acknowledged = 0;
    let refused = 0;

    for (let round = 1; round <= 3; round += 1) {
      disk.fillUpTo(2_000_000);
      const writers = startWriters(server, token, { count: 8, notes: NOTES });
      const deadline = performance.now() + 60_000;
      while (writers.others.length < 40 && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      // Signed-in users can still read.
      const list = await call(server, 'GET', '/licenses/api/clients/?page_size=5', { token });
      expect(list.status).toBe(200);
      expect(await healthThatSays(server, 503)).toMatchObject({ success: false, database: 'error' });

      disk.clear();
      await writers.more(50);
      await writers.stop();
      expect(await healthThatSays(server, 200)).toMatchObject({ success: true, database: 'ok' });
      acknowledged += writers.acknowledged.size;
      refused += writers.others.length;
      expect(refused).toBeGreaterThanOrEqual(40 * round);
      const answers = writers.others.map(({ answer, error }) => answer?.status ?? String(error));
      expect(new Set(answers)).toEqual(new Set([503]));
      for (const { answer } of writers.others) {
        expect(answer?.body).toMatchObject({ success: false, code: 'unavailable' });
        expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(await missingRows(server, env, 'clients', writers.acknowledged)).toEqual([]);
      await server.restart();
      expect(await missingRows(server, env, 'clients', writers.acknowledged)).toEqual([]);
      record(context, {
        promise,
        engine,
        tried: `${round} times full (tmpfs of 48 MB), ${refused} writes refused with 503, ${acknowledged} acknowledged`,
      });
    }
  },
);
