import { describe, expect, test } from 'vitest';
import type { LicenseInput } from '../../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../../test/factories.ts';
import { runJob } from '../../../../test/run-job.ts';
import { foldRecurring, recurringJob } from './fold-recurring.ts';
import { mendRecurring, wrongRecurring } from './recount-recurring.ts';

const REPORT = '/licenses/api/reports/recurring/';
const LICENSES = '/licenses/api/licenses/';
const NEVER_ABORTED = new AbortController().signal;

/** The session ends within a day, so a test that moves the clock signs in again. */
async function at(t: TestApp, moment: string): Promise<void> {
  t.clock.set(`${moment}T18:00:00.000Z`);
  t.token = await signInAs(t, 'admin', 'admin123');
}

async function reportOf(t: TestApp, query = '') {
  const { status, body } = await t.call('GET', REPORT + query);
  expect([query, status, body.success]).toEqual([query, 200, true]);
  return body;
}

async function act(t: TestApp, id: number, action: string, body: unknown = {}): Promise<void> {
  const { status, text } = await t.call('POST', `${LICENSES}${id}/${action}/`, { body });
  expect([action, status, status === 200 ? '' : text]).toEqual([action, 200, '']);
}

/** The figures of each month that are not 0. */
const movesOf = (months: Record<string, unknown>[]) =>
  months.map(({ from: _from, to: _to, currency: _currency, ...figures }) =>
    Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== 0)),
  );

const fold = (t: TestApp) => foldRecurring(t.context, { signal: NEVER_ABORTED, worthIt: 1 });

describe('recurring revenue (REPORT-05)', () => {
  test('is what the terms that hold are worth in a month, and each month says what changed it', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const ana = (await createClient(t)).id;
    const luis = (await createClient(t)).id;
    const year = await createLicense(t, { client: ana, price: 1200, expiry_months: 12 });
    await createLicense(t, { client: luis, price: 300, expiry_months: 1 });
    await at(t, '2026-02-20');
    // By months 400 ÷ 4; by days 365.25 ÷ (30.4375 × 2): so much is a month of 61 days.
    await createLicense(t, { client: ana, price: 400, expiry_months: 4 });
    await at(t, '2026-04-05');
    await createLicense(t, { client: luis, price: 122, expiry_days: 61 });
    await at(t, '2026-05-12');
    await act(t, year.id, 'cancel');
    const { months, totals, as_of } = await reportOf(t, '?from=2026-01-01&to=2026-05-12');
    expect(as_of).toBe('2026-05-12T18:00:00.000Z');
    expect(movesOf(months)).toEqual([
      { month: '2026-01', new: 400, end: 400, clients: 2, arpa: 200 },
      { month: '2026-02', start: 400, expansion: 100, churned: 300, end: 200, clients: 1, arpa: 200 },
      { month: '2026-03', start: 200, end: 200, clients: 1, arpa: 200 },
      { month: '2026-04', start: 200, reactivated: 60.88, end: 260.88, clients: 2, arpa: 130.44 },
      { month: '2026-05', start: 260.88, contraction: 100, end: 160.88, clients: 2, arpa: 80.44 },
    ]);
    expect(months.at(-1)).toMatchObject({ from: '2026-05-01', to: '2026-05-12', currency: 'MXN' });
    expect(totals).toEqual([{ currency: 'MXN', grr: null, nrr: null }]);
    const later = await reportOf(t, '?from=2026-02-01&to=2026-05-12');
    // (400 − 300 − 100) ÷ 400, and with 100 more and 60.88 again.
    expect(later.totals).toEqual([{ currency: 'MXN', grr: 0, nrr: 40.2 }]);
    expect(later.months).toEqual(months.slice(1));
  });

  test('counts a month as a whole, also where the period cuts it, and a month to come as today', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    await createLicense(t, { price: 300, expiry_months: 3 });
    await at(t, '2026-02-20');
    const { months } = await reportOf(t, '?from=2026-01-20&to=2026-06-03');
    expect(movesOf(months)).toEqual([
      { month: '2026-01', new: 100, end: 100, clients: 1, arpa: 100 },
      ...['02', '03', '04', '05', '06'].map((month) => ({
        month: `2026-${month}`,
        start: 100,
        end: 100,
        clients: 1,
        arpa: 100,
      })),
    ]);
    expect(months.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['2026-01-01', '2026-01-31'],
      ['2026-02-01', '2026-02-20'],
      ['2026-03-01', '2026-03-31'],
      ['2026-04-01', '2026-04-30'],
      ['2026-05-01', '2026-05-31'],
      ['2026-06-01', '2026-06-30'],
    ]);
  });

  test('holds on the last day of a term, and a renewal follows it without a gap', async () => {
    const t = await createTestApp({ now: '2026-01-31T18:00:00.000Z' });
    const { id } = await createLicense(t, { price: 100, expiry_months: 1 });
    await act(t, id, 'renew', { price: 150, expiry_months: 1, notify: false });
    await at(t, '2026-05-01');
    const { months } = await reportOf(t, '?from=2026-01-01&to=2026-05-01');
    expect(movesOf(months)).toMatchObject([
      { month: '2026-01', new: 100, end: 100 },
      { month: '2026-02', start: 100, end: 100 },
      { month: '2026-03', start: 100, expansion: 50, end: 150 },
      { month: '2026-04', start: 150, churned: 150 },
      { month: '2026-05' },
    ]);
  });

  test('leaves out trials, perpetual, pending and complimentary licences; suspended ones hold', async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00.000Z' });
    const year = { price: 1200, expiry_months: 12 };
    const others: Partial<LicenseInput>[] = [
      { ...year, license_type: 'trial' },
      { ...year, status: 'trial' },
      { price: 1200, expiry_days: null },
      { ...year, start_mode: 'first_activation' },
      { ...year, price: 0, complimentary: true },
      { ...year, status: 'cancelled' },
    ];
    const issued = [];
    for (const other of others) issued.push(await createLicense(t, other));
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 0, clients: 0, arpa: 0 });
    const { id } = await createLicense(t, year);
    await act(t, id, 'suspend');
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 100, end: 100, clients: 1 });
    // What a person sets by hand ends no term but by 'cancelled'.
    for (const status of ['inactive', 'expired', 'active']) {
      await t.call('PATCH', `${LICENSES}${id}/`, { body: { status } });
      expect([status, (await reportOf(t)).months.at(-1)]).toEqual([
        status,
        expect.objectContaining({ new: 100, end: 100, clients: 1 }),
      ]);
    }
    // With its first activation it begins.
    await activate(t, issued[3]!.license_key, 'equipo');
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 200, clients: 2 });
    // By hand a trial becomes a sale with the price that it has.
    await t.call('PATCH', `${LICENSES}${issued[0]!.id}/`, { body: { license_type: 'premium' } });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 300, clients: 3 });
  });

  test('has updates and added seats, which the next renewal takes over', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const forever = await createLicense(t, { price: 5000, expiry_days: null, updates_until: '2026-01-09' });
    await act(t, forever.id, 'renew', { kind: 'maintenance', price: 487, updates_days: 487, notify: false });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 30.44, clients: 1 });
    const { id } = await createLicense(t, { price: 1200, expiry_months: 12 });
    await act(t, id, 'add_seats', { quantity: 2, price: 365, notify: false });
    // 365 ÷ (365 ÷ 30.4375)
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 160.88, clients: 2 });
    await act(t, id, 'renew', { price: 2400, expiry_months: 12, from: 'today', notify: false });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 230.44, clients: 2 });
  });

  test('counts for the client who has the licence now, in all months', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const [from, to] = [(await createClient(t)).id, (await createClient(t)).id];
    const one = await createLicense(t, { client: from, price: 1200, expiry_months: 12 });
    await at(t, '2026-02-10');
    await createLicense(t, { client: to, price: 1200, expiry_months: 12 });
    await at(t, '2026-03-10');
    const query = '?from=2026-01-01&to=2026-03-10';
    expect(movesOf((await reportOf(t, query)).months)).toMatchObject([
      { new: 100 },
      { new: 100 },
      { clients: 2 },
    ]);
    await fold(t);
    await act(t, one.id, 'transfer', { client: to, notify: false });
    const expected = [
      { month: '2026-01', new: 100, end: 100, clients: 1, arpa: 100 },
      { month: '2026-02', start: 100, expansion: 100, end: 200, clients: 1, arpa: 200 },
      { month: '2026-03', start: 200, end: 200, clients: 1, arpa: 200 },
    ];
    expect(movesOf((await reportOf(t, query)).months)).toEqual(expected);
    await fold(t);
    expect(movesOf((await reportOf(t, query)).months)).toEqual(expected);
    // Of a client who is merged the licences move in one statement.
    const third = (await createClient(t)).id;
    await t.db.updateTable('licenses').set({ client_id: third }).where('client_id', '=', to).execute();
    await t.call('DELETE', `/licenses/api/clients/${to}/`);
    expect(movesOf((await reportOf(t, query)).months)).toEqual(expected);
    await fold(t);
    expect(movesOf((await reportOf(t, query)).months)).toEqual(expected);
    expect(await t.db.selectFrom('recurring_clients').select('client_id').execute()).toEqual([
      { client_id: third },
    ]);
  });

  test('is that of one software and currency, where movements are those within them', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const client = (await createClient(t)).id;
    const [one, other] = [(await createSoftware(t)).id, (await createSoftware(t)).id];
    const year = { client, price: 120, expiry_months: 12 };
    await createLicense(t, { ...year, software: one });
    await at(t, '2026-02-10');
    await createLicense(t, { ...year, software: other });
    await createLicense(t, { ...year, software: other, currency: 'USD' });
    const ask = async (query: string) =>
      movesOf((await reportOf(t, `?from=2026-02-01&to=2026-02-10&${query}`)).months);
    for (const step of ['live', 'stored']) {
      if (step === 'stored') await fold(t);
      expect(await ask('')).toMatchObject([
        { start: 10, expansion: 10, end: 20 },
        { new: 10, end: 10 },
      ]);
      expect(await ask(`software=${other}`)).toMatchObject([{ new: 10 }, { new: 10 }]);
      expect(await ask(`software=${other}&currency=USD`)).toMatchObject([{ new: 10, clients: 1 }]);
      expect(await ask(`software=${one}`)).toMatchObject([{ start: 10, end: 10 }]);
      expect(await ask('software=999999')).toEqual([{ month: '2026-02' }]);
    }
  });

  test('follows corrections, undone renewals and deletions, also in months that are stored', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id } = await createLicense(t, { price: 1200, expiry_months: 12 });
    await at(t, '2026-03-10');
    await act(t, id, 'renew', { price: 2400, expiry_months: 12, from: 'today', notify: false });
    await fold(t);
    const ends = async () =>
      (await reportOf(t, '?from=2026-01-01&to=2026-03-10')).months.map(({ end }: { end: number }) => end);
    expect(await ends()).toEqual([100, 100, 200]);
    await act(t, id, 'undo_renewal');
    expect(await ends()).toEqual([100, 100, 100]);
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 600 } });
    expect(await ends()).toEqual([50, 50, 50]);
    await fold(t);
    expect(await ends()).toEqual([50, 50, 50]);
    await t.call('DELETE', `${LICENSES}${id}/`);
    expect(await ends()).toEqual([0, 0, 0]);
    await fold(t);
    expect(await t.db.selectFrom('recurring_clients').selectAll().execute()).toEqual([]);
    expect(await ends()).toEqual([0, 0, 0]);
  });

  test('is made by a job where much changed, and says of when it is until then', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id, client } = await createLicense(t, { price: 1200, expiry_months: 12 });
    // Few changes are not worth a run.
    await runJob(t.context, recurringJob);
    expect(await t.db.selectFrom('recurring_days').selectAll().execute()).toEqual([]);
    const many = Array.from({ length: 1001 }, () => ({ client_id: client.id }));
    await t.db.insertInto('recurring_changes').values(many).execute();
    // Nothing is stored yet, and it is too much for a call: the first one makes it, and the others wait for it.
    const answers = await Promise.all([1, 2, 3].map(() => reportOf(t)));
    expect(answers.map(({ months }) => months.at(-1).end)).toEqual([100, 100, 100]);
    expect(await t.db.selectFrom('recurring_changes').selectAll().execute()).toEqual([]);
    await at(t, '2026-01-11');
    expect(await reportOf(t)).toMatchObject({ as_of: '2026-01-11T18:00:00.000Z' });
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 600 } });
    await t.db.insertInto('recurring_changes').values(many).execute();
    const stored = await reportOf(t);
    expect(stored.as_of).toBe('2026-01-10T18:00:00.000Z');
    expect(stored.months.at(-1)).toMatchObject({ end: 100 });
    await runJob(t.context, recurringJob);
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 50 });
  });

  test('is made anew for the days of another time zone', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    await createLicense(t, { price: 1200, expiry_months: 12 });
    await fold(t);
    await t.db.updateTable('recurring_state').set({ zone: 'Pacific/Auckland' }).execute();
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 100 });
    await fold(t);
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 100, clients: 1 });
    expect((await t.db.selectFrom('recurring_state').select('zone').executeTakeFirst())?.zone).toBe(
      t.context.config.timeZone,
    );
  });

  test('of a client with many licences is read in parts', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id, client, software } = await createLicense(t, { price: 12, expiry_months: 12 });
    const row = await t.db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const term = await t.db.selectFrom('license_terms').selectAll().executeTakeFirstOrThrow();
    const { id: _id, ...values } = row;
    const { id: _term, ...sold } = term;
    const copies = Array.from({ length: 1203 }, (_, number) => ({
      ...values,
      license_key: `copia-${number}`,
      external_id: null,
    }));
    for (let start = 0; start < copies.length; start += 50)
      await t.db
        .insertInto('licenses')
        .values(copies.slice(start, start + 50))
        .execute();
    const added = await t.db.selectFrom('licenses').select('id').where('id', '<>', id).execute();
    for (let start = 0; start < added.length; start += 50) {
      const terms = added.slice(start, start + 50).map((one) => ({ ...sold, license_id: one.id }));
      await t.db.insertInto('license_terms').values(terms).execute();
    }
    await fold(t);
    expect((await reportOf(t, `?software=${software.id}`)).months.at(-1)).toMatchObject({
      end: 1204,
      clients: 1,
    });
    expect(await t.db.selectFrom('recurring_clients').select('client_id').execute()).toEqual([
      { client_id: client.id },
    ]);
  });

  test('is the same after runs that overlap, that are cut off, and beside changes', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const software = (await createSoftware(t)).id;
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1)
      ids.push((await createLicense(t, { software, price: 12 * (count + 1), expiry_months: 12 })).id);
    const cut = new AbortController();
    const changes = ids.map((id, index) =>
      t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 24 * (index + 1) } }),
    );
    await Promise.all([
      fold(t),
      foldRecurring(t.context, {
        signal: cut.signal,
        worthIt: 1,
        progressed: async () => cut.abort(),
      }),
      fold(t),
      ...changes,
    ]);
    const live = await reportOf(t);
    await fold(t);
    const stored = await reportOf(t);
    expect(stored.months).toEqual(live.months);
    expect(stored.months.at(-1)).toMatchObject({ new: 156, end: 156, clients: 12 });
    const sums = () =>
      t.db.selectFrom('recurring_days').selectAll().orderBy('software_id').orderBy('day').execute();
    const kept = await sums();
    // Made anew from nothing they are the same, but for days on which nothing is left.
    await t.db.updateTable('recurring_state').set({ zone: '' }).execute();
    await fold(t);
    expect(await sums()).toEqual(
      kept.filter(({ new: gained, churned, clients }) => gained || churned || clients),
    );
  });

  test('is right where a run that makes it anew is overtaken by another one', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id } = await createLicense(t, { price: 1200, expiry_months: 12 });
    await fold(t);
    await t.db.updateTable('recurring_state').set({ zone: 'Pacific/Auckland' }).execute();
    // The first run is held up when it knows which clients to take out.
    const [isKnown, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = new Set<object>();
    const forLongWork = t.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('recurring_clients'))
          held.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (held.has(queryId)) {
          isKnown.resolve();
          await goOn.promise;
        }
        return result;
      },
    });
    const first = foldRecurring({ ...t.context, forLongWork }, { signal: NEVER_ABORTED, worthIt: 1 });
    await isKnown.promise;
    await fold(t);
    goOn.resolve();
    await first;
    expect(await wrongRecurring(t.db)).toBe(0);
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 600 } });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 50, end: 50, clients: 1 });
  });

  test('is recounted by the doctor, and made anew where it is wrong (OPS-01)', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id } = await createLicense(t, { price: 1200, expiry_months: 12 });
    expect(await wrongRecurring(t.db)).toBe(0);
    await fold(t);
    // What waits for the job is not wrong.
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 600 } });
    expect(await wrongRecurring(t.db)).toBe(0);
    await fold(t);
    expect(await wrongRecurring(t.db)).toBe(0);
    await t.db.updateTable('recurring_days').set({ new: 7 }).where('software_id', '=', 0).execute();
    expect(await wrongRecurring(t.db)).toBeGreaterThan(0);
    await mendRecurring(t.db);
    await fold(t);
    expect(await wrongRecurring(t.db)).toBe(0);
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 50 });
    await t.db.updateTable('recurring_clients').set({ recurring: '[]' }).execute();
    expect(await wrongRecurring(t.db)).toBeGreaterThan(0);
  });

  test('a changed client with many licences is worth a run of the job', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id, client } = await createLicense(t, { price: 1200, expiry_months: 12 });
    await fold(t);
    await t.db
      .updateTable('licenses_of_clients')
      .set({ n: 2001 })
      .where('client_id', '=', client.id)
      .execute();
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { price: 600 } });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 100 });
    await runJob(t.context, recurringJob);
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 50 });
  });

  test('a trial that becomes active long after it became a sale counts from then', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    const { id } = await createLicense(t, {
      price: 1200,
      expiry_months: 12,
      license_type: 'trial',
      status: 'inactive',
    });
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { license_type: 'premium' } });
    await fold(t);
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ end: 0 });
    await t.call('PATCH', `${LICENSES}${id}/`, { body: { status: 'active' } });
    expect((await reportOf(t)).months.at(-1)).toMatchObject({ new: 100, end: 100 });
  });

  test('may be read by each role, as a file too, and by nobody else', async () => {
    const t = await createTestApp({ now: '2026-01-10T18:00:00.000Z' });
    await createLicense(t, { price: 1200, expiry_months: 12 });
    expect((await t.call('GET', REPORT, { token: null })).status).toBe(401);
    const { text, status } = await t.call('GET', `${REPORT}export/?from=2026-01-01`);
    expect(status).toBe(200);
    const [head, first] = text.split('\r\n');
    expect(head).toContain(
      'Mes,Desde,Hasta,Moneda,Al inicio,Nueva,Ampliada,Recuperada,Reducida,Perdida,Al final,Clientes,Por cliente',
    );
    expect(first).toContain(
      '2026-01,2026-01-01,2026-01-10,MXN,0,100,0,0,0,0,100,1,100,,,2026-01-10T18:00:00.000Z',
    );
  });
});
