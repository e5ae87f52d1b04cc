import { beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_ORDERINGS } from '../../contract/clients/clients.ts';
import { LICENSE_ORDERINGS } from '../../contract/licenses/licenses.ts';
import type { Tables } from '../../server/db/tables.ts';
import { clientList } from '../../server/features/clients/client-list.ts';
import { licenseList } from '../../server/features/licenses/license-list.ts';
import { mailList } from '../../server/features/mail/mail-list.ts';
import { installationList } from '../../server/features/programs/installation-list.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import type { List } from '../../server/lists/define-list.ts';
import type { PageQuery } from '../../server/lists/paging.ts';
import { LIST_LIMITS } from '../../server/lists/statements.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { callsOf } from '../plans/calls.ts';
import { insertGrownRows } from '../plans/grown-rows.ts';
import fc, { triesOf } from '../properties.ts';

/** A list is read to its end by following `next`, whatever is created or deleted meanwhile (INPUT-16). */

const API = '/licenses/api';

type Body = { results: { id: number }[]; next: string | null; previous: string | null; current_page: number };
type Row = Record<string, unknown>;

/** The parts of a table's rows that vary: few values, so that many rows tie. */
type Varied = (n: number, drawn: (most: number) => number) => Row;

const INSTANTS = ['2026-01-05T10:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z'];
const NAMES = ['avila', 'nube', 'n~andu', '', 'zeta', '名前', '=1+1', '"o\'hara'];
const at = (drawn: (most: number) => number) => INSTANTS[drawn(INSTANTS.length)];
const name = (drawn: (most: number) => number) => NAMES[drawn(NAMES.length)];

type Case = { path: string; table: keyof Tables; orderings: readonly string[]; varied: Varied };

const CASES: Case[] = [
  {
    path: `${API}/clients/`,
    table: 'clients',
    orderings: [...CLIENT_ORDERINGS, 'updated_at'],
    varied: (n, drawn) => ({
      ...{ email: `c${n}@example.com`, email_key: `c${n}@example.com`, external_id: null },
      ...{ name: name(drawn) || 'x', name_order: name(drawn), company_order: name(drawn) },
      ...{ created_at: at(drawn), updated_at: at(drawn) },
      status: ['active', 'inactive'][drawn(2)],
      client_type: ['individual', 'enterprise'][drawn(2)],
    }),
  },
  {
    path: `${API}/licenses/`,
    table: 'licenses',
    orderings: [...LICENSE_ORDERINGS, 'updated_at'],
    varied: (n, drawn) => ({
      ...{ license_key: `K-${n}`, external_id: null },
      ...{ client_id: 1 + drawn(3), software_id: 1 + drawn(2) },
      ...{ created_at: at(drawn), issued_date: at(drawn), updated_at: at(drawn) },
      expiry_date: [null, '2027-01-01T05:59:59.000Z', '2026-06-01T05:59:59.000Z'][drawn(3)],
      ...{ price_cents: [0, 100, 99_999][drawn(3)], currency: ['MXN', 'USD', 'ARS'][drawn(3)] },
      status: ['active', 'suspended', 'trial'][drawn(3)],
      license_type: ['basic', 'premium'][drawn(2)],
      current_installations: drawn(3),
    }),
  },
  {
    path: `${API}/software/`,
    table: 'software',
    orderings: ['created_at', 'name', 'updated_at'],
    varied: (n, drawn) => ({
      ...{ identity_key: `s\n${n}`, code: `s-${n}`, name_order: name(drawn) },
      ...{ created_at: at(drawn), updated_at: at(drawn) },
    }),
  },
  {
    path: `${API}/license-types/`,
    table: 'license_types',
    orderings: ['', 'updated_at'],
    varied: (_n, drawn) => ({ name_order: name(drawn), updated_at: at(drawn) }),
  },
  {
    path: `${API}/installations/`,
    table: 'installations',
    orderings: ['', 'updated_at'],
    varied: (n, drawn) => ({
      ...{ license_id: 1, machine_id: `m-${n}`, machine_key: `m-${n}` },
      installation_date: at(drawn),
      changed_at: [null, ...INSTANTS][drawn(4)],
    }),
  },
  {
    path: `${API}/mails/`,
    table: 'outbox',
    orderings: ['', 'updated_at'],
    varied: (n, drawn) => ({ message_id: `mail-${n}`, created_at: at(drawn) }),
  },
  {
    path: `${API}/users/`,
    table: 'users',
    orderings: [''],
    varied: (n, drawn) => ({ username: `u${drawn(50)}-${n}`, username_key: `u${drawn(50)}-${n}` }),
  },
  {
    path: `${API}/payment-requests/`,
    table: 'payment_requests',
    orderings: [''],
    varied: (n) => ({ reference: `ref-${n}`, code_hash: `code-${n}` }),
  },
  {
    path: `${API}/payments/`,
    table: 'payments',
    orderings: [''],
    varied: (n) => ({ source: `source-${n}`, provider: 'stripe' }),
  },
];

/** A vendor with one row of each kind, of which others are copies. */
async function openShop(): Promise<{ t: TestApp; template: (table: keyof Tables) => Row }> {
  const t = await createTestApp({ closeAfterTest: false, now: '2026-03-02T16:00:00.000Z' });
  for (let n = 0; n < 3; n += 1) await createClient(t);
  for (let n = 0; n < 2; n += 1) await createSoftware(t);
  await createLicenseType(t);
  const license = await createLicense(t, { client: 1, software: 1 });
  await t.call('POST', `${API}/installations/`, {
    token: null,
    body: { license_key: license.license_key, machine_id: 'una' },
  });
  const asked = await t.call('POST', `${API}/payment-requests/`, {
    body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
  });
  await t.call('POST', `${API}/payment-requests/${asked.body.id}/mark_paid/`, { body: { method: 'cash' } });
  const templates = new Map<string, Row>();
  for (const { table } of CASES) {
    const row = await t.db
      .selectFrom(table as 'clients')
      .selectAll()
      .orderBy('id')
      .executeTakeFirstOrThrow();
    templates.set(table, row);
  }
  return { t, template: (table) => templates.get(table)! };
}

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
  return shop.t.close;
});

let made = 0;
async function create({ table, varied }: Case, drawn: (most: number) => number): Promise<number> {
  made += 1;
  const { id: _id, ...row } = { ...shop.template(table), ...varied(made, drawn) } as Row;
  const insert = shop.t.db.insertInto(table as 'clients').values(row as never);
  return (await insert.returning('id').executeTakeFirstOrThrow()).id;
}
const remove = (table: keyof Tables, id: number) =>
  shop.t.db
    .deleteFrom(table as 'clients')
    .where('id', '=', id)
    .execute();

async function get(url: string): Promise<Body> {
  const { status, body } = await shop.t.call('GET', url);
  expect(status, url).toBe(200);
  return body;
}

/** Removes all rows but those on which others stand. */
async function empty({ table }: Case): Promise<void> {
  const kept = {
    clients: 3,
    software: 2,
    licenses: 1,
    users: 1,
    license_types: 1,
    payment_requests: 1,
  } as Row;
  await shop.t.db
    .deleteFrom(table as 'clients')
    .where('id', '>', Number(kept[table] ?? 0))
    .execute();
}

const change = fc.record({ create: fc.boolean(), pick: fc.nat(1000), seed: fc.nat() });
const history = fc.record({
  rows: fc.integer({ min: 4, max: 16 }),
  size: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(),
  /** What happens between two pages. */
  changes: fc.array(fc.array(change, { maxLength: 4 }), { minLength: 2, maxLength: 8 }),
});

/** A simple generator, so that a history depends only on its numbers. */
function drawnFrom(seed: number) {
  let state = (seed % 2_147_483_646) + 1;
  return (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

const EACH = CASES.flatMap((one) =>
  one.orderings.flatMap((ordering) =>
    (ordering === '' ? [''] : [ordering, `-${ordering}`]).map((order) => ({ ...one, order })),
  ),
);

type Change = { create: boolean; pick: number; seed: number };
/** The rows while a list is read: those that were there from the start, and all that can be deleted. */
type World = { stays: Set<number>; present: number[]; ids: number[] };

async function happen(one: Case, { create: creates, pick, seed }: Change, { stays, present, ids }: World) {
  if (creates) present.push(await create(one, drawnFrom(seed)));
  else if (present.length > 0) {
    // The last row that was shown is deleted as often as any other.
    const shown = present.indexOf(ids.at(-1) ?? 0);
    const [gone] = present.splice(pick % 2 === 0 && shown >= 0 ? shown : pick % present.length, 1);
    await remove(one.table, gone!);
    stays.delete(gone!);
  }
}

/** What the links of a page say. */
function expectLinks({ next, previous, current_page }: Body, page: number) {
  expect(current_page).toBe(page);
  expect(next === null ? 'A' : afterIn(next)).toMatch(/^[\w-]{1,500}$/);
  expect(previous ?? '').not.toContain('after');
}

const afterIn = (url: string) => new URL(url, 'http://localhost').searchParams.get('after') ?? '';
const inOrder = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

test.each(EACH)(
  '$path in the order "$order" gives each row that stays once, whatever is created and deleted between its pages (INPUT-16)',
  { tags: [POSTGRES_AT_NIGHT], timeout: 600_000 },
  async (one) => {
    const property = fc.asyncProperty(history, async ({ rows, size, seed, changes }) => {
      await empty(one);
      const drawn = drawnFrom(seed);
      for (let n = 0; n < rows; n += 1) await create(one, drawn);
      const there = await shop.t.db
        .selectFrom(one.table as 'clients')
        .select('id')
        .execute();
      const stays = new Set(there.map(({ id }) => id));
      const world: World = { stays, present: [...stays].filter((id) => id > 3), ids: [] };
      let next: string | null = `${one.path}?page=1&page_size=${size}&ordering=${one.order}`;
      for (let page = 1; next !== null; page += 1) {
        const body: Body = await get(next);
        expectLinks(body, page);
        world.ids.push(...body.results.map(({ id }) => id));
        next = body.next;
        for (const change of changes[page - 1] ?? []) await happen(one, change, world);
      }
      expect(new Set(world.ids).size).toBe(world.ids.length);
      expect(inOrder(world.ids.filter((id) => stays.has(id)))).toEqual(inOrder(stays));
    });
    await fc.assert(property, { numRuns: triesOf(9) });
  },
);

/** Limits so low that a database of some thousand rows uses every method of finding a page. */
const LOW_LIMITS = {
  ...LIST_LIMITS,
  ...{ few: 40, candidates: 50, first: 800, sorted: 50, near: 10, counted: 60, indexed: 60, collected: 50 },
};

type AnyList = Pick<List<PageQuery, { id: number }>, 'page' | 'query'>;
const LISTS: Record<string, AnyList> = {
  [`${API}/licenses/`]: licenseList as never,
  [`${API}/clients/`]: clientList as never,
  [`${API}/installations/`]: installationList as never,
  [`${API}/mails/`]: mailList as never,
};

test('each way to find a page goes on where the page before ended, with every filter, order and search (INPUT-16)', {
  timeout: 600_000,
}, async () => {
  const t = await createTestApp();
  const now = t.context.now();
  await insertGrownRows(t.db, now);
  const moment = { now, timeZone: t.context.config.timeZone };
  let followed = 0;
  for (const { path } of callsOf(apiDocument(t.app), now)) {
    const [url, parameters = ''] = path.split('?');
    const list = LISTS[url!];
    if (!list) continue;
    const query = Object.fromEntries(new URLSearchParams(parameters));
    for (const limits of [LIST_LIMITS, LOW_LIMITS]) {
      const read = async (page: string, after?: string) => {
        const requested = { ...query, page, page_size: '15', ...(after !== undefined && { after }) };
        const found = await list.page(t.db, list.query.parse(requested), moment, url!, limits);
        const next =
          found.next === null ? null : new URL(found.next, 'http://localhost').searchParams.get('after');
        return { ids: found.results.map(({ id }) => id), next };
      };
      const first = await read('1');
      let { next } = first;
      for (let page = 2; page < 5 && next !== null; page += 1) {
        const following = await read('1', next);
        const numbered = await read(String(page));
        expect(following.ids, `${path} ${page}`).toEqual(numbered.ids);
        expect(following.next, `${path} ${page}`).toBe(numbered.next);
        next = following.next;
        followed += 1;
      }
    }
  }
  expect(followed).toBeGreaterThan(300);
});

describe('an after (INPUT-16)', () => {
  const LICENSES = `${API}/licenses/?page_size=1&ordering=`;
  const afterOn = async (url: string) => afterIn((await get(url)).next ?? '');
  const encoded = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');

  beforeAll(async () => {
    for (const one of CASES) for (let n = 0; n < 3; n += 1) await create(one, drawnFrom(n));
  });

  test('of another order, another list or another text is 400 at after', async () => {
    const own = await afterOn(`${LICENSES}price`);
    expect((await shop.t.call('GET', `${LICENSES}price&after=${own}`)).status).toBe(200);
    const values = JSON.parse(Buffer.from(own, 'base64url').toString());
    const others = [
      await afterOn(`${LICENSES}-price`),
      await afterOn(`${LICENSES}status`),
      await afterOn(`${API}/clients/?page_size=1&ordering=license_count`),
      ...['x', '=', '....', 'null', '%00', `${own}=`, `${own}A`, 'A'.repeat(501)],
      ...[null, {}, [], [values[0]], [...values, 1], 7, 'texto'].map(encoded),
      ...[1e308, -1.5, '1', null, true, [], {}, ['a', 'b'], 2 ** 53].flatMap((malformed) => [
        encoded(values.with(2, malformed)),
        encoded(values.with(-1, malformed)),
      ]),
      ...['a\u0000b', '\ud800', 5, null, { begins: 'a', hash: 'b' }].map((malformed) =>
        encoded(values.with(1, malformed)),
      ),
    ];
    for (const after of others) {
      const { status, body } = await shop.t.call(
        'GET',
        `${LICENSES}price&after=${encodeURIComponent(after)}`,
      );
      expect([status, Object.keys(body.errors ?? {}), body.error_codes], after).toEqual([
        400,
        ['after'],
        { after: ['invalid'] },
      ]);
    }
    const [named] = JSON.parse(Buffer.from(await afterOn(`${LICENSES}created_at`), 'base64url').toString());
    for (const malformed of [
      'ayer',
      '2026-02-30T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '',
      "' or 1=1",
    ]) {
      const { status } = await shop.t.call(
        'GET',
        `${LICENSES}created_at&after=${encoded([named, malformed, 1])}`,
      );
      expect(status, malformed).toBe(400);
    }
  });

  test('with any change of its text is 400 or a page, never an error of the server', async () => {
    const afters = await Promise.all(
      EACH.filter(({ path }) => !path.includes('payment')).map(async ({ path, order }) => ({
        url: `${path}?page_size=1&ordering=${order}`,
        after: await afterOn(`${path}?page_size=1&ordering=${order}`),
      })),
    );
    const malformed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom<unknown>(null, [], {}, 'a\u0000', '9'.repeat(300), -1e15, 0, ['a', 'b']),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(5), malformed, async (pick, place, value) => {
        const { url, after } = afters[pick % afters.length]!;
        const values: unknown[] = JSON.parse(Buffer.from(after, 'base64url').toString());
        const changed = encoded(values.with(1 + (place % (values.length - 1)), value));
        const { status } = await shop.t.call('GET', `${url}&after=${changed}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: triesOf(300) },
    );
  });

  test.each([
    ['200 ñ', 'ñ'.repeat(200)],
    ['200 signs of an old name', 'Αθήνα Ελλάδα '.repeat(15)],
    [
      '100 signs outside of the first plane',
      [...Array(100)].map((_, n) => String.fromCodePoint(0x1f300 + n * 7)).join(''),
    ],
  ])('holds a name of %s in 500 characters', async (_what, text) => {
    const name = text.trim().slice(0, 200);
    const { id } = await createClient(shop.t, { name });
    const after = await afterOn(
      `${API}/clients/?page_size=1&ordering=name&search=${encodeURIComponent(name.slice(0, 90))}`,
    );
    if (after !== '') expect(after.length).toBeLessThanOrEqual(500);
    const ids = await namesRead(1);
    expect(ids.filter((one) => one === id)).toEqual([id]);
  });

  /** The ids of all clients by name, page by page. */
  async function namesRead(size: number, between: (ids: number[]) => Promise<void> = async () => {}) {
    const ids: number[] = [];
    let next: string | null = `${API}/clients/?page=1&page_size=${size}&ordering=name`;
    while (next !== null) {
      expect(new URL(next, 'http://localhost').searchParams.get('after')?.length ?? 0).toBeLessThanOrEqual(
        500,
      );
      const body: Body = await get(next);
      ids.push(...body.results.map(({ id }) => id));
      next = body.next;
      await between(ids);
    }
    return ids;
  }

  test('goes on after names that are too long for it and begin alike, also where its row was deleted', async () => {
    // Signs that share nothing cannot be made shorter.
    const sign = (n: number) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000));
    const beginning = [...Array(199)].map((_, n) => sign(n)).join('');
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1)
      ids.push((await createClient(shop.t, { name: beginning + sign(500 + n) })).id);
    for (const size of [1, 2, 5]) {
      const read = await namesRead(size);
      expect(new Set(read).size).toBe(read.length);
      expect(read.filter((id) => ids.includes(id))).toHaveLength(6);
    }
    let gone: number | undefined;
    const read = await namesRead(1, async (known) => {
      const last = known.at(-1)!;
      if (gone !== undefined || !ids.includes(last)) return;
      gone = last;
      await remove('clients', last);
    });
    for (const id of ids) expect(read).toContain(id);
  });
});
