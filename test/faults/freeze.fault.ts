import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ApiDocument } from '../../server/http/openapi-document.ts';
import { startForTest } from './engines.ts';
import { FILES, type Hostile, hostileRequests, TEMPLATES } from './hostile-inputs.ts';
import { call, connections, newLicense, percentile, signIn } from './http.ts';
import { record } from './promises.ts';

/** The longest time that another caller may wait, whatever a request contains. */
const WAIT_MS = 250;
/** On a busy machine the limit is this multiple of a call's time without the request. */
const QUIET_TIMES = 8;
/**
 * A busy machine may delay any call once, so the request is repeated: a request that really blocks does so each time.
 */
const TIMES = 4;
const BOUND_MS = 230_000;

type Wait = { path: string; ms: number };

test('no input of any route blocks another caller, sqlite', async (context) => {
  const server = await startForTest({ LOG_LEVEL: 'silent' });
  let { token } = await signIn(server);
  const license = await newLicense(server, token);
  const others: [method: string, path: string, options: object][] = [
    ['GET', '/api/health/', {}],
    [
      'POST',
      '/licenses/api/license/validate/',
      { body: { license_key: license.license_key, machine_id: 'caja-1' } },
    ],
    ['GET', '/licenses/api/clients/?page=1&search=cliente', { token: (await signIn(server)).token }],
  ];
  const waits: Wait[] = [];
  let isOver = false;
  const watchers = others.map(async ([method, path, options]) => {
    const agent = connections(1);
    while (!isOver) {
      const start = performance.now();
      await call(server, method, path, { ...options, agent, timeoutMs: 120_000 });
      waits.push({ path, ms: performance.now() - start });
      await delay(5);
    }
    agent.destroy();
  });
  /** The longest wait of another caller during some work. */
  const waitingFor = async (work: () => Promise<unknown>): Promise<Wait> => {
    waits.length = 0;
    await work();
    // Waits for calls that began during the work.
    await delay(8);
    return waits.toSorted((a, b) => b.ms - a.ms)[0] ?? { path: '', ms: 0 };
  };
  await delay(3000);
  const quiet = percentile(
    waits.map(({ ms }) => ms),
    0.95,
  );
  const limit = Math.max(WAIT_MS, QUIET_TIMES * quiet);
  const slowest: number[] = [];
  const faults: string[] = [];
  const names = new Set<string>();
  const check = async (name: string, work: () => Promise<unknown>) => {
    names.add(name);
    let waiting = await waitingFor(work);
    slowest.push(waiting.ms);
    for (let again = 1; again < TIMES && waiting.ms > limit; again += 1) {
      await delay(200);
      const next = await waitingFor(work);
      if (next.ms < waiting.ms) waiting = next;
    }
    if (waiting.ms > limit) faults.push(`${name}: ${waiting.path} waited ${Math.round(waiting.ms)} ms`);
  };

  const agent = connections(1);
  const ask = async (method: string, path: string, options: { payload?: string; type?: string } = {}) => {
    const { payload, type } = options;
    const answer = await call(server, method, path, {
      token,
      agent,
      timeoutMs: 120_000,
      ...(payload !== undefined && {
        payload,
        headers: { 'content-type': type!, 'content-length': String(Buffer.byteLength(payload)) },
      }),
    });
    if (answer.status === 401) ({ token } = await signIn(server));
    return answer;
  };
  const json = (body: unknown) => ({ payload: JSON.stringify(body), type: 'application/json' });

  const started = performance.now();
  const imports = '/licenses/api/imports/';
  for (const [what, file] of Object.entries(FILES)) {
    let id: number | undefined;
    await check(`upload of ${what}`, async () => {
      const { body } = await ask('POST', `${imports}?kind=clients`, { payload: file, type: 'text/csv' });
      id = body?.id;
    });
    if (id === undefined) continue;
    await check(`check of ${what}`, async () => {
      const { body } = await ask('GET', `${imports}${id}/`);
      const mapping = { Nombre: 'name', Email: 'email', Teléfono: 'phone', Notas: 'notes' };
      const known = Object.fromEntries(
        Object.entries(mapping).filter(([column]) => body.columns.includes(column)),
      );
      await ask('POST', `${imports}${id}/check/`, json({ mode: 'update', mapping: known }));
      await delay(1000);
      await ask('POST', `${imports}${id}/cancel/`, json({}));
    });
  }
  for (const [what, body] of Object.entries(TEMPLATES)) {
    const path = '/licenses/api/mail-templates/license_reminder/preview/';
    await check(`template of ${what}`, () => ask('POST', path, json({ subject: 'Aviso', body })));
  }
  const { body: document } = await call(server, 'GET', '/api/openapi.json');
  const requests: Hostile[] = [...hostileRequests(document as ApiDocument)];
  // Requests to the same route are far apart, so that the time limit skips some kinds of requests for each route, but
  // no whole route.
  const order = requests.map((request, index) => ({ request, at: (index * 7919) % requests.length }));
  for (const { request } of order.sort((a, b) => a.at - b.at)) {
    if (performance.now() - started > BOUND_MS) break;
    await check(request.name, () => ask(request.method, request.path, request));
  }
  isOver = true;
  await Promise.all(watchers);
  agent.destroy();
  record(context, {
    promise: `no input of any route holds another caller for more than ${WAIT_MS} ms`,
    engine: 'sqlite',
    tried: `${names.size} of ${requests.length + Object.keys(FILES).length * 2 + Object.keys(TEMPLATES).length} inputs; without them 95 % of the calls took ${Math.round(quiet)} ms; others waited at most ${Math.round(percentile(slowest, 0.5))} ms in half of them and ${Math.round(percentile(slowest, 0.99))} ms in 99 %`,
  });
  expect(faults).toEqual([]);
});
