import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createSoftware } from '../../../test/factories.ts';
import { FILE_TYPE, keyHash, machineHash, readLicenseFile, readToken } from '../../../test/license-token.ts';

const NOW = '2026-11-22T18:00:00.000Z';
const IAT = Date.parse(NOW) / 1000;
const DAY_S = 24 * 60 * 60;
const MACHINE = { machine_id: 'servidor-7', machine_name: 'Servidor de Ñuñoa' };

const urlOf = (id: number) => `/licenses/api/licenses/${id}/file/`;
const issue = (t: TestApp, id: number, body: object = MACHINE, headers: Record<string, string> = {}) =>
  t.call('POST', urlOf(id), { body, headers });

async function claimsOf(t: TestApp, text: string) {
  const { body } = await t.call('GET', '/.well-known/jwks.json', { token: null });
  return readToken(readLicenseFile(text), body.keys, FILE_TYPE).claims;
}

describe('the offline file of a machine', { tags: ['PROG-02'] }, () => {
  test('is an attachment with lines of 64 characters that contains a token for this machine, and takes a seat', async () => {
    const t = await createTestApp({ now: NOW });
    const { id: software } = await createSoftware(t, { name: 'Punto de Venta' });
    const license = await createLicense(t, { software, features: { usuarios: 25 } });
    const answer = await issue(t, license.id);

    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    const last = license.license_key.slice(-5).toLowerCase();
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="licencia-${last}-servidor-de-nunoa.lic"`,
    );
    const lines = answer.text.split('\n');
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([
      '-----BEGIN LICENSE FILE-----',
      '-----END LICENSE FILE-----',
      '',
    ]);
    expect(lines.slice(1, -3).every((line) => line.length === 64)).toBe(true);

    expect(await claimsOf(t, answer.text)).toEqual({
      iss: expect.any(String),
      aud: 'punto-de-venta',
      sub: String(license.id),
      iat: IAT,
      nbf: IAT,
      exp: IAT + 30 * DAY_S,
      jti: expect.any(String),
      mid: machineHash(MACHINE.machine_id),
      key_hash: keyHash(license.license_key),
      call: 'file',
      seat: true,
      valid: true,
      reason: null,
      status: 'active',
      license_type: 'premium',
      features: { usuarios: 25 },
      seats: 5,
      license_expires: license.expiry_date,
      usable_until: license.expiry_date,
      utc_offset: -6 * 60 * 60,
      in_grace: false,
      updates_until: null,
    });
    const found = await t.call('GET', `/licenses/api/licenses/${license.id}/`);
    expect(found.body).toMatchObject({ current_installations: 1, installations: [MACHINE] });
  });

  test('is one event, beside that of its seat, and a second file for the machine uses the same seat', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t);
    await issue(t, id);
    await issue(t, id, { machine_id: MACHINE.machine_id, ttl_days: 7 });
    const { body } = await t.call('GET', `/licenses/api/events/?license=${id}`);
    expect(body.results.map(({ type }: { type: string }) => type)).toEqual([
      'license.file_issued',
      'license.file_issued',
      'installation.activated',
      'license.issued',
    ]);
    expect(body.results[0]).toMatchObject({
      actor: { kind: 'user' },
      changes: {
        machine_name: { before: null, after: MACHINE.machine_name },
        file_ends: { before: null, after: new Date((IAT + 7 * DAY_S) * 1000).toISOString() },
      },
    });
    expect((await t.call('GET', `/licenses/api/licenses/${id}/`)).body.current_installations).toBe(1);
  });

  test('the days are limited to the end of the licence and its grace', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { expiry_days: 10, grace_days: 5 });
    const end = Date.parse(String(license.expiry_date)) / 1000 + 5 * DAY_S;
    const of = async (ttl_days: number) =>
      (await claimsOf(t, (await issue(t, license.id, { ...MACHINE, ttl_days })).text)).exp;
    expect(await of(1)).toBe(IAT + DAY_S);
    expect(await of(14)).toBe(IAT + 14 * DAY_S);
    expect(await of(16)).toBe(end);
    expect(await of(9_000_000_000)).toBe(end);
    const perpetual = await createLicense(t, { expiry_days: null });
    const { text } = await issue(t, perpetual.id, { ...MACHINE, ttl_days: 9_000_000_000 });
    expect((await claimsOf(t, text)).exp).toBe(IAT + 36_525 * DAY_S);
    // The key that signed it is kept just as long.
    const keys = await t.db
      .selectFrom('signing_keys')
      .select('files_end')
      .where('state', '=', 'current')
      .execute();
    expect(keys).toEqual([{ files_end: new Date((IAT + 36_525 * DAY_S) * 1000).toISOString() }]);
  });

  test('a repeated call with the same Idempotency-Key returns the same file and changes nothing again', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t);
    const key = { 'idempotency-key': 'archivo-1' };
    const first = await issue(t, id, MACHINE, key);
    const second = await issue(t, id, MACHINE, key);
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({
      'idempotency-replayed': 'true',
      'content-disposition': first.headers['content-disposition'],
    });
    expect((await issue(t, id, { machine_id: 'otra' }, key)).status).toBe(409);
    const { body } = await t.call('GET', `/licenses/api/events/?license=${id}&type=license.file_issued`);
    expect(body.results).toHaveLength(1);
  });

  test.each(['inactive', 'suspended', 'cancelled', 'expired'])(
    'a licence that is %s has none',
    async (status) => {
      const t = await createTestApp({ now: NOW });
      const { id } = await createLicense(t, { status: status as 'inactive' });
      const answer = await issue(t, id);
      expect([answer.status, answer.body.code]).toEqual([409, status]);
    },
  );

  test('without a free seat there is no file, except for a machine that has a seat', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, license_key } = await createLicense(t, { max_installations: 1 });
    await activate(t, license_key, 'caja-1');
    const answer = await issue(t, id);
    expect([answer.status, answer.body.code]).toEqual([409, 'installation_limit']);
    expect(answer.body).not.toHaveProperty('token');
    expect((await issue(t, id, { machine_id: 'caja-1' })).status).toBe(200);
  });

  test('invalid fields, an unknown licence, and a caller without the permission are refused', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await createLicense(t);
    expect((await issue(t, id, {})).body.errors).toEqual({
      machine_id: ['El identificador del equipo es obligatorio'],
    });
    for (const ttl_days of [0, -1, 1.5, '7', null]) {
      const { body } = await issue(t, id, { ...MACHINE, ttl_days });
      expect(body.errors).toEqual({ ttl_days: ['Los días deben ser un número entero mayor a 0'] });
    }
    expect((await issue(t, 999)).status).toBe(404);
    expect((await t.call('POST', urlOf(id), { body: MACHINE, token: null })).status).toBe(401);
    const { body } = await t.call('GET', `/licenses/api/installations/?license=${id}`);
    expect(body.count).toBe(0);
  });
});
