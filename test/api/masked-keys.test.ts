import { beforeAll, expect, test } from 'vitest';
import { KEY_PERMISSIONS, type Permission } from '../../contract/people/permissions.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import type { ApiOperation } from '../../server/http/openapi-document.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { activate, createClient, createLicense } from '../factories.ts';

/** Without `licenses:read`, no answer of any route contains a readable licence key (docs/security.md). */

const KEY = /[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}/;

let t: TestApp;
let license: { id: number; license_key: string; client: { id: number } };
let others: string;
let reader: string;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-03-02T12:00:00.000Z', closeAfterTest: false });
  const client = await createClient(t);
  // Creates keys in all places: events, mails, the outbox, notifications, messages to a webhook, an import.
  await t.call('POST', '/licenses/api/webhooks/', { body: { url: 'https://93.184.216.34/x', types: ['*'] } });
  license = (await createLicense(t, { client: client.id, expiry_days: 5, max_installations: 1 })) as never;
  await activate(t, license.license_key, 'caja-1');
  await t.deliveredMail();
  await t.call('POST', `/licenses/api/licenses/${license.id}/replace_key/`, { body: {} });
  await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, {
    body: { notes: 'Antes AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' },
  });
  await t.call('POST', '/licenses/api/imports/?kind=licenses', {
    payload: 'Clave,Email\nAAAAA-BBBBB-CCCCC-DDDDD-EEEEE,ana@example.com\n',
    headers: { 'content-type': 'text/csv' },
  });
  await t.deliveredMail();
  const keyWith = async (permissions: Permission[]) =>
    (await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'Tienda', permissions } })).body.key;
  others = await keyWith([...KEY_PERMISSIONS].filter((name) => name !== 'licenses:read'));
  reader = await keyWith([...KEY_PERMISSIONS]);
  return t.close;
});

const filled = (path: string) => path.replace('{kind}', 'license_issued').replaceAll(/\{\w+\}/g, '1');
const QUERIES = ['', `?client=1`, '?license=1', '?q=caja', '?q=A', '?kind=licenses'];

/** The answers of all routes that read, and of all that change an existing licence. */
async function walk(token: string) {
  const found: { route: string; text: string; status: number }[] = [];
  const routes = Object.entries(apiDocument(t.app).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => [method.toUpperCase(), path, operation] as [string, string, ApiOperation],
    ),
  );
  for (const [method, path] of routes) {
    if (method === 'DELETE' || /api-keys|logout|signing-keys|\/file\/$/.test(path)) continue;
    for (const query of method === 'GET' ? QUERIES : ['']) {
      const { statusCode, body } = await t.app.inject({
        method: method as 'GET',
        url: filled(path) + query,
        headers: { authorization: `Bearer ${token}` },
        ...(method !== 'GET' && { payload: {} }),
      });
      // A key may make API_KEY_CALLS_PER_MINUTE calls a minute.
      if (found.length % 500 === 499) t.clock.advance(60_000);
      found.push({ route: `${method} ${path}${query}`, text: body, status: statusCode });
      // A key has a limit of calls in a minute, and the clock stands still.
      if (found.length % 300 === 0) t.clock.advance(60_000);
    }
  }
  t.clock.advance(60_000);
  return found;
}

test('without licenses:read no answer contains a licence key, and with it the same calls do', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 120_000,
}, async () => {
  const withKeys = (answers: Awaited<ReturnType<typeof walk>>) =>
    answers.filter(({ text }) => KEY.test(text)).map(({ route, status }) => `${status} ${route}`);
  // Example keys in the API document belong to nobody.
  const answers = await walk(others);
  expect(answers.filter(({ status }) => status === 429)).toEqual([]);
  expect(withKeys(answers)).toEqual([]);
  expect(withKeys(await walk(reader)).length).toBeGreaterThan(12);
});

test('an imported key, which may have any form, is masked too', async () => {
  await t.db
    .updateTable('licenses')
    .set({ license_key: 'VIEJO-0001' })
    .where('id', '=', license.id)
    .execute();
  await t.call('PATCH', `/licenses/api/licenses/${license.id}/`, { body: { notes: 'Otra' } });
  for (const url of ['/licenses/api/events/', '/licenses/api/events/export/', '/licenses/api/mails/']) {
    const { status, text } = await t.call('GET', url, { token: others });
    expect([url, status]).toEqual([url, 200]);
    expect(text, url).not.toContain('VIEJO-0001');
    expect(text, url).toContain('•••');
    expect((await t.call('GET', url, { token: reader })).text, url).toContain('VIEJO-0001');
  }
});

test('an imported key is masked in the exports of sales too', async () => {
  const { id } = await createLicense(t, { price: 9 });
  await t.db.updateTable('licenses').set({ license_key: 'VIEJO-0002' }).where('id', '=', id).execute();
  const url = '/licenses/api/reports/fiscal/export/?from=2026-01-01&to=2026-12-31';
  const { text } = await t.call('GET', url, { token: others });
  expect(text).not.toContain('VIEJO-0002');
  expect(text).toContain('•••');
  expect((await t.call('GET', url, { token: reader })).text).toContain('VIEJO-0002');
});

test('a caller who issues a licence gets its key', async () => {
  const { status, body } = await t.call('POST', '/licenses/api/licenses/', {
    token: others,
    body: { client: 1, software: 1, license_type: 'premium', price: 5 },
  });
  expect([status, KEY.test(body.license_key)]).toEqual([201, true]);
});
