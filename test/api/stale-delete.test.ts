import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** A deletion with the version that the caller read (D091, docs/decisions/009). */

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe.each<[path: string, create: (app: TestApp) => Promise<{ id: number }>, change: object]>([
  ['clients', createClient, { notes: 'cambiado' }],
  ['software', createSoftware, { description: 'cambiado' }],
  ['license-types', createLicenseType, { description: 'cambiado' }],
  ['licenses', createLicense, { notes: 'cambiado' }],
])('DELETE of %s with If-Match', (path, create, change) => {
  const record = async () => {
    const { id } = await create(app);
    const url = `/licenses/api/${path}/${id}/`;
    const { headers } = await app.call('GET', url);
    return { url, etag: String(headers.etag) };
  };
  const remove = (url: string, ifMatch: string) =>
    app.call('DELETE', url, { headers: { 'if-match': ifMatch } });

  test('a stale version gets 412 with the current record, and nothing is deleted (D091)', async () => {
    const { url, etag } = await record();
    await app.call('PUT', url, { body: change });

    const { status, body } = await remove(url, etag);

    expect([status, body.code]).toEqual([412, 'stale']);
    const stored = await app.call('GET', url);
    expect(stored.status).toBe(200);
    expect(body.current).toEqual(stored.body);
  });

  test('the current version is deleted', async () => {
    const { url, etag } = await record();
    expect((await remove(url, etag)).status).toBe(200);
    expect((await app.call('GET', url)).status).toBe(404);
  });

  test('any version is deleted with * or without the header', async () => {
    const [any, none] = [await record(), await record()];
    expect((await remove(any.url, '*')).status).toBe(200);
    expect((await app.call('DELETE', none.url)).status).toBe(200);
  });

  test('a missing record gets 404 with any version', async () => {
    const { url, etag } = await record();
    await app.call('DELETE', url);
    expect((await remove(url, etag)).status).toBe(404);
    expect((await remove(url, '*')).status).toBe(404);
  });
});

test('a stale version is reported before existing licences (D013, D091)', async () => {
  const license = await createLicense(app);
  for (const [path, id] of [
    ['clients', license.client.id],
    ['software', license.software.id],
  ]) {
    const url = `/licenses/api/${path}/${id}/`;
    const { headers } = await app.call('GET', url);
    const remove = (ifMatch: string) => app.call('DELETE', url, { headers: { 'if-match': ifMatch } });
    expect((await remove('"otra"')).status).toBe(412);
    expect((await remove(String(headers.etag))).status).toBe(409);
  }
});
