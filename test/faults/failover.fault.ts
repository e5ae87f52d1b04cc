import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../postgres/cluster.ts';
import { createDatabase, withDatabase } from '../postgres/databases.ts';
import { startSilentProxy } from '../postgres/silent-proxy.ts';
import { startStandby } from '../postgres/standby.ts';
import { SHARED, startForTest } from './engines.ts';
import { call, newLicense, signIn } from './http.ts';
import { connectionsOf, machinesOf, seconds, startPrograms } from './programs.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

/**
 * A primary with a synchronous standby, a proxy in front of both, and two replicas of the program. This test itself
 * kills and promotes PostgreSQL; in patroni.fault.ts Patroni does it (OPS-05).
 */

const POOL = 10;
const SEATS = 5;
const PROMISED_MS = 10_000;

async function twoServers() {
  const primary = await startCluster();
  onTestFinished(primary.stop);
  const database = await createDatabase({ adminUrl: primary.url });
  const proxy = await startSilentProxy(database.url);
  onTestFinished(proxy.close);
  const env = { DATABASE_URL: proxy.url, DATABASE_POOL: String(POOL), ...SHARED };
  const replicas = [await startForTest(env), await startForTest(env)];
  const standby = await startStandby(primary);
  onTestFinished(standby.stop);
  const onStandby = withDatabase(standby.url, database.name);
  return { primary, standby, database, proxy, replicas, onStandby };
}

test('when the primary dies under 20 writers the standby takes over and no acknowledged write is lost', async (context) => {
  const { primary, standby, proxy, replicas, onStandby } = await twoServers();
  const { token } = await signIn(replicas[0]!);
  const license = await newLicense(replicas[0]!, token, { max_installations: SEATS });
  const writers = replicas.map((server) => startWriters(server, token, { count: 10 }));
  await Promise.all(writers.map((writer) => writer.more(100)));
  const programs = startPrograms(replicas, license.license_key);
  await setTimeout(300);

  await primary.crash();
  const died = performance.now();
  await setTimeout(2000);
  await standby.promote();
  proxy.leadTo(onStandby);
  const promoted = performance.now();
  await Promise.all(writers.map((writer) => writer.more(1)));
  const back = performance.now();
  await Promise.all(writers.map((writer) => writer.more(50)));
  await Promise.all([...writers.map((writer) => writer.stop()), programs.stop()]);

  const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
  const others = writers.flatMap((writer) => writer.others);
  record(context, {
    promise:
      'failover with a synchronous standby: nothing acknowledged lost or doubled, seats exact, both replicas go on without a restart',
    engine: 'postgres',
    tried: `primary killed under 20 writers, 2 replicas; ${acknowledged.length} acknowledged, ${others.length} answered 503; no write for ${seconds(back - died)}, ${seconds(back - promoted)} of them after the promotion`,
  });
  expect(new Set(others.map(({ answer, error }) => answer?.status ?? String(error)))).toEqual(new Set([503]));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  const env = { DATABASE_URL: onStandby };
  expect(await missingRows(replicas[0]!, env, 'clients', acknowledged)).toEqual([]);
  const stored = await machinesOf(onStandby, license.id);
  expect(stored.length).toBeLessThanOrEqual(SEATS);
  expect(stored).toEqual(expect.arrayContaining([...programs.seated]));
  for (const server of replicas) expect((await call(server, 'GET', '/api/health/ready/')).status).toBe(200);
  expect(back - promoted).toBeLessThan(PROMISED_MS);
});

test('with a standby that does not answer each call is answered within 10 s and no acknowledged write is lost', async (context) => {
  const { primary, standby, database, replicas } = await twoServers();
  const { token } = await signIn(replicas[0]!);
  const writers = replicas.map((server) => startWriters(server, token, { count: 20 }));
  await Promise.all(writers.map((writer) => writer.more(50)));

  standby.freeze();
  const counts: number[] = [];
  for (let second = 0; second < 40; second += 1) {
    await setTimeout(1000);
    counts.push(await connectionsOf(primary.url, database.name));
  }
  standby.thaw();
  const thawed = performance.now();
  await Promise.all(writers.map((writer) => writer.more(1)));
  const back = performance.now();
  await Promise.all(writers.map((writer) => writer.more(50)));
  await Promise.all(writers.map((writer) => writer.stop()));

  const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
  const others = writers.flatMap((writer) => writer.others);
  const slowest = Math.max(...others.map(({ ms }) => ms));
  const most = Math.max(...counts);
  record(context, {
    promise:
      'a standby that stands still: each call answers within 10 s, no more connections than the pools have, nothing acknowledged lost',
    engine: 'postgres',
    tried: `40 s, 2 replicas of ${POOL} connections, 40 writers; ${most} connections at most, ${others.length} answered 503, the slowest after ${seconds(slowest)}; the first write ${seconds(back - thawed)} after it went on`,
  });
  expect(new Set(others.map(({ answer, error }) => answer?.status ?? String(error)))).toEqual(new Set([503]));
  expect(most).toBeLessThanOrEqual(replicas.length * (POOL + 2));
  // A second more, because one machine answers 40 calls at once.
  expect(slowest).toBeLessThan(PROMISED_MS + 1000);
  expect(await missingRows(replicas[0]!, { DATABASE_URL: database.url }, 'clients', acknowledged)).toEqual(
    [],
  );
  expect(back - thawed).toBeLessThan(PROMISED_MS);
});
