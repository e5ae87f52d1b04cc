import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../contract/people/permissions.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { importFile, undoImport } from '../../../test/import-file.ts';
import { runJob } from '../../../test/run-job.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { webhookJob } from '../webhooks/webhook-job.ts';
import { settledTags } from './settle-tags.ts';

/** Tags of clients and licences (DESK-03). */

const LISTS = ['clients', 'licenses'] as const;
type List = (typeof LISTS)[number];

const make = (t: TestApp, list: List, tags?: string[]) => {
  const values = tags === undefined ? {} : { tags };
  return list === 'clients' ? createClient(t, values) : createLicense(t, values);
};
const url = (list: List, id?: number) => `/licenses/api/${list}/${id === undefined ? '' : `${id}/`}`;
const put = (t: TestApp, list: List, id: number, body: object) => t.call('PUT', url(list, id), { body });
const tagsOf = async (t: TestApp, list: List, id: number): Promise<string[]> =>
  (await t.call('GET', url(list, id))).body.tags;
const found = async (t: TestApp, list: List, ...tags: string[]): Promise<number[]> => {
  const query = new URLSearchParams(tags.map((tag) => ['tag', tag]));
  const { body } = await t.call('GET', `${url(list)}?${query}`);
  return body.results.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b);
};
const used = async (t: TestApp, on: List) =>
  (await t.call('GET', `/licenses/api/tags/?on=${on}`)).body.results as { tag: string; count: number }[];
const bulk = (t: TestApp, list: List, body: object) => t.call('POST', `${url(list)}bulk_action/`, { body });
const keyOf = (one: object) =>
  'license_key' in one
    ? (one as { license_key: string }).license_key
    : (one as unknown as { email: string }).email;

async function keyWith(t: TestApp, ...permissions: Permission[]): Promise<string> {
  const { body } = await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Tienda', permissions } });
  return body.key;
}

describe.each(LISTS)('tags of %s', { tags: ['DESK-03'] }, (list) => {
  test('are stored in their order, replaced by a save, kept by one without them, and cleared by an empty list', async () => {
    const t = await createTestApp();
    const { id } = await make(t, list, [' VIP ', 'Norte,  centro', 'Ñandú 🦙']);
    const other = await make(t, list);
    expect([await tagsOf(t, list, id), await tagsOf(t, list, other.id)]).toEqual([
      ['VIP', 'Norte, centro', 'Ñandú 🦙'],
      [],
    ]);
    await put(t, list, id, { notes: 'nada' });
    expect(await tagsOf(t, list, id)).toHaveLength(3);
    expect((await put(t, list, id, { tags: ['Sur'] })).body.tags).toEqual(['Sur']);
    expect([await found(t, list, 'VIP'), await found(t, list, 'Sur')]).toEqual([[], [id]]);
    expect((await put(t, list, id, { tags: [] })).body.tags).toEqual([]);
    expect([await found(t, list, 'Sur'), await used(t, list)]).toEqual([[], []]);
  });

  test('are one tag whatever case, accents and spaces, and the first spelling stays', async () => {
    const t = await createTestApp();
    const first = await make(t, list, ['Campaña Ágil', 'campana agil']);
    const second = await make(t, list, ['CAMPANA  AGIL', 'otra']);
    for (const { id } of [first, second]) expect((await tagsOf(t, list, id))[0]).toBe('Campaña Ágil');
    expect(await tagsOf(t, list, first.id)).toHaveLength(1);
    for (const spelling of ['campaña ágil', ' CAMPANA AGIL '])
      expect(await found(t, list, spelling)).toEqual([first.id, second.id]);
    // The other kind of record has the same spelling.
    const another = list === 'clients' ? 'licenses' : 'clients';
    const { id } = await make(t, another, ['campana agil']);
    expect(await tagsOf(t, another, id)).toEqual(['Campaña Ágil']);
    // A tag that no record has now may be spelled anew.
    for (const one of [first, second]) await put(t, list, one.id, { tags: [] });
    await put(t, another, id, { tags: [] });
    expect((await put(t, list, second.id, { tags: ['campaña ágil'] })).body.tags).toEqual(['campaña ágil']);
  });

  test('a save that only spells or orders them otherwise is no change', async () => {
    const t = await createTestApp();
    const { id, updated_at } = await make(t, list, ['VIP', 'Norte']);
    const { body } = await put(t, list, id, { tags: ['norte', 'vip'] });
    expect([body.tags, body.updated_at]).toEqual([['VIP', 'Norte'], updated_at]);
  });

  test('are at most 20 of 40 characters, without semicolons, breaks and blanks; each error is at tags', async () => {
    const t = await createTestApp();
    const twenty = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const { id } = await make(t, list, [...twenty.slice(1), 'x'.repeat(40), 'T1']);
    const wrong: [unknown, string, string][] = [
      ['VIP', 'Indica una lista de etiquetas', 'invalid'],
      [null, 'Indica una lista de etiquetas', 'required'],
      [[5], 'Cada etiqueta es un texto', 'invalid'],
      [[null], 'Escribe la etiqueta', 'required'],
      [['  '], 'Escribe la etiqueta', 'required'],
      [['\u0301'], 'Escribe la etiqueta', 'required'],
      [['x'.repeat(41)], 'Cada etiqueta admite hasta 40 caracteres', 'too_long'],
      [['a;b'], 'Una etiqueta no lleva punto y coma ni saltos de línea', 'invalid'],
      [['a\nb'], 'Una etiqueta no lleva punto y coma ni saltos de línea', 'invalid'],
      [['a\u0000'], 'Una etiqueta no lleva punto y coma ni saltos de línea', 'invalid'],
      [['\ud800'], 'Una etiqueta no lleva punto y coma ni saltos de línea', 'invalid'],
      [[...twenty, 'una más'], 'Se admiten como máximo 20 etiquetas', 'too_long'],
    ];
    for (const [tags, message, code] of wrong) {
      const { status, body } = await put(t, list, id, { tags });
      expect([tags, status, body.errors, body.error_codes]).toEqual([
        tags,
        400,
        { tags: [message] },
        { tags: [code] },
      ]);
    }
    expect(await tagsOf(t, list, id)).toHaveLength(20);
  });

  test('narrow the list, its export and its bulk actions; with several, to what has them all', async () => {
    const t = await createTestApp();
    const both = await make(t, list, ['VIP', 'Norte']);
    const one = await make(t, list, ['VIP']);
    await make(t, list);
    expect(await found(t, list, 'vip')).toEqual([both.id, one.id]);
    expect(await found(t, list, 'vip', 'norte')).toEqual([both.id]);
    expect(await found(t, list, 'norte', 'vip', 'NORTE')).toEqual([both.id]);
    expect(await found(t, list, 'no existe')).toEqual([]);
    expect(await found(t, list, '')).toHaveLength(3);
    const counted = await t.call('GET', `${url(list)}?tag=vip&page=1&page_size=1`);
    expect(counted.body).toMatchObject({ count: 2, total_pages: 2 });
    const next = await t.call('GET', counted.body.next.replace(/^https?:\/\/[^/]+/, ''));
    expect(next.body.results.map(({ id }: { id: number }) => id)).toEqual([both.id]);
    const wrong = await t.call('GET', `${url(list)}?tag=${'x'.repeat(41)}`);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['tag']]);

    const file = await t.call('GET', `${url(list)}export/?tag=vip&tag=norte`);
    expect(parse(file.text, { bom: true, columns: true })).toMatchObject([{ Etiquetas: 'VIP;Norte' }]);

    const added = await bulk(t, list, {
      action: 'add_tag',
      tag: 'Feria',
      filters: { tag: ['vip', 'norte'] },
      expected_count: 1,
    });
    expect([added.status, added.body]).toMatchObject([200, { done: [both.id], failed: [] }]);
    expect((await bulk(t, list, { action: 'add_tag', tag: 'x', filters: { tag: '' } })).body.errors).toEqual({
      filters: ['tag: no puede estar vacío'],
    });
  });

  test('are added and removed in bulk, with an event for each record that changes', async () => {
    const t = await createTestApp();
    const first = await make(t, list, ['VIP']);
    const second = await make(t, list);
    const full = await make(
      t,
      list,
      Array.from({ length: 20 }, (_, n) => `t${n}`),
    );
    const ids = [first.id, second.id, full.id];
    const added = await bulk(t, list, { action: 'add_tag', tag: ' vip ', ids: [...ids, 99_999] });
    expect(added.body.done).toEqual([first.id, second.id]);
    expect(added.body.failed).toMatchObject([
      { id: full.id, code: 'invalid', message: 'Se admiten como máximo 20 etiquetas' },
      { id: 99_999, code: 'not_found' },
    ]);
    expect([await found(t, list, 'VIP'), await tagsOf(t, list, second.id)]).toEqual([
      [first.id, second.id],
      ['VIP'],
    ]);
    const removed = await bulk(t, list, { action: 'remove_tag', tag: 'víp', ids });
    expect([removed.body.done, await found(t, list, 'VIP')]).toEqual([ids, []]);
    const type = list === 'clients' ? 'client.updated' : 'license.updated';
    const events = await t.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', type)
      .orderBy('id')
      .execute();
    expect(events.map(({ subject_id, changes }) => [subject_id, JSON.parse(changes)])).toEqual([
      [second.id, { tags: { before: [], after: ['VIP'] } }],
      [first.id, { tags: { before: ['VIP'], after: [] } }],
      [second.id, { tags: { before: ['VIP'], after: [] } }],
    ]);
    for (const tag of [undefined, '', 'a;b']) {
      const { status, body } = await bulk(t, list, { action: 'add_tag', tag, ids });
      expect([tag, status, Object.keys(body.errors)]).toEqual([tag, 400, ['tag']]);
    }
    const key = await keyWith(t, `${list}:read`);
    for (const action of ['add_tag', 'remove_tag']) {
      const refused = await t.call('POST', `${url(list)}bulk_action/`, {
        token: key,
        body: { action, tag: 'x', ids },
      });
      expect(refused.status).toBe(403);
    }
  });

  test('stand in one cell of files: written, read, cleared by a hyphen, and refused at their field', async () => {
    const t = await createTestApp();
    const one = await make(t, list, ['=1+1', 'VIP']);
    const other = await make(t, list, ['Sur']);
    const exported = await t.call('GET', `${url(list)}export/`);
    const back = await importFile(t, list, exported.text, 'update');
    expect(back.progress.result).toMatchObject({ updated: 0, unchanged: 2, rows_with_errors: 0 });
    expect(await tagsOf(t, list, one.id)).toEqual(['=1+1', 'VIP']);

    const header = list === 'clients' ? 'Email,Tags' : 'Clave,Tags';
    const run = (...rows: string[]) => importFile(t, list, [header, ...rows].join('\r\n'), 'update');
    const { forecast } = await run(`${keyOf(one)},${'x'.repeat(41)}`);
    expect(forecast.errors).toMatchObject([{ row: 2, field: 'tags', code: 'too_long' }]);
    const { id, progress } = await run(`${keyOf(one)}," vip ; moroso;; VIP "`, `${keyOf(other)},-`);
    expect(progress.result).toMatchObject({ updated: 2, rows_with_errors: 0 });
    expect([await tagsOf(t, list, one.id), await tagsOf(t, list, other.id)]).toEqual([['VIP', 'moroso'], []]);

    // Meanwhile somebody spells a tag anew that nobody has.
    await make(t, list, ['sur']);
    t.clock.advance(60_000);
    await undoImport(t, id);
    expect([await tagsOf(t, list, one.id), await tagsOf(t, list, other.id)]).toEqual([
      ['=1+1', 'VIP'],
      ['sur'],
    ]);
    expect(await found(t, list, 'SUR')).toContain(other.id);
  });

  test('are counted by tags/, the most used first, for who may read these records', async () => {
    const t = await createTestApp();
    const gone = await make(t, list, ['Norte', 'Sur']);
    await make(t, list, ['Norte', 'Álamo']);
    await make(t, list, ['norte', 'Zorro']);
    expect(await used(t, list)).toEqual([
      { tag: 'Norte', count: 3 },
      ...['Álamo', 'Sur', 'Zorro'].map((tag) => ({ tag, count: 1 })),
    ]);
    expect(await used(t, list === 'clients' ? 'licenses' : 'clients')).toEqual([]);
    await t.call('DELETE', url(list, gone.id));
    expect((await used(t, list))[0]).toEqual({ tag: 'Norte', count: 2 });
    const call = (token: string | null, query: string) =>
      t.call('GET', `/licenses/api/tags/${query}`, { token });
    const reader = await keyWith(t, `${list}:read`);
    const stranger = await keyWith(t, 'software:read');
    expect((await call(reader, `?on=${list}`)).status).toBe(200);
    expect((await call(stranger, `?on=${list}`)).status).toBe(403);
    expect((await call(null, `?on=${list}`)).status).toBe(401);
    for (const query of ['', '?on=software']) {
      const { status, body } = await call(reader, query);
      expect([status, body.errors]).toEqual([400, { on: ['Indica clients o licenses'] }]);
    }
  });

  test('are in no webhook message, neither in the record nor in its changes', async () => {
    const t = await createTestApp();
    const receiver = await startReceiver();
    await t.call('POST', '/licenses/api/webhooks/', {
      body: { url: receiver.url, types: ['client.*', 'license.*'] },
    });
    const { id } = await make(t, list, ['Moroso']);
    await put(t, list, id, { tags: ['Se muda'], notes: 'y más' });
    await runJob(t.context, webhookJob);
    const texts = JSON.stringify(receiver.received.map(({ body }) => body));
    expect(texts).toContain(list === 'clients' ? 'client.updated' : 'license.updated');
    expect(texts).not.toMatch(/tags|Moroso|Se muda/);
  });
});

test('two people who write the same new tag at once get one spelling', { tags: ['DESK-03'] }, async () => {
  const t = await createTestApp();
  const clients = [];
  for (let index = 0; index < 6; index += 1) clients.push(await createClient(t));
  const spellings = ['Feria', 'FERIA', 'feria', 'Fería', 'fEria', 'ferIA'];
  const answers = await Promise.all(
    clients.map(({ id }, index) => put(t, 'clients', id, { tags: [spellings[index]!, 'b', 'a'] })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.tags[0])).size).toBe(1);
  expect(await used(t, 'clients')).toContainEqual({ tag: answers[0]!.body.tags[0], count: 6 });
});

test('licences of a batch have its tags, and their actions keep them', { tags: ['DESK-03'] }, async () => {
  const t = await createTestApp();
  const license = await createLicense(t, { tags: ['Feria'] });
  const { body } = await t.call('POST', '/licenses/api/licenses/batch/', {
    body: {
      ...{ client: license.client.id, software: license.software.id, license_type: 'basic', price: 5 },
      ...{ quantity: 3, tags: ['feria', 'Lote'] },
    },
  });
  expect(await found(t, 'licenses', 'feria', 'lote')).toEqual(
    body.licenses.map(({ id }: { id: number }) => id),
  );
  const other = await createClient(t);
  for (const [path, sent] of [
    ['renew', {}],
    ['suspend', {}],
    ['reinstate', {}],
    ['transfer', { client: other.id }],
    ['replace_key', {}],
  ] as const) {
    const answer = await t.call('POST', `${url('licenses', license.id)}${path}/`, {
      body: { notify: false, ...sent },
    });
    expect([path, answer.status, answer.body.tags]).toEqual([path, 200, ['Feria']]);
  }
});

test('go with a client that is erased, also from events, answers and the list of spellings', {
  tags: ['DESK-03'],
}, async () => {
  const t = await createTestApp();
  const client = await createClient(t, { name: 'Quetzalli', tags: ['Primo de Xóchitl', 'VIP'] });
  await createClient(t, { tags: ['VIP'] });
  const license = await createLicense(t, { client: client.id, tags: ['La de su primo'] });
  await t.call('PUT', url('licenses', license.id), {
    body: { tags: ['La de su prima'] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  await t.call('PUT', url('clients', client.id), {
    body: { tags: ['Prima de Xóchitl', 'VIP'] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  const { body: data } = await t.call('GET', `${url('clients', client.id)}data/`);
  expect([data.client.tags, data.client.licenses[0].tags]).toEqual([
    ['Prima de Xóchitl', 'VIP'],
    ['La de su prima'],
  ]);
  await t.call('POST', `${url('licenses', license.id)}cancel/`, { body: { reason: 'Fin', notify: false } });
  const erased = await t.call('POST', `${url('clients', client.id)}erase/`, { body: { reason: 'Lo pidió' } });
  expect(erased.status).toBe(200);
  expect([await tagsOf(t, 'clients', client.id), await tagsOf(t, 'licenses', license.id)]).toEqual([[], []]);
  const kept = await Promise.all(
    (['events', 'idempotency_keys', 'tags', 'clients', 'licenses', 'outbox'] as const).map((table) =>
      t.db.selectFrom(table).selectAll().execute(),
    ),
  );
  expect(JSON.stringify(kept)).not.toMatch(/Prim[oa] de|su prim/);
  expect(await used(t, 'clients')).toEqual([{ tag: 'VIP', count: 1 }]);
});

describe('several connections', { tags: ['DESK-03'] }, () => {
  const isPostgres = process.env.TEST_ENGINE === 'postgres';

  /** Waits until a statement of this database waits for a lock. */
  async function somebodyWaits(t: TestApp): Promise<void> {
    await expect
      .poll(
        async () => {
          const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
          return rows[0]?.n;
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
  }

  test.runIf(isPostgres)('a tag that is removed while a save waits for it is stored again', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    await t.db.insertInto('tags').values({ tag_key: 'vip', tag: 'Vip' }).execute();
    let saving: ReturnType<typeof put> | undefined;
    await t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('tags').select('id').forUpdate().execute();
      saving = put(t, 'clients', id, { tags: ['VIP'] });
      await somebodyWaits(t);
      await tx.deleteFrom('tags').execute();
    });
    expect((await saving)?.body.tags).toEqual(['VIP']);
    expect(await found(t, 'clients', 'vip')).toEqual([id]);
  });

  test.runIf(isPostgres)('who spells a used tag otherwise makes nobody wait', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { tags: ['VIP'] });
    await t.db.transaction().execute(async (tx) => {
      expect(await settledTags(tx, ['vip'])).toBe('["VIP"]');
      expect((await put(t, 'clients', id, { tags: ['vip', 'Norte'] })).status).toBe(200);
    });
  });

  test('a client that is erased while others write its tags is erased, and they are answered', async () => {
    const t = await createTestApp();
    for (let time = 0; time < 5; time += 1) {
      const tags = [`a${time}`, `b${time}`];
      const { id } = await createClient(t, { tags });
      const answers = await Promise.all([
        put(t, 'clients', id, { tags: [tags[0]!, 'otra'] }),
        t.call('POST', `${url('clients', id)}erase/`, { body: { reason: 'Lo pidió' } }),
        put(t, 'clients', id, { tags: [tags[1]!, 'otra'] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  test('housekeeping removes the spellings that nobody uses', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { tags: ['Primo de Ana', 'VIP'] });
    await put(t, 'clients', id, { tags: ['VIP'] });
    await runJob(t.context, housekeepingJob);
    expect(await t.db.selectFrom('tags').select('tag').execute()).toEqual([{ tag: 'VIP' }]);
  });
});
