import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { wrongUsage } from '../../server/features/usage/recount-usage.ts';
import type { RunningServer } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, connections, newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const WORKERS = 20;
/** A machine may call 60 times a minute, so each worker speaks for several. */
const MACHINES_EACH = 15;
const LICENSES = 3;
const LIMIT = 500;
const KILLS = 8;
const REPLICAS = { sqlite: 1, postgres: 3 } as const;
const METERS = {
  /** Counts everything. */
  facturas: { limit: null, period: 'year', overage: 'allow' },
  /** Reaches its limit. */
  timbres: { limit: LIMIT, period: 'never', overage: 'refuse' },
  /** Is corrected by staff all the time. */
  correos: { limit: null, period: 'month', overage: 'allow' },
} as const;
type Code = keyof typeof METERS;

test.for(ENGINES)(
  'what was said to be counted is counted, and no limit is exceeded, %s',
  async (engine, context) => {
    const env = { ...(await engineEnv(engine)), ...SHARED };
    const replicas: RunningServer[] = [];
    for (let number = 0; number < REPLICAS[engine]; number += 1) replicas.push(await startForTest(env));
    const { token } = await signIn(replicas[0]!);
    const licenses: { id: number; license_key: string }[] = [];
    const terms = { max_installations: WORKERS * MACHINES_EACH, meters: METERS };
    for (let number = 0; number < LICENSES; number += 1) {
      licenses.push(await newLicense(replicas[0]!, token, terms));
    }
    const agent = connections(64);
    onTestFinished(() => agent.destroy());

    let calls = 0;
    let cutOff = 0;
    let kills = 0;
    /** Repeats a call at one replica after the other until it is answered with 200 or 201. */
    const insist = async (path: string, body: unknown, more: { token?: string } = {}) => {
      for (;;) {
        calls += 1;
        const server = replicas[calls % replicas.length]!;
        const answer = await call(server, 'POST', path, { ...more, agent, body }).catch(() => null);
        if (answer?.status === 200 || answer?.status === 201) return answer.body;
        if (answer === null) cutOff += 1;
        else if (answer.status < 500 && answer.status !== 429) throw new Error(answer.text);
        await setTimeout(50);
      }
    };

    const said = licenses.map(() => ({ facturas: 0, timbres: 0, correos: 0 }));
    let accepted = 0;
    let isBusy = true;
    let isOver = false;
    const worker = async (number: number) => {
      for (let use = 0; !isOver; use += 1) {
        const which = (number + use) % LICENSES;
        const machine_id = `equipo-${number}-${Math.floor(use / LICENSES) % MACHINES_EACH}`;
        const machine = { license_key: licenses[which]!.license_key, machine_id };
        if (use < LICENSES * MACHINES_EACH) await insist('/licenses/api/installations/', machine);
        const codes = (Object.keys(METERS) as Code[]).filter(
          (_, index) => index === 0 || use % 2 === index % 2,
        );
        const records = codes.map((code) => ({ code, amount: 1, request_id: `${code}-${number}-${use}` }));
        const { results } = await insist('/licenses/api/usage/', { ...machine, records });
        for (const result of results as { code: Code; accepted: boolean }[]) {
          if (!result.accepted) continue;
          said[which]![result.code] += 1;
          accepted += 1;
        }
        if (!isBusy) await setTimeout(Math.random() * 200);
      }
    };
    const staff = async () => {
      while (!isOver) {
        for (const { id } of licenses) {
          const asked = { used: Math.floor(Math.random() * 100), reason: 'prueba' };
          await insist(`/licenses/api/licenses/${id}/usage/correos/adjust/`, asked, { token });
        }
        await setTimeout(100);
      }
    };

    const work = Promise.all([...Array.from({ length: WORKERS }, (_, number) => worker(number)), staff()]);
    // An error of a worker is thrown where the work is awaited.
    work.catch(() => undefined);
    for (; kills < KILLS; kills += 1) {
      isBusy = kills < KILLS / 2;
      await setTimeout(1500 + Math.random() * 1000);
      const victim = replicas[kills % replicas.length]!;
      await victim.kill();
      await victim.restart();
    }
    await setTimeout(2000);
    isOver = true;
    await work;

    const stored = await withDatabase(replicas[0]!, env, async (db) => {
      const counts = await db.selectFrom('usage_counts').select(['license_id', 'code', 'used']).execute();
      const reached = db.selectFrom('events').select('id').where('type', '=', 'license.usage_limit_reached');
      return { counts, wrong: await wrongUsage(db), events: (await reached.execute()).length };
    });
    const usedOf = (id: number, code: Code) =>
      stored.counts.find((count) => count.license_id === id && count.code === code)?.used ?? 0;
    const sums = licenses.map(({ id }, index) => ({
      facturas: [said[index]!.facturas, usedOf(id, 'facturas')],
      timbres: [said[index]!.timbres, usedOf(id, 'timbres')],
    }));
    record(context, {
      promise:
        'a record of usage that was said to be accepted is counted once, also under kills, and a limit is exact',
      engine,
      tried: [
        `${REPLICAS[engine]} process(es), ${WORKERS} workers, ${LICENSES} licences, ${kills} kills, ${calls} calls, ${cutOff} cut off`,
        `${accepted} records accepted`,
        `said/used ${sums.map(({ facturas }) => facturas.join('/')).join(', ')}`,
        `at a limit of ${LIMIT} ${sums.map(({ timbres }) => timbres.join('/')).join(', ')}`,
        `${stored.wrong} counts differ from their records`,
      ].join('; '),
    });
    for (const { facturas, timbres } of sums) {
      expect(facturas[1]).toBe(facturas[0]);
      expect(timbres).toEqual([LIMIT, LIMIT]);
    }
    expect(stored.wrong).toBe(0);
    expect(stored.events).toBe(LICENSES);
  },
);
