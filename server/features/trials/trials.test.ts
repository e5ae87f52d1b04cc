import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';

const NOON = '2026-11-26T18:00:00.000Z';
const API = '/licenses/api';

async function offered(t: TestApp, values: Record<string, unknown> = {}) {
  const type = await createLicenseType(t, {
    name: 'Prueba de 15 días',
    base_price: 100,
    validity_days: 15,
    max_installations: 1,
    features: { modulo: true },
  });
  const software = await createSoftware(t, { name: 'Caja', trial_type: type.id, ...values });
  const start = (machine_id: string, more: Record<string, unknown> = {}, ip = '203.0.113.5') =>
    t.call('POST', `${API}/trial/`, {
      token: null,
      headers: { 'x-forwarded-for': ip },
      body: { software: software.code, machine_id, ...more },
    });
  const license = async (key: string) =>
    (await t.call('GET', `${API}/licenses/?license_key=${key}`)).body.results[0];
  const clientOf = async (key: string) => {
    const { client } = await license(key);
    return (await t.call('GET', `${API}/clients/${client.id}/`)).body;
  };
  return { type, software, start, license, clientOf };
}

/** Each caller in these tests has a different IP address. */
const app = (now = NOON) => createTestApp({ now, env: { TRUST_PROXY: '127.0.0.1' } });

describe('the trial settings of a software', { tags: ['SELL-04'] }, () => {
  test('offer no trials by default, and a PUT turns them on', async () => {
    const t = await createTestApp();
    const type = await createLicenseType(t);
    const software = await createSoftware(t);
    expect(software).toMatchObject({ trial_type: null, trial_email: 'no', trial_daily_limit: 200 });
    const body = { trial_type: type.id, trial_email: 'optional', trial_daily_limit: 7 };
    const put = await t.call('PUT', `${API}/software/${software.id}/`, { body });
    expect(put.body).toMatchObject({ ...body, trial_type_name: type.name });
    await t.call('DELETE', `${API}/license-types/${type.id}/`);
    const after = await t.call('GET', `${API}/software/${software.id}/`);
    expect(after.body).toMatchObject({ trial_type: null, trial_type_name: null });
  });

  test.each([
    [{ trial_type: 999_999 }, 'trial_type'],
    [{ trial_email: 'yes' }, 'trial_email'],
    [{ trial_daily_limit: 0 }, 'trial_daily_limit'],
    [{ trial_daily_limit: 10_001 }, 'trial_daily_limit'],
  ])('a save with %j is 400 at its field', async (body, field) => {
    const t = await createTestApp();
    const software = await createSoftware(t);
    const { status, body: answer } = await t.call('PUT', `${API}/software/${software.id}/`, { body });
    expect({ status, fields: Object.keys(answer.errors) }).toEqual({ status: 400, fields: [field] });
  });
});

describe('a trial without an account', { tags: ['SELL-04'] }, () => {
  test('is a licence of the newest active version that offers trials, with a seat for the machine', async () => {
    const t = await app();
    const { type, start, license } = await offered(t, { version: '1.0' });
    t.clock.advance(1000);
    const newest = await createSoftware(t, { name: 'Caja', version: '2.0', trial_type: type.id });
    t.clock.advance(1000);
    await createSoftware(t, { name: 'Caja', version: '3.0' });
    await createSoftware(t, { name: 'Caja', version: '4.0', trial_type: type.id, is_active: false });
    const { status, body } = await start('caja-1', {
      machine_name: 'Caja 1',
      app_version: '2.0.1',
      os: 'Windows 11',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ success: true, license_key: expect.any(String), expiry_date: '2026-12-12T05:59:59.000Z' },
      ...{ valid: true, reason: null },
    });
    const stored = await license(body.license_key);
    expect(stored).toMatchObject({
      ...{ status: 'trial', license_type: 'trial', license_type_config: type.id },
      ...{ software: { id: newest.id }, current_installations: 1, features: { modulo: true } },
    });
    const events = await t.call('GET', `${API}/events/?license=${stored.id}`);
    expect(events.body.results.map((event: { type: string }) => event.type)).toEqual([
      'installation.activated',
      'license.issued',
    ]);
    for (const { actor } of events.body.results)
      expect(actor).toMatchObject({ kind: 'machine', name: 'Caja 1' });
    const validated = await t.call('POST', `${API}/license/validate/`, {
      token: null,
      body: { license_key: body.license_key, machine_id: 'caja-1', require_seat: true },
    });
    expect(validated.body.valid).toBe(true);
  });

  test('belongs to the client Pruebas, which has no email and no portal', async () => {
    const t = await app();
    const { start, clientOf } = await offered(t);
    await t.call('PUT', `${API}/settings/`, { body: { portal_enabled: true } });
    const { body } = await start('caja-1', { email: 'ana@example.com' });
    const other = await start('caja-2');
    const client = await clientOf(body.license_key);
    expect(client).toMatchObject({
      ...{ name: 'Pruebas', email: 'pruebas@trial.invalid', phone: '', is_system: true, reminders: false },
    });
    expect((await clientOf(other.body.license_key)).id).toBe(client.id);
    expect((await t.call('POST', `${API}/clients/${client.id}/portal/invite/`)).status).toBe(409);
    await t.call('POST', `${API}/licenses/${client.licenses[0].id}/resend_email/`);
    const ticket = await t.call('POST', `${API}/portal/ticket/`, {
      token: null,
      body: { license_key: body.license_key, machine_id: 'caja-1' },
    });
    expect(ticket.status).toBe(404);
    expect(await t.deliveredMail()).toEqual([]);
  });

  test('is the same for the same machine, ends with its licence, and takes its seat again', async () => {
    const t = await app();
    const { start, license } = await offered(t);
    const first = await start('caja-1');
    const stored = await license(first.body.license_key);
    const again = await start('caja-1');
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    await t.call(
      'DELETE',
      `${API}/installations/${(await t.call('GET', `${API}/licenses/${stored.id}/`)).body.installations[0].id}/`,
    );
    expect((await start('caja-1')).body).toMatchObject({ valid: true });
    expect((await license(first.body.license_key)).current_installations).toBe(1);
    await t.call('POST', `${API}/licenses/${stored.id}/suspend/`, { body: {} });
    expect((await start('caja-1')).body).toMatchObject({ valid: false, reason: 'suspended' });
    await t.call('POST', `${API}/licenses/${stored.id}/reinstate/`, { body: {} });
    t.clock.set('2026-12-20T18:00:00.000Z');
    const ended = await start('caja-1');
    expect({ status: ended.status, body: ended.body }).toEqual({
      status: 200,
      body: { ...first.body, valid: false, reason: 'trial_ended' },
    });
  });

  test('is 409 without key and client after it was renewed with a type', async () => {
    const t = await app();
    const { start, license } = await offered(t);
    const year = await createLicenseType(t, { name: 'Anual', base_price: 1200 });
    const { body } = await start('caja-1');
    const stored = await license(body.license_key);
    const renewed = await t.call('POST', `${API}/licenses/${stored.id}/renew/`, {
      body: { license_type_config: year.id, license_type: 'premium' },
    });
    expect(renewed.body).toMatchObject({ license_key: body.license_key, current_installations: 1 });
    const after = await start('caja-1');
    expect({ status: after.status, code: after.body.code }).toEqual({ status: 409, code: 'trial_converted' });
    expect(after.text).not.toContain(body.license_key);
    await t.call('DELETE', `${API}/licenses/${stored.id}/`);
    expect((await start('caja-1')).status).toBe(201);
  });

  test('is created once by 200 concurrent calls of one machine', async () => {
    const t = await app();
    const { start } = await offered(t);
    const all = await Promise.all(Array.from({ length: 200 }, () => start('caja-1')));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(199);
    expect(new Set(all.flatMap(({ body }) => body.license_key ?? [])).size).toBe(1);
    expect(await t.db.selectFrom('licenses').select('id').execute()).toHaveLength(1);
    expect(await t.db.selectFrom('clients').select('id').execute()).toHaveLength(1);
  });

  test('is no revenue until it is renewed', async () => {
    const t = await app();
    const { start, license } = await offered(t);
    const { body } = await start('caja-1');
    const { id } = await license(body.license_key);
    const counted = async () =>
      (await t.db.selectFrom('license_terms').select(['is_counted']).orderBy('id').execute()).map(
        (term) => term.is_counted,
      );
    expect(await counted()).toEqual([false]);
    await t.call('POST', `${API}/licenses/${id}/suspend/`, { body: {} });
    await t.call('POST', `${API}/licenses/${id}/reinstate/`, { body: {} });
    await t.call('PUT', `${API}/licenses/${id}/`, { body: { status: 'cancelled' } });
    await t.call('PUT', `${API}/licenses/${id}/`, { body: { status: 'trial' } });
    expect(await counted()).toEqual([false]);
    const year = await createLicenseType(t, { base_price: 1200 });
    await t.call('POST', `${API}/licenses/${id}/renew/`, {
      body: { license_type_config: year.id, license_type: 'premium' },
    });
    expect(await counted()).toEqual([false, true]);
    const revenue = await t.call('GET', `${API}/statistics/revenue/`);
    expect(revenue.text).toContain('1200');
  });

  test('a trial with an unknown email creates a new client, who gets the licence', async () => {
    const t = await app();
    const { start, clientOf } = await offered(t, { trial_email: 'optional' });
    const { status, body } = await start('caja-1', { email: ' Ana@Example.com ', name: 'Ana Ríos' });
    expect(status).toBe(201);
    expect(await clientOf(body.license_key)).toMatchObject({
      ...{ name: 'Ana Ríos', email: 'Ana@Example.com', phone: '', is_system: false },
    });
    const accented = await start('caja-3', { email: 'ana@muñoz.mx' });
    expect(await clientOf(accented.body.license_key)).toMatchObject({
      ...{ name: 'ana@muñoz.mx', email: 'ana@xn--muoz-hqa.mx' },
    });
    const second = await start('caja-2', { email: 'luis@example.com' });
    expect((await clientOf(second.body.license_key)).name).toBe('luis@example.com');
    const mails = await t.deliveredMail();
    expect(mails.map(({ to }) => to![0]!.address)).toEqual([
      'Ana@example.com',
      'ana@xn--muoz-hqa.mx',
      'luis@example.com',
    ]);
    expect(mails[0]!.text).toContain(body.license_key);
  });

  test('a trial with the email of a client does not change that client, and gets the same answer', async () => {
    const t = await app();
    const { start, license, clientOf } = await offered(t, { trial_email: 'required' });
    const client = await createClient(t, { email: 'ana@example.com' });
    const fresh = await start('caja-1', { email: 'nueva@example.com' });
    const taken = await start('caja-2', { email: 'ANA@example.com', name: 'Otra' });
    expect(Object.keys(taken.body)).toEqual(Object.keys(fresh.body));
    expect(taken.status).toBe(201);
    expect((await clientOf(taken.body.license_key)).is_system).toBe(true);
    expect((await license(taken.body.license_key)).trial_email).toBe('ANA@example.com');
    const after = await t.call('GET', `${API}/clients/${client.id}/`);
    expect(after.body).toMatchObject({ name: client.name, licenses: [], updated_at: client.updated_at });
    expect((await t.deliveredMail()).map(({ to }) => to![0]!.address)).toEqual(['nueva@example.com']);
  });

  test('loses the email of a client who is erased', async () => {
    const t = await app();
    const { start, license } = await offered(t, { trial_email: 'optional' });
    const client = await createClient(t, { email: 'ana@example.com' });
    const { body } = await start('caja-1', { email: 'ANA@example.com' });
    const erased = await t.call('POST', `${API}/clients/${client.id}/erase/`, {
      body: { reason: 'Lo pidió' },
    });
    expect(erased.status).toBe(200);
    expect((await license(body.license_key)).trial_email).toBeNull();
  });

  test('accepts an email later while it belongs to Pruebas', async () => {
    const t = await app();
    const { start, clientOf } = await offered(t, { trial_email: 'optional' });
    const { body } = await start('caja-1');
    const later = await start('caja-1', { email: 'ana@example.com', name: 'Ana' });
    expect(later.body).toEqual(body);
    expect(await clientOf(body.license_key)).toMatchObject({ name: 'Ana', is_system: false });
    await start('caja-1', { email: 'otra@example.com' });
    expect((await clientOf(body.license_key)).email).toBe('ana@example.com');
    expect((await t.deliveredMail()).map(({ to }) => to![0]!.address)).toEqual(['ana@example.com']);
  });

  test('keeps an email that comes later when a part of its price came in: a person decides whose it is (MONEY-06)', async () => {
    const t = await app();
    const { start, license, clientOf } = await offered(t, { trial_email: 'optional' });
    const { body } = await start('caja-1');
    const { id } = await license(body.license_key);
    const type = await createLicenseType(t, { base_price: 1000 });
    const line = { license: id, kind: 'upgrade', license_type_config: type.id };
    const asked = await t.call('POST', `${API}/payment-requests/`, {
      body: { lines: [line], notify: false },
    });
    const part = { method: 'cash', amount: 400 };
    await t.call('POST', `${API}/payment-requests/${asked.body.id}/mark_paid/`, { body: part });
    const later = await start('caja-1', { email: 'ana@example.com' });
    expect([later.status, later.body]).toEqual([200, body]);
    expect((await clientOf(body.license_key)).is_system).toBe(true);
    expect((await license(body.license_key)).trial_email).toBe('ana@example.com');
  });

  test('is refused for an unknown software, one without trials, and when a required email is missing', async () => {
    const t = await app();
    const { software, start } = await offered(t, { trial_email: 'required' });
    await createSoftware(t, { name: 'Otro' });
    const codeOf = async (more: Record<string, unknown>) => {
      const { status, body } = await start('caja-1', more);
      return [status, body.code, Object.keys(body.errors ?? {})];
    };
    expect(await codeOf({ software: 'nada' })).toEqual([400, 'invalid', ['software']]);
    expect(await codeOf({ software: undefined })).toEqual([400, 'invalid', ['software']]);
    expect(await codeOf({ software: 'otro' })).toEqual([403, 'not_allowed', []]);
    expect(await codeOf({})).toEqual([400, 'invalid', ['email']]);
    expect(await codeOf({ email: '' })).toEqual([400, 'invalid', ['email']]);
    expect(await codeOf({ email: 'ana@' })).toEqual([400, 'invalid', ['email']]);
    expect(await codeOf({ software: software.name, email: 'ana@example.com' })).toEqual([201, undefined, []]);
  });

  test('ignores any email when the software asks for none', async () => {
    const t = await app();
    const { start, clientOf } = await offered(t);
    const { status, body } = await start('caja-1', { email: 'no es un correo' });
    expect(status).toBe(201);
    expect((await clientOf(body.license_key)).is_system).toBe(true);
  });

  test("is limited to 5 a day per address and to the software's daily limit, and calls that return an existing trial do not count", async () => {
    const t = await app();
    const { start } = await offered(t, { trial_daily_limit: 14 });
    for (let index = 0; index < 5; index += 1) {
      expect((await start(`caja-${index}`)).status).toBe(201);
      expect((await start(`caja-${index}`)).status).toBe(200);
    }
    const sixth = await start('caja-5');
    expect({ status: sixth.status, code: sixth.body.code }).toEqual({ status: 429, code: 'trial_limit' });
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(80_000);
    expect((await start('caja-5', {}, '198.51.100.1')).status).toBe(201);
    expect((await start('caja-6', {}, '198.51.100.1')).status).toBe(201);
    for (let index = 7; index < 14; index += 1) {
      expect((await start(`caja-${index}`, {}, `192.0.2.${index}`)).status).toBe(201);
    }
    expect((await start('caja-14', {}, '198.51.100.2')).body.code).toBe('trial_limit');
    expect((await start('caja-0')).status).toBe(200);
    t.clock.advance(24 * 60 * 60_000 + 1000);
    expect((await start('caja-14')).status).toBe(201);
  });

  test('half of the daily limit is kept for addresses that started none that day', async () => {
    const t = await app();
    const { start } = await offered(t, { trial_daily_limit: 10 });
    const from = async (ip: string, count: number) => {
      const started = [];
      for (let index = 0; index < count; index += 1) started.push(start(`${ip} ${index}`, {}, ip));
      return (await Promise.all(started)).filter(({ status }) => status === 201).length;
    };
    expect(await from('203.0.113.1', 5)).toBe(5);
    expect(await from('203.0.113.2', 5)).toBe(1);
    expect(await from('203.0.113.1', 2)).toBe(0);
    const newcomers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => from(`198.51.100.${index}`, 1)),
    );
    expect(newcomers.reduce((sum, count) => sum + count, 0)).toBe(4);
  });

  test('the /64 and the /48 of an IPv6 address are limited, and one /48 leaves room for others', async () => {
    const t = await app();
    const { start } = await offered(t, { trial_daily_limit: 10 });
    const of = (network: string) => start(network, {}, `${network}::1`);
    const statuses = [];
    for (let index = 0; index < 12; index += 1) statuses.push((await of(`2001:db8:1:${index}`)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect((await of('2001:db8:2:1')).status).toBe(201);
    const { start: other } = await offered(t, { name: 'Otro', trial_daily_limit: 10_000 });
    let started = 0;
    for (let index = 0; index < 25; index += 1) {
      const { status } = await other(`equipo-${index}`, {}, `2001:db8:3:${index}::1`);
      if (status === 201) started += 1;
    }
    expect(started).toBe(20);
    const sameNetwork = [];
    for (let index = 0; index < 6; index += 1) {
      sameNetwork.push((await other(`casa-${index}`, {}, `2001:db8:4:1::${index}`)).status);
    }
    expect(sameNetwork).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test('a machine that starts its trial again in a loop gets 429', async () => {
    const t = await app();
    const { start } = await offered(t);
    const statuses = [];
    for (let index = 0; index < 242; index += 1) statuses.push((await start('caja-1')).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.slice(0, 200)).not.toContain(429);
    t.clock.advance(60_000);
    expect((await start('caja-1')).status).toBe(200);
  });

  test('can be started by pages of any origin, and is signed when a nonce is sent', async () => {
    const t = await app();
    const { start, software } = await offered(t);
    const { body } = await start('caja-1', { nonce: 'a'.repeat(20) });
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({
      ...{ aud: software.code, call: 'activate', nonce: 'a'.repeat(20), valid: true, license_type: 'trial' },
    });
    const answer = await t.call('POST', `${API}/trial/`, {
      token: null,
      headers: { origin: 'https://otra.example' },
      body: { software: software.code, machine_id: 'caja-1' },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});
