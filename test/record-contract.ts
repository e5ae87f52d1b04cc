import { beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';

/** Common behaviour of all kinds of records, with the paths and texts of one kind. */
export type RecordKind = {
  /** The path of the list; a record is at '{id}/' below it. */
  path: string;
  create: (t: TestApp) => Promise<{ id: number; updated_at: string }>;
  /** A valid change of one text field. */
  change: (text: string) => object;
  notFound: string;
  deleted: string;
  /** Further calls: those below the list, and those below a record. */
  calls: { list: [method: string, path: string][]; one: [method: string, path: string][] };
  /** A valid body of bulk_update; absent: the kind has none. */
  updates?: object;
};

/** The tests that all kinds of records share: sessions, unknown ids, versions, deletion, bulk_update. */
export function recordContract(kind: RecordKind): void {
  const { path, change, create, calls, updates } = kind;
  const one = (id: number) => `${path}${id}/`;

  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ closeAfterTest: false });
    return t.close;
  });

  test('every call requires a session (SEED-6-01)', async () => {
    const all = [
      ...['GET', 'POST'].map((method) => [method, path] as const),
      ...calls.list.map(([method, below]) => [method, `${path}${below}`] as const),
      ...['GET', 'PUT', 'DELETE'].map((method) => [method, one(1)] as const),
      ...calls.one.map(([method, below]) => [method, `${one(1)}${below}`] as const),
    ];
    for (const [method, url] of all) {
      const { status, body } = await t.call(method, url, {
        token: null,
        ...(method !== 'GET' && { body: {} }),
      });
      expect([method, url, status, body]).toEqual([
        ...[method, url, 401],
        { success: false, code: 'unauthorized', message: 'Unauthorized' },
      ]);
    }
  });

  test('an unknown id gets 404 with the message of the screen', async () => {
    const unknown = one(987_654);
    const all = [
      ...['GET', 'PUT', 'DELETE'].map((method) => [method, unknown] as const),
      ...calls.one.map(([method, below]) => [method, `${unknown}${below}`] as const),
    ];
    for (const [method, url] of all) {
      const { status, body } = await t.call(method, url, method === 'PUT' ? { body: change('X') } : {});
      expect([method, url, status, body]).toEqual([
        ...[method, url, 404],
        { success: false, code: 'not_found', message: kind.notFound },
      ]);
    }
  });

  test('a stale version in updated_at or If-Match gets 412 with the current record (D091)', async () => {
    const before = await create(t);
    const etag = String((await t.call('GET', one(before.id))).headers.etag);
    const saved = await t.call('PUT', one(before.id), {
      body: change('Primera'),
      headers: { 'if-match': etag },
    });
    expect(saved.status).toBe(200);
    for (const options of [
      { body: { ...change('Segunda'), updated_at: before.updated_at } },
      { body: change('Segunda'), headers: { 'if-match': etag } },
      { body: { ...change('Segunda'), updated_at: 'no es una fecha' } },
    ]) {
      const refused = await t.call('PUT', one(before.id), options);
      expect(refused.status).toBe(412);
      expect(refused.body).toMatchObject({
        code: 'stale',
        message: 'Este registro fue modificado por otra persona',
        current: saved.body,
      });
    }
    const last = await t.call('PUT', one(before.id), {
      body: change('Segunda'),
      headers: { 'if-match': String(saved.headers.etag) },
    });
    expect(last.status).toBe(200);
  });

  test('of twenty concurrent saves of one version one succeeds (D091)', async () => {
    const { id, updated_at } = await create(t);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        t.call('PUT', one(id), { body: { ...change(`N${number}`), updated_at } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  test('a deletion answers with a message, and a second one with 404', async () => {
    const { id } = await create(t);
    const { status, body } = await t.call('DELETE', one(id));
    expect([status, body]).toEqual([200, { success: true, message: kind.deleted }]);
    expect((await t.call('GET', one(id))).status).toBe(404);
    expect((await t.call('DELETE', one(id))).status).toBe(404);
  });

  if (updates === undefined) return;
  test('bulk_update lists all ids when none exists, and changes nothing (D112)', async () => {
    const { id } = await create(t);
    const before = await t.call('GET', one(id));
    const { status, body } = await t.call('PATCH', `${path}bulk_update/`, {
      body: { ids: [987_654, 987_655], updates },
    });
    expect([status, body]).toEqual([200, { success: true, updated: 0, not_found: [987_654, 987_655] }]);
    expect((await t.call('GET', one(id))).body).toEqual(before.body);
  });
}
