import { existsSync, readdirSync } from 'node:fs';
import type { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../postgres/cluster.ts';
import { createDatabase } from '../postgres/databases.ts';
import { startSilentProxy } from '../postgres/silent-proxy.ts';
import { startForTest } from './engines.ts';
import { call, connections, newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

const ROUNDS = 2;
/** Twice the time limit of a call, so that its retry ends too. */
const SILENT_MS = 20_000;
const PROMISED_MS = 10_000;
/** More machines than could ask within a minute. */
const MACHINES = 10_000;

type Outcome = { path: string; status: number; retryAfter: number; at: number; ms: number };

/** Repeats a call until it is stopped. */
function keepAsking(path: string, ask: () => ReturnType<typeof call>) {
  const outcomes: Outcome[] = [];
  let stopped = false;
  const loop = async () => {
    while (!stopped) {
      const began = performance.now();
      const answer = await ask().catch(() => null);
      const at = performance.now();
      const retryAfter = Number(answer?.headers['retry-after'] ?? 0);
      outcomes.push({ path, status: answer?.status ?? 0, retryAfter, at, ms: at - began });
      await setTimeout(20);
    }
  };
  const done = loop();
  return {
    outcomes,
    stop: () => {
      stopped = true;
      return done;
    },
  };
}

type Silence = {
  databaseUrl: string;
  /** The URL of the database without the proxy. */
  directUrl: string;
  begin: () => void;
  end: () => void;
};

async function proxyThatSwallows(): Promise<Silence> {
  const database = await createDatabase();
  const proxy = await startSilentProxy(database.url);
  onTestFinished(async () => {
    await proxy.close();
    await database.drop();
  });
  return { databaseUrl: proxy.url, directUrl: database.url, begin: proxy.goSilent, end: proxy.resume };
}

async function processesThatAreStopped(): Promise<Silence> {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const { url } = await createDatabase({ adminUrl: cluster.url });
  return { databaseUrl: url, directUrl: url, begin: cluster.freeze, end: cluster.thaw };
}

test.for([
  ['a proxy that swallows', proxyThatSwallows],
  ['SIGSTOP', processesThatAreStopped],
] as const)(
  'each call is answered within 10 s when connections stop answering without closing: %s',
  async ([name, prepare], context) => {
    const { databaseUrl, directUrl, begin, end } = await prepare();
    const server = await startForTest({ DATABASE_URL: databaseUrl, DATABASE_POOL: '16' });
    const { token } = await signIn(server);
    // A new machine for each call, because one machine may make only 60 calls a minute; and many seats, because one
    // address may send only twice as many machines and 300 more (decision 007).
    const license = await newLicense(server, token, { max_installations: MACHINES });
    let machines = 0;
    const validate = (agent: Agent) => {
      machines += 1;
      const body = { license_key: license.license_key, machine_id: `maquina-${machines}` };
      return call(server, 'POST', '/licenses/api/license/validate/', { agent, body });
    };
    const acknowledged = new Set<number>();
    let calls = 0;
    let refused = 0;
    let slowest = 0;
    let recovery = 0;

    for (let round = 1; round <= ROUNDS; round += 1) {
      const writers = startWriters(server, token, { count: 16 });
      const agent = connections(50);
      const askers = Array.from({ length: 4 }, () => [
        keepAsking('list', () => call(server, 'GET', '/licenses/api/clients/', { token, agent })),
        keepAsking('validate', () => validate(agent)),
      ]).flat();
      const health = ['/api/health/', '/api/health/ready/'].map((path) =>
        keepAsking(path, () => call(server, 'GET', path, { agent })),
      );
      await writers.more(50);

      begin();
      const since = performance.now();
      await setTimeout(SILENT_MS);
      end();
      const back = performance.now();
      await setTimeout(PROMISED_MS);
      await writers.more(50);
      const mailBefore = mails(server.mailDir);
      await newLicense(server, token);
      for (let tries = 0; mails(server.mailDir) === mailBefore && tries < 500; tries += 1)
        await setTimeout(20);
      expect(mails(server.mailDir)).toBeGreaterThan(mailBefore);
      await Promise.all([writers.stop(), ...[...askers, ...health].map(({ stop }) => stop())]);
      agent.destroy();

      for (const id of writers.acknowledged) acknowledged.add(id);
      const asked = askers.flatMap(({ outcomes }) => outcomes);
      const writes = writers.others.map(({ answer, at, ms }) => ({
        path: 'write',
        status: answer?.status ?? 0,
        retryAfter: Number(answer?.headers['retry-after'] ?? 0),
        at,
        ms,
      }));
      const failures = [...asked.filter(({ status }) => status !== 200), ...writes];
      calls += asked.length + writes.length + writers.acknowledged.size;
      refused += failures.length;
      slowest = Math.max(slowest, ...[...asked, ...writes].map(({ ms }) => ms));
      recovery = Math.max(recovery, ...failures.map(({ at }) => at - back));
      record(context, {
        promise:
          'connections that go silent without closing: each call answers within 10 s, recovery within 10 s of the database’s, every acknowledged write present',
        engine: 'postgres',
        tried: `${name}, ${round} times ${SILENT_MS / 1000} s; ${calls} calls, ${refused} answered 503, the slowest after ${seconds(slowest)}; the last 503 ${seconds(recovery)} after its return; ${acknowledged.size} acknowledged`,
      });

      expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([503]));
      for (const { retryAfter } of failures) expect(retryAfter).toBeGreaterThan(0);
      expect(new Set(failures.map(({ path }) => path))).toEqual(new Set(['list', 'validate', 'write']));
      // The health checks during this time report the failure.
      for (const { outcomes } of health) {
        expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(PROMISED_MS);
        const meanwhile = outcomes.filter(({ at, ms }) => at - ms > since && at < back);
        expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([503]));
        expect(outcomes.at(-1)?.status).toBe(200);
      }
      expect(await missingRows(server, { DATABASE_URL: directUrl }, 'clients', acknowledged)).toEqual([]);
    }
    expect(slowest).toBeLessThan(PROMISED_MS);
    expect(recovery).toBeLessThan(PROMISED_MS);
  },
);

const mails = (folder: string) => (existsSync(folder) ? readdirSync(folder).length : 0);
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
