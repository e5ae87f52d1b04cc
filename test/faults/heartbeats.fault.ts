import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, connections, newLicense, percentile, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const LICENSES = 100;
const MACHINES_EACH = 100;
const MACHINES = LICENSES * MACHINES_EACH;
/** Slightly less than 10 s, so that the last heartbeat is sent in time. */
const WITHIN_MS = 9_900;

test.for(ENGINES)(
  'no staff request fails during heartbeats of 10,000 machines within 10 s, %s',
  async (engine, context) => {
    const env = await engineEnv(engine);
    const server = await startForTest(env);
    const { token } = await signIn(server);
    const licenses: { id: number; license_key: string }[] = [];
    const shared = { client: 1, software: 1, max_installations: MACHINES_EACH };
    for (let index = 0; index < LICENSES; index += 1) licenses.push(await newLicense(server, token, shared));
    await withDatabase(server, env, async (db) => {
      for (const { id } of licenses) {
        await db
          .insertInto('installations')
          .values(
            Array.from({ length: MACHINES_EACH }, (_, index) => ({
              license_id: id,
              machine_id: `maquina-${index}`,
              machine_key: `maquina-${index}`,
              machine_name: `Equipo ${index}`,
              mac_address: '',
              ip_address: '',
              installation_date: new Date().toISOString(),
              last_heartbeat: null,
              notes: '',
            })),
          )
          .execute();
        await db
          .updateTable('licenses')
          .set({ current_installations: MACHINES_EACH })
          .where('id', '=', id)
          .execute();
      }
    });

    let beating = true;
    const staffTimes: number[] = [];
    const staffFailures: string[] = [];
    const paths = [
      '/licenses/api/clients/?page_size=20',
      '/licenses/api/licenses/?page_size=20',
      '/licenses/api/statistics/',
    ];
    const staff = async () => {
      while (beating) {
        const start = performance.now();
        const answer = await call(server, 'GET', paths[staffTimes.length % paths.length]!, { token });
        staffTimes.push(performance.now() - start);
        if (answer.status !== 200) staffFailures.push(answer.text);
        await setTimeout(50);
      }
    };
    const people = [staff(), staff()];

    // Each machine sends at a fixed time, without waiting for other answers.
    const agent = connections(256);
    const statuses = new Map<number, number>();
    const start = performance.now();
    const answers: Promise<void>[] = [];
    const beat = async (number: number) => {
      const answer = await call(server, 'POST', '/licenses/api/installation/heartbeat/', {
        agent,
        timeoutMs: 120_000,
        body: {
          license_key: licenses[number % LICENSES]!.license_key,
          machine_id: `maquina-${Math.floor(number / LICENSES)}`,
        },
      });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    };
    while (answers.length < MACHINES) {
      const due = Math.min(MACHINES, Math.ceil((MACHINES * (performance.now() - start)) / WITHIN_MS));
      while (answers.length < due) answers.push(beat(answers.length));
      await setTimeout(5);
    }
    const sent = performance.now() - start;
    await Promise.all(answers);
    const took = performance.now() - start;
    beating = false;
    await Promise.all(people);
    agent.destroy();

    record(context, {
      promise: 'heartbeats of 10,000 machines within 10 s: no staff request fails',
      engine,
      tried: `10,000 first heartbeats sent in ${(sent / 1000).toFixed(1)} s, the last stored after ${(took / 1000).toFixed(1)} s; ${staffTimes.length} staff requests meanwhile, p95 ${Math.round(percentile(staffTimes, 0.95))} ms`,
    });
    expect(staffFailures).toEqual([]);
    expect(Object.fromEntries(statuses)).toEqual({ 200: MACHINES });
    const stored = await withDatabase(server, env, (db) =>
      db
        .selectFrom('installations')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('machine_id', 'like', 'maquina-%')
        .where('last_heartbeat', 'is not', null)
        .executeTakeFirstOrThrow(),
    );
    expect(stored.count).toBe(MACHINES);
    expect(sent).toBeLessThan(10_500);
  },
);
