import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Check } from '../../contract/programs/checks.ts';
import { NIGHT } from '../at-night.ts';
import { engineEnv, startForTest } from '../faults/engines.ts';
import { call, newLicense, signIn } from '../faults/http.ts';

/** The process is killed while programs make calls: checks that are 10 seconds old are stored (SELL-07). */

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
const LOST_MS_MAX = 10_000;
const ASKED_FOR_MS = 13_000;
const PAUSE_MS = 250;

test('a killed server loses at most the checks of the last 10 seconds (SELL-07)', {
  tags: [NIGHT],
  timeout: 60_000,
}, async () => {
  const env = await engineEnv(engine);
  const server = await startForTest({ ...env, DEMO: '1' });
  let { token } = await signIn(server);
  const license = await newLicense(server, token, { client: 1, software: 1, max_installations: 500 });
  const answered: { machine_id: string; at: number }[] = [];
  const start = performance.now();
  while (performance.now() - start < ASKED_FOR_MS) {
    const machine_id = `equipo-${answered.length}`;
    const { status } = await call(server, 'POST', '/licenses/api/license/validate/', {
      body: { license_key: license.license_key, machine_id },
    });
    expect(status).toBe(200);
    answered.push({ machine_id, at: performance.now() });
    await sleep(PAUSE_MS);
  }
  await server.kill();
  const killed = performance.now();

  await server.restart();
  ({ token } = await signIn(server));
  const path = `/licenses/api/licenses/${license.id}/checks/`;
  const { results } = (await call(server, 'GET', path, { token })).body as { results: Check[] };
  const stored = new Set(results.map(({ machine_id }) => machine_id));
  const old = answered.filter(({ at }) => killed - at > LOST_MS_MAX);
  expect(old.length).toBeGreaterThan(5);
  expect(old.filter(({ machine_id }) => !stored.has(machine_id))).toEqual([]);
});
