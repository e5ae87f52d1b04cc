import { expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/**
 * Random histories of two clients, which are then merged: nothing of the two is lost, and every sum is as before
 * (MERGE-01).
 */

const API = '/licenses/api';
const NOW = '2026-11-20T18:00:00.000Z';
/** MODEL_TRIES=100 takes minutes. */
const TRIES = Number(process.env.MODEL_TRIES ?? triesOf(12));

const step = fc.oneof(
  fc.record({
    kind: fc.constant('issue' as const),
    price: fc.integer({ min: 1, max: 900 }),
    currency: fc.constantFrom('MXN', 'ARS'),
    paid: fc.constantFrom('no', 'paid', 'asked'),
  }),
  fc.record({
    kind: fc.constantFrom(
      'activate' as const,
      'renew' as const,
      'ask' as const,
      'pay' as const,
      'part' as const,
      'note' as const,
      'license note' as const,
      'suspend' as const,
      'cancel' as const,
      'transfer' as const,
      'tag' as const,
      'contact' as const,
      'later' as const,
    ),
    pick: fc.nat(5),
  }),
);
type Step = { of: 0 | 1; what: typeof step extends fc.Arbitrary<infer One> ? One : never };

const story = fc.array(fc.record({ of: fc.constantFrom(0 as const, 1 as const), what: step }), {
  minLength: 4,
  maxLength: 24,
});

type World = { t: TestApp; clients: [number, number]; software: number; count: number };

async function act({ t, clients, software, count }: World, { of, what }: Step): Promise<void> {
  const client = clients[of];
  const post = (path: string, body: object) => t.call('POST', `${API}/${path}`, { body });
  const list = async (path: string) => (await t.call('GET', `${API}/${path}`)).body.results;
  if (what.kind === 'issue') {
    const { price, currency, paid } = what;
    const payment = { no: {}, paid: { payment: { method: 'cash' } }, asked: { payment: { request: true } } };
    const issued = await post('licenses/', {
      client,
      software,
      license_type: 'premium',
      price,
      currency,
      expiry_days: 90,
      max_installations: 3,
      ...payment[paid as keyof typeof payment],
    });
    expect(issued.status, issued.text).toBe(201);
    return;
  }
  if (what.kind === 'later') {
    t.clock.advance(what.pick * 36 * 3_600_000);
    t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
    return;
  }
  const licenses = await list(`licenses/?client=${client}&page_size=100`);
  const license = licenses[what.pick % Math.max(1, licenses.length)];
  const requests = await list(`payment-requests/?client=${client}&state=open`);
  const request = requests[what.pick % Math.max(1, requests.length)];
  const unique = `${of}-${count}`;
  // A step that its state does not allow is refused, and changes nothing.
  if (what.kind === 'note') await post('notes/', { client, text: unique, pinned: what.pick === 1 });
  if (what.kind === 'tag')
    await t.call('PATCH', `${API}/clients/${client}/`, { body: { tags: [`t${what.pick}`, `t-${unique}`] } });
  if (what.kind === 'contact') {
    const email = `contacto${what.pick}@example.com`;
    const contacts = [{ name: unique, email, phone: '', receives: ['keys', 'reminders'] }];
    await t.call('PATCH', `${API}/clients/${client}/`, { body: { contacts } });
  }
  if (request && what.kind === 'pay')
    await post(`payment-requests/${request.id}/mark_paid/`, { method: 'transfer', reference: unique });
  if (request && what.kind === 'part')
    await post(`payment-requests/${request.id}/mark_paid/`, { method: 'cash', amount: request.due / 2 });
  if (!license) return;
  if (what.kind === 'activate') await activate(t, license.license_key, unique);
  if (what.kind === 'renew') await post(`licenses/${license.id}/renew/`, { price: 10 + what.pick });
  if (what.kind === 'ask')
    await post('payment-requests/', { lines: [{ license: license.id, kind: 'renewal' }] });
  if (what.kind === 'license note') await post('notes/', { license: license.id, text: unique });
  if (what.kind === 'suspend') await post(`licenses/${license.id}/suspend/`, {});
  if (what.kind === 'cancel') await post(`licenses/${license.id}/cancel/`, {});
  if (what.kind === 'transfer')
    await post(`licenses/${license.id}/transfer/`, { client: clients[1 - of], release_seats: false });
}

const FIGURES = [
  'reports/revenue/?from=2026-10-01&to=2027-06-30',
  'reports/renewals/?from=2026-10-01&to=2027-06-30',
  'reports/licenses/?from=2026-10-01&to=2027-06-30',
  'reports/usage/?from=2026-11-01&to=2026-12-31',
  'statistics/licenses/',
  'statistics/revenue/?start_date=2026-10-01&end_date=2027-06-30',
  'reports/trials/?from=2026-10-01&to=2027-06-30',
  'payments/',
  'payment-requests/',
  'licenses/?page_size=1',
  'installations/?page_size=1',
];

/** What reports and lists sum up. Names of clients and rows are left out: they change with a merge. */
async function sumsOf(t: TestApp): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const path of FIGURES) {
    const { status, body } = await t.call('GET', `${API}/${path}`);
    expect([path, status]).toEqual([path, 200]);
    const { results: _results, as_of: _asOf, next: _next, previous: _previous, ...figures } = body;
    found.push([path, figures]);
  }
  const { body } = await t.call('GET', `${API}/statistics/today/`);
  found.push(body.money);
  return found;
}

const OWNED = ['licenses', 'payment_requests', 'payments', 'notes', 'outbox'] as const;

/** The ids of what a client has, and the rows without what a merge changes. */
async function ownedBy(t: TestApp, clients: number[]) {
  const rows: Record<string, unknown[]> = {};
  for (const table of OWNED) {
    const found = await t.db
      .selectFrom(table as 'notes')
      .selectAll()
      .where('client_id', 'in', clients)
      .orderBy('id')
      .execute();
    rows[table] = found.map(({ client_id: _client, updated_at: _version, ...row }) => {
      const { changed_at: _changed, ...rest } = row as typeof row & { changed_at?: unknown };
      return rest;
    });
  }
  rows.license_terms = await t.db.selectFrom('license_terms').selectAll().orderBy('id').execute();
  rows.installations = await t.db.selectFrom('installations').selectAll().orderBy('id').execute();
  return rows;
}

const historyOf = async (t: TestApp, client: number) => {
  const events: unknown[] = [];
  for (let before = ''; ; ) {
    const { body } = await t.call('GET', `${API}/events/?client=${client}&limit=100${before}`);
    events.push(...body.results);
    if (body.next_before === null) return events as { id: number; type: string }[];
    before = `&before=${body.next_before}`;
  }
};

test('nothing of two clients is lost by a merge, and every sum is as before', {
  timeout: 240_000,
  tags: ['MERGE-01'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.boolean(), async (steps, isTurned) => {
      const t = await createTestApp({ now: NOW, closeAfterTest: false });
      const clients: [number, number] = [(await createClient(t)).id, (await createClient(t)).id];
      const software = (await createSoftware(t)).id;
      for (const [count, one] of (steps as Step[]).entries()) await act({ t, clients, software, count }, one);
      await t.deliveredMail();
      t.clock.advance(60_000);

      const [id, from] = isTurned ? [clients[1], clients[0]] : clients;
      const read = async (client: number) => (await t.call('GET', `${API}/clients/${client}/`)).body;
      const both = [await read(id), await read(from)];
      const sums = await sumsOf(t);
      const owned = await ownedBy(t, clients);
      const histories = [await historyOf(t, id), await historyOf(t, from)];

      const merged = await t.call('POST', `${API}/clients/${id}/merge/`, { body: { from } });
      expect(merged.status, merged.text).toBe(200);

      expect(await sumsOf(t)).toEqual(sums);
      expect(await ownedBy(t, [id])).toEqual(owned);
      expect(await ownedBy(t, [from])).toMatchObject(Object.fromEntries(OWNED.map((table) => [table, []])));
      const counts = ['license_count', 'active_license_count', 'installation_count'] as const;
      for (const name of counts) expect(merged.body[name], name).toBe(both[0][name] + both[1][name]);
      const [last, ...history] = await historyOf(t, id);
      expect(last!.type).toBe('client.merged');
      // An event that names both, such as a transfer, is in the history of one of them.
      expect(history).toEqual(histories.flat().sort((one, other) => other.id - one.id));

      const known = (name: 'tags' | 'contacts') => {
        const keys = both.flatMap((client) =>
          client[name].map((one: string | { email: string }) => (typeof one === 'string' ? one : one.email)),
        );
        return new Set(keys);
      };
      const { tags, contacts, left } = merged.body;
      expect(tags.length + left.tags).toBe(known('tags').size);
      expect(contacts.length + left.contacts).toBe(known('contacts').size);
      const stray = await t.db
        .selectFrom('licenses_of_clients')
        .select(['client_id', 'n'])
        .orderBy('client_id')
        .execute();
      expect(stray.filter(({ n }) => n > 0)).toEqual(
        merged.body.license_count > 0 ? [{ client_id: id, n: merged.body.license_count }] : [],
      );
      await t.close();
    }),
    { numRuns: TRIES },
  );
});
