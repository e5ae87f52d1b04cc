import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOGO_BYTES_MAX, LOGO_MESSAGES } from '../../../contract/settings/logo.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { jpeg, png } from '../../../test/pictures.ts';

/** The vendor's logo through the API (MAIL-03). */

const URL = '/licenses/api/settings/logo/';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: '2026-11-21T18:00:00.000Z', closeAfterTest: false });
  return t.close;
});
beforeEach(async () => {
  await t.call('DELETE', URL);
});

const upload = (payload: Buffer, type = 'image/png', headers: Record<string, string> = {}) =>
  t.call('PUT', URL, { payload, headers: { 'content-type': type, ...headers } });
const logoChanges = async () =>
  (await t.call('GET', '/licenses/api/events/?type=settings.updated')).body.results.map(
    ({ changes }: { changes: unknown }) => changes,
  );

test('a logo is stored as it was sent, and anyone can read it', async () => {
  expect((await t.call('GET', URL, { token: null })).status).toBe(404);
  const file = png(320, 80);
  const saved = await upload(file);
  expect([saved.status, saved.body.logo_updated_at]).toEqual([200, '2026-11-21T18:00:00.000Z']);
  expect((await t.call('GET', '/licenses/api/settings/')).body.logo_updated_at).toBe(
    saved.body.logo_updated_at,
  );

  const shown = await t.app.inject({ method: 'GET', url: URL });
  expect(shown.rawPayload.equals(file)).toBe(true);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=300',
    etag: saved.headers.etag,
  });
  const again = await t.call('GET', URL, { headers: { 'if-none-match': String(shown.headers.etag) } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('each change of the logo is an event, and uploading the same file again is none', async () => {
  await upload(png(320, 80));
  await upload(png(320, 80));
  await upload(jpeg(64, 48), 'image/jpeg');
  expect((await t.app.inject({ method: 'GET', url: URL })).headers['content-type']).toBe('image/jpeg');
  expect((await t.call('DELETE', URL)).body).toEqual({
    success: true,
    message: 'Logo eliminado exitosamente',
  });
  expect((await t.call('DELETE', URL)).status).toBe(404);
  expect((await t.call('GET', URL)).status).toBe(404);
  expect((await logoChanges()).slice(0, 3)).toEqual([
    { logo: { before: 'JPEG de 64 × 48 px', after: null } },
    { logo: { before: 'PNG de 320 × 80 px', after: 'JPEG de 64 × 48 px' } },
    { logo: { before: null, after: 'PNG de 320 × 80 px' } },
  ]);
});

test('a JPEG with fill bytes and empty markers before its size is accepted', async () => {
  const file = jpeg(64, 48);
  const filled = Buffer.concat([file.subarray(0, 8), Buffer.from([0xff, 0x01, 0xff]), file.subarray(8)]);
  expect((await upload(filled, 'image/jpeg')).status).toBe(200);
});

describe('a file that is not a valid logo is refused, and the old logo stays', () => {
  const good = png(320, 80);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

  test.each<[what: string, file: Buffer, type: string, status: number, message: string]>([
    ['text with the type of a PNG', svg, 'image/png', 400, LOGO_MESSAGES.broken],
    ['an empty file', Buffer.alloc(0), 'image/png', 400, LOGO_MESSAGES.broken],
    ['a PNG that is cut off', good.subarray(0, -12), 'image/png', 400, LOGO_MESSAGES.broken],
    ['a PNG that ends after its name', good.subarray(0, 20), 'image/png', 400, LOGO_MESSAGES.broken],
    ['a JPEG that is cut off', jpeg(64, 48).subarray(0, -2), 'image/jpeg', 400, LOGO_MESSAGES.broken],
    ['a PNG with the type of a JPEG', good, 'image/jpeg', 400, LOGO_MESSAGES.otherType],
    ['a picture that unfolds to gigabytes', png(30_000, 30_000), 'image/png', 400, LOGO_MESSAGES.side],
    ['a point', png(1, 1), 'image/png', 400, LOGO_MESSAGES.side],
  ])('when it is %s', async (_what, file, type, status, message) => {
    await upload(good);
    const { body, ...answer } = await upload(file, type);
    expect([answer.status, body.code, body.errors]).toEqual([status, 'invalid', { logo: [message] }]);
    expect((await t.app.inject({ method: 'GET', url: URL })).rawPayload.equals(good)).toBe(true);
  });

  test.each(['image/svg+xml', 'image/gif', 'application/json', 'text/plain'])(
    'a file of the type %s is refused',
    async (type) => {
      const { status, body } = await upload(svg, type);
      expect([status, body.code, body.message]).toEqual([415, 'unsupported_media_type', LOGO_MESSAGES.type]);
    },
  );

  test('a file of more than 200 kB is refused', async () => {
    const filled = (bytes: number) => png(320, 80, bytes);
    expect((await upload(filled(LOGO_BYTES_MAX))).status).toBe(200);
    const { status, body } = await upload(filled(LOGO_BYTES_MAX + 1));
    expect([status, body.code, body.message]).toEqual([413, 'too_large', LOGO_MESSAGES.size]);
  });
});

test('a stale change of the logo gets 412', async () => {
  const { headers } = await upload(png(320, 80));
  await upload(png(100, 100));
  const stale = { 'if-match': String(headers.etag) };
  expect((await upload(png(50, 50), 'image/png', stale)).status).toBe(412);
  expect((await t.call('DELETE', URL, { headers: stale })).status).toBe(412);
});

test('only users who may change settings can change the logo', async () => {
  const payload = png(320, 80);
  const headers = { 'content-type': 'image/png' };
  expect((await t.call('PUT', URL, { payload, headers, token: null })).status).toBe(401);
  expect((await t.call('DELETE', URL, { token: null })).status).toBe(401);
});
