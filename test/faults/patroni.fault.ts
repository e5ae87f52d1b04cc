import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDatabase, withDatabase } from '../postgres/databases.ts';
import { SHARED, startForTest } from './engines.ts';
import { call, newLicense, signIn } from './http.ts';
import { missingPrograms, type NodeName, type PatroniCluster, startPatroni } from './patroni.ts';
import { connectionsOf, machinesOf, seconds, startPrograms } from './programs.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';
import { startWriters } from './writers.ts';

/**
 * The program on PostgreSQL with Patroni (OPS-05), from Debian packages: `npm run test:faults -- patroni`, about five
 * minutes. The test does not install them.
 */

const POOL = 10;
const SEATS = 5;
const ROUNDS = 5;
const PROMISE =
  'PostgreSQL under Patroni: nothing acknowledged lost or doubled, seats exact, both replicas go on';

type Trouble = {
  name: string;
  rounds: number;
  cause: (cluster: PatroniCluster, leader: NodeName) => Promise<void>;
};

const TROUBLES: Trouble[] = [
  {
    name: 'primary killed',
    rounds: ROUNDS,
    cause: async (cluster, leader) => {
      cluster.kill(leader);
      await cluster.leader();
      await setTimeout(3000);
      cluster.start(leader);
    },
  },
  { name: 'switchover', rounds: 2, cause: (cluster) => cluster.switchOver() },
  {
    name: 'primary frozen for 40 s',
    rounds: 1,
    cause: async (cluster, leader) => {
      cluster.freeze(leader);
      await setTimeout(40_000);
      cluster.thaw(leader);
    },
  },
  {
    name: 'etcd frozen for 40 s',
    rounds: 1,
    cause: async (cluster) => {
      cluster.freezeEtcd();
      await setTimeout(40_000);
      cluster.thawEtcd();
    },
  },
  { name: 'HAProxy killed and started', rounds: 1, cause: (cluster) => cluster.restartHaproxy() },
];

test.for(TROUBLES)(
  'under Patroni no acknowledged write is lost after: $name',
  { timeout: 600_000 },
  async ({ name, rounds, cause }, context) => {
    const missing = missingPrograms();
    if (missing.length > 0) {
      record(context, { promise: PROMISE, engine: 'postgres', tried: `not run: no ${missing.join(', ')}` });
      return context.skip();
    }
    const cluster = await startPatroni();
    const database = await createDatabase({ adminUrl: cluster.url });
    const env = { DATABASE_URL: database.url, DATABASE_POOL: String(POOL), ...SHARED };
    const replicas = [await startForTest(env), await startForTest(env)];
    const { token } = await signIn(replicas[0]!);
    const license = await newLicense(replicas[0]!, token, { max_installations: SEATS });
    const writers = replicas.map((server) => startWriters(server, token, { count: 10 }));
    const programs = startPrograms(replicas, license.license_key);
    const lastAt = () => Math.max(...writers.map((writer) => writer.lastAt()));
    const gaps: number[] = [];
    let mostConnections = 0;

    for (let round = 1; round <= rounds; round += 1) {
      await cluster.untilWhole();
      await Promise.all(writers.map((writer) => writer.more(50)));
      const leader = await cluster.leader();
      let longest = 0;
      let previous = lastAt();
      const watch = setInterval(() => {
        const at = lastAt();
        longest = Math.max(longest, at === previous ? performance.now() - at : at - previous);
        previous = at;
      }, 20);
      await cause(cluster, leader);
      await Promise.all(writers.map((writer) => writer.more(50, 120_000)));
      clearInterval(watch);
      gaps.push(longest);
      const now = await cluster.leader();
      mostConnections = Math.max(mostConnections, await connectionsOf(cluster.urlOf(now), database.name));
    }
    await Promise.all([...writers.map((writer) => writer.stop()), programs.stop()]);
    await cluster.untilWhole();

    const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
    const others = writers.flatMap((writer) => writer.others);
    const slowest = Math.max(0, ...others.map(({ ms }) => ms));
    record(context, {
      promise: PROMISE,
      engine: 'postgres',
      tried: `${name}, ${rounds} times under 20 writers; ${acknowledged.length} acknowledged, ${others.length} answered 503, the slowest after ${seconds(slowest)}; no write for ${gaps.map(seconds).join(', ')}; ${mostConnections} connections at most`,
    });
    expect(new Set(others.map(({ answer, error }) => answer?.status ?? String(error)))).toEqual(
      new Set(others.length > 0 ? [503] : []),
    );
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const primary = withDatabase(cluster.urlOf(await cluster.leader()), database.name);
    expect(await missingRows(replicas[0]!, { DATABASE_URL: primary }, 'clients', acknowledged)).toEqual([]);
    const stored = await machinesOf(primary, license.id);
    expect(stored.length).toBeLessThanOrEqual(SEATS);
    expect(stored).toEqual(expect.arrayContaining([...programs.seated]));
    expect(mostConnections).toBeLessThanOrEqual(replicas.length * (POOL + 2));
    for (const server of replicas) expect((await call(server, 'GET', '/api/health/ready/')).status).toBe(200);
  },
);
