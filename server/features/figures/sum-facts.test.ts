import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { daySumsJob, foldDays } from './fold-days.ts';
import { mendSums, wrongSums } from './recount-sums.ts';

/** Reports and dashboard have the same figures with and without the sums by day, whatever changes (REPORT-02). */

const NOW = '2026-11-22T18:00:00.000Z';
const API = '/licenses/api/';
const LICENSES = `${API}licenses/`;

const fold = (t: TestApp, more = {}) =>
  foldDays(t.db, { signal: new AbortController().signal, worthIt: 0, settleMs: 0, ...more });

const kept = async (t: TestApp) =>
  (await t.db.selectFrom('day_state').select('kept').orderBy('source').execute()).map((row) => row.kept);

/** The present figures of reports and dashboard. */
async function answers(t: TestApp, software: number): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const filter of ['', `software=${software}&currency=MXN`]) {
    for (const kind of ['revenue', 'renewals', 'licenses']) {
      const path = `reports/${kind}/?${filter}`;
      found[path] = (await t.call('GET', API + path)).body;
    }
  }
  for (const path of ['statistics/', 'statistics/today/', 'software/']) {
    found[path] = (await t.call('GET', API + path)).body;
  }
  const { last_updated: _at, ...statistics } = (await t.call('GET', `${API}statistics/licenses/`)).body
    .statistics;
  found.licenses = statistics;
  for (const requested of [true, false]) {
    found[`is_active=${requested}`] = (
      await t.call('GET', `${LICENSES}?is_active=${requested}&page=1`)
    ).body.count;
  }
  found.fiscal = (await t.call('GET', `${API}reports/fiscal/check/?from=2025-08-21&to=2026-11-20`)).body;
  // The details of a software count the licences themselves.
  for (const { id, active_licenses_count } of (await t.call('GET', `${API}software/`)).body.results) {
    const details = (await t.call('GET', `${API}software/${id}/`)).body;
    expect(details.active_licenses_count, `software ${id}`).toBe(active_licenses_count);
  }
  return found;
}

/** Reads the figures from the rows, as if the sums did not exist. */
async function withoutSums(t: TestApp, software: number): Promise<Record<string, unknown>> {
  const state = await t.db.selectFrom('day_state').selectAll().execute();
  await t.db.updateTable('day_state').set({ kept: -1_000_000 }).execute();
  const found = await answers(t, software);
  for (const { source, kept: id } of state) {
    await t.db.updateTable('day_state').set({ kept: id }).where('source', '=', source).execute();
  }
  return found;
}

/** Licences over more than a year: renewed, cancelled, without an end, for two software records and two currencies. */
async function licensesOverAYear(t: TestApp) {
  const software = (await createSoftware(t)).id;
  const client = (await createClient(t)).id;
  const ids: number[] = [];
  for (const [month, values] of [
    ['2025-08', { price: 10, expiry_days: 30 }],
    ['2025-12', { price: 20, currency: 'USD' }],
    ['2026-03', { price: 30, status: 'trial', expiry_days: 300 }],
    ['2026-10', { price: 40, expiry_days: 45 }],
    ['2026-11', { price: 50, expiry_days: null, expiry_date: null }],
  ] as const) {
    t.clock.set(`${month}-20T03:30:00.000Z`);
    t.token = await signInAs(t, 'admin', 'admin123');
    ids.push((await createLicense(t, { client, software, ...values })).id);
  }
  t.clock.set(NOW);
  t.token = await signInAs(t, 'admin', 'admin123');
  return { software, ids };
}

/** A client is asked for the renewal of a licence, and pays it in cash. */
async function pay(t: TestApp, id: number): Promise<void> {
  const requests = `${API}payment-requests/`;
  const asked = await t.call('POST', requests, {
    body: { lines: [{ license: id, kind: 'renewal' }], tax_rate: 16, notify: false },
  });
  expect(asked.status).toBe(201);
  expect(
    (await t.call('POST', `${requests}${asked.body.id}/mark_paid/`, { body: { method: 'cash' } })).status,
  ).toBe(200);
}

const act = async (t: TestApp, id: number, action: string) =>
  expect((await t.call('POST', `${LICENSES}${id}/${action}/`, { body: {} })).status).toBe(200);

test('the reports are the same without stored sums, with new rows, with sums, and after summed records change', async () => {
  const t = await createTestApp({ now: NOW });
  const { software, ids } = await licensesOverAYear(t);
  await pay(t, ids[0]!);
  const fresh = await answers(t, software);
  expect(fresh['reports/revenue/?']).toMatchObject({
    totals: [
      { total: 130, collected: 11.6 },
      { total: 20, collected: 0 },
    ],
  });
  expect(await withoutSums(t, software)).toEqual(fresh);

  expect(await fold(t)).toBeGreaterThan(0);
  expect(await kept(t)).toEqual(await newest(t));
  expect(await answers(t, software)).toEqual(fresh);
  // Nothing is left to add to the sums.
  expect(await fold(t)).toBe(0);

  await pay(t, ids[3]!);
  await act(t, ids[0]!, 'renew');
  await act(t, ids[1]!, 'cancel');
  await act(t, ids[3]!, 'renew');
  await t.call('PUT', `${LICENSES}${ids[4]}/`, { body: { price: 55, currency: 'CLP' } });
  const changed = await answers(t, software);
  expect(changed).not.toEqual(fresh);
  expect(await withoutSums(t, software)).toEqual(changed);
  await act(t, ids[3]!, 'undo_renewal');
  await t.call('DELETE', `${LICENSES}${ids[2]}/`);
  // What was collected goes to the software in which its licence is now, as what was sold does.
  const other = (await createSoftware(t)).id;
  expect((await t.call('PUT', `${LICENSES}${ids[0]}/`, { body: { software: other } })).status).toBe(200);
  expect(await answers(t, other)).toMatchObject({
    [`reports/revenue/?software=${other}&currency=MXN`]: { totals: [{ collected: 11.6 }] },
  });
  const last = await answers(t, software);
  expect(await withoutSums(t, software)).toEqual(last);
  await fold(t);
  expect(await t.db.selectFrom('day_changes').selectAll().execute()).toEqual([]);
  expect(await answers(t, software)).toEqual(last);
});

const newest = async (t: TestApp) => {
  const ids = [];
  for (const table of ['license_spans', 'license_terms', 'licenses', 'payment_moves'] as const) {
    const row = await t.db
      .selectFrom(table)
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    ids.push(row.id ?? 0);
  }
  return ids;
};

test('sums that are computed while a licence changes are right after its commit', async () => {
  const t = await createTestApp({ now: NOW });
  const { software, ids } = await licensesOverAYear(t);
  let folding: Promise<number> | undefined;
  await t.db.transaction().execute(async (tx) => {
    await tx.updateTable('licenses').set({ status: 'cancelled' }).where('id', '=', ids[0]!).execute();
    folding = fold(t);
    // A second one, beside the first, must have stopped before this transaction ends: then it would add up too.
    const stopped = fold(t, { signal: AbortSignal.abort() });
    if (process.env.TEST_ENGINE === 'postgres') expect(await stopped).toBe(0);
    else folding = folding.then(() => stopped);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tx.updateTable('licenses').set({ status: 'cancelled' }).where('id', '=', ids[3]!).execute();
  });
  await folding;
  expect(await kept(t)).toEqual(await newest(t));
  const answer = await answers(t, software);
  expect(answer).toEqual(await withoutSums(t, software));
  expect(answer['reports/revenue/?']).toMatchObject({ totals: [{ total: 80 }, { total: 20 }] });
});

test('the job waits until there are enough rows, and stops early when the server stops', async () => {
  const t = await createTestApp({ now: NOW });
  await licensesOverAYear(t);
  await runJob(t.context, daySumsJob);
  expect(await kept(t)).toEqual([0, 0, 0, 0]);
  await fold(t, { signal: AbortSignal.abort() });
  expect(await kept(t)).toEqual([0, 0, 0, 0]);
});

test('the list of software counts active licences as its details do, with and without stored sums', async () => {
  const t = await createTestApp({ now: NOW });
  const { ids } = await licensesOverAYear(t);
  const other = (await createSoftware(t)).id;
  const client = (await createClient(t)).id;
  for (const expiry_days of [1, 30, 400]) await createLicense(t, { client, software: other, expiry_days });
  const counts = async () => {
    const { results } = (await t.call('GET', `${API}software/`)).body;
    const rows = results.map((row: { id: number; active_licenses_count: number }) => [
      row.id,
      row.active_licenses_count,
    ]);
    for (const [id, count] of rows) {
      expect((await t.call('GET', `${API}software/${id}/`)).body.active_licenses_count, `${id}`).toBe(count);
    }
    return new Map<number, number>(rows);
  };
  expect((await counts()).get(other)).toBe(3);
  await fold(t);
  expect((await counts()).get(other)).toBe(3);
  await act(t, ids[4]!, 'suspend');
  await createLicense(t, { client, software: other, expiry_days: null, expiry_date: null });
  t.clock.set('2026-11-24T18:00:00.000Z');
  t.token = await signInAs(t, 'admin', 'admin123');
  expect((await counts()).get(other)).toBe(3);
  expect((await t.call('GET', `${API}software/?search=nadie`)).body.results).toEqual([]);
});

test.runIf(process.env.TEST_ENGINE === 'postgres')(
  'a recount of the sums waits for a job that is adding to them (OPS-01)',
  async () => {
    const t = await createTestApp({ now: NOW });
    await createLicense(t);
    await fold(t);
    let mended: Promise<void> | undefined;
    // As the job does: sums first, then the changes that they include.
    await t.db.transaction().execute(async (tx) => {
      const sum = {
        fact: 'issued',
        software_id: 1,
        day: '2020-01-01',
        currency: 'MXN',
        n: 1,
        cents: 0,
      } as const;
      await tx.insertInto('day_sums').values(sum).execute();
      mended = mendSums(t.db);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tx.deleteFrom('day_changes').execute();
    });
    await mended;
    expect(await wrongSums(t.db)).toBe(0);
  },
);
