import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { License, LicenseInput } from '../../../contract/licenses/licenses.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType } from '../../../test/factories.ts';
import { Browser, setSettings } from '../../../test/portal.ts';

/** The actions of a client in the portal: releases, files, requests, mails, certificates (PORTAL-05). */

const NOW = '2026-11-10T18:00:00.000Z';
const DAY = 24 * 60 * 60_000;

let t: TestApp;
let client: ClientDetails;
let browser: Browser;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1' }, closeAfterTest: false });
  await setSettings(t, { portal_enabled: true });
  return t.close;
});
let place = 0;
async function enter(email: string) {
  place += 1;
  return new Browser(t, { 'x-forwarded-for': `198.51.100.${place % 250}` }).signIn(email);
}
beforeEach(async () => {
  t.clock.set(NOW);
  t.token = await signInAs(t, 'admin', 'admin123');
  client = await createClient(t);
  browser = await enter(client.email);
});

/** Moves the clock and signs in staff and the client again. */
async function pass(milliseconds: number) {
  t.clock.advance(milliseconds);
  t.token = await signInAs(t, 'admin', 'admin123');
  browser = await enter(client.email);
}

const newLicense = (values: Partial<LicenseInput> = {}) =>
  createLicense(t, { client: client.id, max_installations: 20, ...values });
async function machine(license: License, name: string, more = {}): Promise<Installation> {
  const { body } = await t.call('POST', '/licenses/api/installations/', {
    token: null,
    body: { license_key: license.license_key, machine_id: name, machine_name: name, ...more },
  });
  return body;
}
const release = (id: number, body: object = { why: 'new' }) =>
  browser.call('POST', `installations/${id}/release/`, { body });
const post = (license: License, verb: string, body: object = {}) =>
  browser.call('POST', `licenses/${license.id}/${verb}/`, { body });
const result = ({ status, body }: { status: number; body?: { code?: string } }) => [status, body?.code];
const newestEvent = async (query: string): Promise<Event> =>
  (await t.call('GET', `/licenses/api/events/?${query}&limit=1`)).body.results[0];
const detailsOf = async (license: License) => (await browser.call('GET', `licenses/${license.id}/`)).body;

describe('releasing a machine (PORTAL-05)', () => {
  test('frees its seat whatever self_release is set to, and is an event of the client with the reason', async () => {
    const license = await newLicense();
    const { id } = await machine(license, 'caja');
    const { status, body } = await release(id, { why: 'broken' });
    expect([status, body]).toEqual([200, { success: true, message: expect.any(String) }]);
    expect(await newestEvent(`license=${license.id}`)).toMatchObject({
      type: 'installation.released',
      actor: { kind: 'client', id: client.id, name: client.name },
      subject: { id, name: 'caja' },
      reason: 'Equipo descompuesto o perdido',
    });
    expect(await detailsOf(license)).toMatchObject({ current_installations: 0, installations: [] });
    expect(result(await release(id))).toEqual([404, 'not_found']);
  });

  test.each([{}, { why: 'porque sí' }, { why: null }])('the reason %j is refused', async (body) => {
    const { id } = await machine(await newLicense(), 'caja');
    const answer = await release(id, body);
    expect([...result(answer), Object.keys(answer.body.errors)]).toEqual([400, 'invalid', ['why']]);
  });

  test('a machine of another client is not found', async () => {
    const { id } = await machine(await createLicense(t), 'ajena');
    expect(result(await release(id))).toEqual([404, 'not_found']);
    await setSettings(t, { portal_features: { release: false } });
    expect(result(await release(id))).toEqual([404, 'not_found']);
    const own = await machine(await newLicense(), 'caja');
    expect(result(await release(own.id))).toEqual([403, 'not_allowed']);
    await setSettings(t, { portal_features: { release: true } });
  });

  test('is allowed twice a month by default, and the refusal has the day from which it is possible again', async () => {
    const license = await newLicense();
    const [one, two, three] = [
      await machine(license, 'a'),
      await machine(license, 'b'),
      await machine(license, 'c'),
    ];
    expect((await release(one.id)).status).toBe(200);
    expect((await release(two.id)).status).toBe(200);
    const refused = await release(three.id);
    expect([...result(refused), refused.body.available_from]).toEqual([409, 'release_limit', '2026-12-01']);
    const details = await detailsOf(license);
    expect(details.can).not.toContain('release');
    expect(details.installations).toMatchObject([
      { can_release: false, release_refusal: 'release_limit', available_from: '2026-12-01' },
    ]);
    await pass(25 * DAY);
    expect((await release(three.id)).status).toBe(200);
  });

  test('is allowed as often as the licence sets, counted together with releases by the program', async () => {
    const license = await newLicense({ self_release: true, releases_per_month: 3 });
    const machines = [];
    for (const name of ['a', 'b', 'c', 'd']) machines.push(await machine(license, name));
    const own = await t.call('POST', '/licenses/api/installations/release/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'a' },
    });
    expect(own.status).toBe(200);
    expect((await release(machines[1]!.id)).status).toBe(200);
    expect((await release(machines[2]!.id)).status).toBe(200);
    expect(result(await release(machines[3]!.id))).toEqual([409, 'release_limit']);
    const program = await t.call('POST', '/licenses/api/installations/release/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'd' },
    });
    expect(result(program)).toEqual([409, 'release_limit']);
    // Staff can still release machines.
    expect((await t.call('DELETE', `/licenses/api/installations/${machines[3]!.id}/`)).status).toBe(200);
  });

  test('has no monthly limit when the program may release, and for floating seats, but twenty a day per client', async () => {
    const self = await newLicense({ self_release: true });
    const floating = await newLicense({ seat_mode: 'floating', lease_minutes: 60 });
    for (let index = 0; index < 20; index += 1) {
      const { id } = await machine(index % 2 === 0 ? self : floating, `caja-${index}`);
      expect((await release(id)).status).toBe(200);
    }
    const { id } = await machine(self, 'otra');
    const { headers, ...answer } = await release(id);
    expect(result(answer)).toEqual([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await detailsOf(self)).can).not.toContain('release');
    await pass(DAY);
    expect((await release(id)).status).toBe(200);
  });

  test('a machine whose offline file is still valid can be released only by staff', async () => {
    const license = await newLicense({ self_release: true });
    const file = await post(license, 'file', { machine_id: 'sin-red' });
    expect(file.status).toBe(200);
    const { results } = (await t.call('GET', `/licenses/api/installations/?license=${license.id}`)).body;
    const { id, file_until } = results[0] as Installation;
    expect(file_until).toBe('2026-12-10T18:00:00.000Z');
    const refused = await release(id);
    expect([...result(refused), refused.body.available_from]).toEqual([409, 'file_issued', '2026-12-10']);
    const program = await t.call('POST', '/licenses/api/installations/release/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'sin-red' },
    });
    expect([...result(program), program.body.available_from]).toEqual([409, 'file_issued', '2026-12-10']);
    expect((await detailsOf(license)).installations).toMatchObject([
      { can_release: false, release_refusal: 'file_issued', available_from: '2026-12-10' },
    ]);
    await pass(30 * DAY);
    expect((await release(id)).status).toBe(200);
  });

  test('a new machine must wait while the token of the released one is valid (PROG-06)', async () => {
    const license = await newLicense({ self_release: true, max_installations: 5 });
    const [one, two] = [
      await machine(license, 'a', { nonce: 'n'.repeat(16) }),
      await machine(license, 'b', { nonce: 'n'.repeat(16) }),
    ];
    expect((await release(one.id)).status).toBe(200);
    const refused = await release(two.id);
    expect([...result(refused), refused.body.available_from]).toEqual([409, 'release_limit', '2026-11-17']);
    expect((await detailsOf(license)).can).not.toContain('release');
  });

  test('of two concurrent releases of which the month allows one, one is refused', async () => {
    const license = await newLicense({ releases_per_month: 1 });
    const machines = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) machines.push(await machine(license, name));
    const answers = await Promise.all(machines.map(({ id }) => release(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await detailsOf(license)).current_installations).toBe(4);
  });
});

describe('an offline file (PORTAL-05)', () => {
  test('is the same as that from staff, for thirty days at most, and takes a seat', async () => {
    const license = await newLicense();
    const { status, text, headers } = await post(license, 'file', {
      machine_id: 'sin-red',
      machine_name: 'Bodega',
      ttl_days: 300,
    });
    expect(status).toBe(200);
    expect(text).toMatch(/^-----BEGIN LICENSE FILE-----\n/);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="licencia-.+-bodega\.lic"$/);
    const event = await newestEvent(`license=${license.id}&type=license.file_issued`);
    expect(event).toMatchObject({
      actor: { kind: 'client', id: client.id },
      changes: { file_ends: { after: '2026-12-10T18:00:00.000Z' } },
    });
    expect((await detailsOf(license)).current_installations).toBe(1);
  });

  test.each([
    [{ status: 'suspended' as const }, 409, 'suspended'],
    [{ seat_mode: 'floating' as const, lease_minutes: 10 }, 409, 'not_available'],
  ])('a licence with %j has none', async (values, status, code) => {
    expect(result(await post(await newLicense(values), 'file', { machine_id: 'x' }))).toEqual([status, code]);
  });

  test('a full licence has one for a machine that already has a seat', async () => {
    const license = await newLicense({ max_installations: 1 });
    await machine(license, 'caja');
    expect(result(await post(license, 'file', { machine_id: 'otra' }))).toEqual([409, 'installation_limit']);
    expect((await post(license, 'file', { machine_id: 'caja' })).status).toBe(200);
  });

  test('contains the name of its machine', async () => {
    const license = await newLicense();
    for (const body of [{}, { machine_id: ' ' }]) {
      const answer = await post(license, 'file', body);
      expect([...result(answer), Object.keys(answer.body.errors)]).toEqual([400, 'invalid', ['machine_id']]);
    }
  });

  test('ten a day can be created for a licence, and refused calls do not count', async () => {
    const license = await newLicense({ max_installations: 1 });
    await machine(license, 'caja');
    for (let index = 0; index < 3; index += 1) await post(license, 'file', { machine_id: 'otra' });
    for (let index = 0; index < 10; index += 1) {
      expect((await post(license, 'file', { machine_id: 'caja' })).status).toBe(200);
    }
    expect(result(await post(license, 'file', { machine_id: 'caja' }))).toEqual([429, 'rate_limited']);
    expect((await detailsOf(license)).can).not.toContain('file');
  });
});

describe('a request to the vendor (PORTAL-05)', () => {
  const mailsOf = async (kind: string) =>
    (await t.call('GET', `/licenses/api/mails/?kind=${kind}&client=${client.id}`)).body.results;

  test('is mailed to support with the client as reply address, and is an event in the bell and in Para hoy', async () => {
    await setSettings(t, { support_email: 'ayuda@vendedor.example' });
    const license = await newLicense();
    const before = (await t.call('GET', '/licenses/api/statistics/today/')).body.client_requests;
    const { status, body } = await post(license, 'request', {
      kind: 'renewal',
      message: 'Por favor, con [factura](https://mala.example.com).',
    });
    expect([status, body]).toEqual([202, { success: true, message: expect.any(String) }]);

    expect(await newestEvent(`client=${client.id}`)).toMatchObject({
      type: 'client.requested',
      actor: { kind: 'client', id: client.id, name: client.name },
      subject: { kind: 'client', id: client.id },
      license: { id: license.id },
      changes: { kind: { before: null, after: 'renewal' } },
      reason: 'Por favor, con [factura](https://mala.example.com).',
    });
    const [mail] = await mailsOf('client_request');
    expect(mail).toMatchObject({ to: 'ayuda@vendedor.example', client: { id: client.id } });
    const [sent] = (await t.deliveredMail()).filter(
      ({ to }) => to?.[0]?.address === 'ayuda@vendedor.example',
    );
    expect(sent).toMatchObject({ replyTo: [{ address: client.email }] });
    expect(sent?.subject).toBe(`${client.name} pide una renovación`);
    expect(sent?.text).toContain(license.license_key);
    expect(sent?.html).not.toContain('href="https://mala.example.com"');

    const bell = (await t.call('GET', '/licenses/api/notifications/')).body.results;
    expect(bell[0]).toMatchObject({
      kind: 'client_requested',
      message: `${client.name} pide una renovación para ${license.software_name} 1.0.0`,
      license: { id: license.id },
      client: { id: client.id },
      read: false,
    });
    const today = async () => (await t.call('GET', '/licenses/api/statistics/today/')).body.client_requests;
    expect(await today()).toBe(before + 1);
    await pass(14 * DAY);
    expect(await today()).toBe(0);
    const later = (await t.call('GET', '/licenses/api/notifications/')).body.results;
    expect(later.filter(({ kind }: { kind: string }) => kind === 'client_requested')).toEqual([]);
    await setSettings(t, { support_email: '' });
  });

  test('is mailed to every active administrator when there is no support address', async () => {
    const license = await newLicense();
    await post(license, 'request', { kind: 'seats' });
    const admins = await t.db
      .selectFrom('users')
      .select('email')
      .where('role', '=', 'admin')
      .where('is_active', '=', true)
      .where('email', '<>', '')
      .execute();
    expect((await mailsOf('client_request')).map(({ to }: { to: string }) => to).sort()).toEqual(
      admins.map(({ email }) => email).sort(),
    );
    // The status of the licence's own mail is unchanged.
    const { email_status } = (await t.call('GET', `/licenses/api/licenses/${license.id}/`)).body;
    expect(email_status).toBe('queued');
  });

  test.each([
    [{ kind: 'dinero' }, 'kind'],
    [{}, 'kind'],
    [{ kind: 'other', message: 'x'.repeat(1001) }, 'message'],
  ])('%j is refused with an error at its field', async (body, field) => {
    const answer = await post(await newLicense(), 'request', body);
    expect([...result(answer), Object.keys(answer.body.errors)]).toEqual([400, 'invalid', [field]]);
  });

  test('three requests and three mails of the key are allowed a day for a licence, counted separately', async () => {
    const license = await newLicense();
    for (let index = 0; index < 3; index += 1) {
      expect((await post(license, 'request', { kind: 'other' })).status).toBe(202);
      expect((await post(license, 'resend')).status).toBe(202);
    }
    expect(result(await post(license, 'request', { kind: 'other' }))).toEqual([429, 'rate_limited']);
    expect(result(await post(license, 'resend'))).toEqual([429, 'rate_limited']);
    expect((await detailsOf(license)).can).toEqual(['file', 'certificate', 'pay']);
    const other = await newLicense();
    expect((await post(other, 'request', { kind: 'other' })).status).toBe(202);
    await pass(DAY);
    expect((await post(license, 'request', { kind: 'other' })).status).toBe(202);
    expect((await post(license, 'resend')).status).toBe(202);
  });

  test('the mail with the key goes to the client’s address', async () => {
    const license = await newLicense();
    await t.deliveredMail();
    const { status, body } = await post(license, 'resend');
    expect([status, body.success]).toEqual([202, true]);
    const mails = (await mailsOf('license_issued')).filter(
      (mail: { license: { id: number } }) => mail.license.id === license.id,
    );
    expect(mails.map(({ to }: { to: string }) => to)).toEqual([client.email, client.email]);
  });

  test('the mail of a cancelled licence is not offered, and refused (DESK-01)', async () => {
    const license = await newLicense();
    await t.call('POST', `/licenses/api/licenses/${license.id}/cancel/`, { body: { notify: false } });
    expect((await detailsOf(license)).can).not.toContain('resend');
    expect(result(await post(license, 'resend'))).toEqual([409, 'invalid_transition']);
  });
});

test('the certificate is the same as the one from staff (LIFE-12)', async () => {
  const license = await newLicense();
  const { status, body } = await post(license, 'certificate');
  const staff = await t.call('POST', `/licenses/api/licenses/${license.id}/certificate/`);
  expect([status, body]).toEqual([200, staff.body]);
});

describe('paying (PORTAL-05)', () => {
  test("returns the address of the licence's open request, otherwise of a new one by the client", async () => {
    const license = await newLicense({ expiry_days: 20 });
    const { status, body } = await post(license, 'pay');
    expect([status, body.url]).toEqual([200, expect.stringMatching(/\/pagar\/[\w-]{22}$/)]);
    expect((await post(license, 'pay')).body).toEqual(body);
    expect(await newestEvent(`license=${license.id}`)).toMatchObject({
      type: 'payment_request.created',
      actor: { kind: 'client', id: client.id },
    });
    const requests = await t.call('GET', `/licenses/api/payment-requests/?license=${license.id}`);
    expect(requests.body.results).toMatchObject([{ state: 'open', url: body.url }]);
    expect((await detailsOf(license)).can).toContain('pay');
  });

  test('is offered only when a provider or instructions exist, and for licences that can be renewed', async () => {
    const license = await newLicense({ expiry_days: 20 });
    const endless = await newLicense({ expiry_days: null });
    expect((await detailsOf(endless)).can).not.toContain('pay');
    expect(result(await post(endless, 'pay'))).toEqual([409, 'not_renewable']);
    t.context.config.demo = false;
    expect(result(await post(license, 'pay'))).toEqual([403, 'not_allowed']);
    expect((await detailsOf(license)).can).not.toContain('pay');
    expect((await browser.call('GET', 'me/')).body.features.pay).toBe(false);
    await t.call('PUT', '/licenses/api/settings/payments/', { body: { instructions: 'CLABE 012' } });
    expect((await post(license, 'pay')).status).toBe(200);
    t.context.config.demo = true;
  });

  test('is not offered for a courtesy, until the vendor asks for a payment (MONEY-09)', async () => {
    const license = await newLicense({ price: 0, complimentary: true, expiry_days: 20 });
    expect(await detailsOf(license)).toMatchObject({ pay: null });
    expect((await detailsOf(license)).can).not.toContain('pay');
    const refused = await post(license, 'pay');
    expect(result(refused)).toEqual([409, 'not_renewable']);
    expect(refused.body.message).toBe('La licencia es una cortesía, y no hay nada que pagar por ella');
    const { body } = await t.call('POST', '/licenses/api/payment-requests/', {
      body: { lines: [{ license: license.id, kind: 'renewal', price: 300 }], notify: false },
    });
    expect(await detailsOf(license)).toMatchObject({ pay: { amount: 300 } });
    expect((await post(license, 'pay')).body).toEqual({ url: body.url });
  });

  test('the licence says what paying would cost, with tax, and so does the page to pay (DESK-08)', async () => {
    await setSettings(t, { tax_rate: 16 });
    const type = await createLicenseType(t, { base_price: 999.99 });
    const license = await newLicense({ license_type_config: type.id });
    const asked = async () => {
      const { results } = (await browser.call('GET', 'licenses/')).body;
      const { pay } = await detailsOf(license);
      expect(results.find(({ id }: License) => id === license.id).pay).toEqual(pay);
      return pay;
    };
    expect(await asked()).toEqual({ amount: 1159.99, currency: 'MXN', sold: false });
    const { url } = (await post(license, 'pay')).body;
    const page = await t.call('GET', `/licenses/api/pay/${url.split('/').at(-1)}/`, { token: null });
    expect(page.body).toMatchObject({ amount: 1159.99, currency: 'MXN' });
    // What is asked already stays, whatever a renewal would cost now.
    await t.call('PUT', `/licenses/api/license-types/${type.id}/`, { body: { base_price: 5000 } });
    expect(await asked()).toEqual({ amount: 1159.99, currency: 'MXN', sold: false });
    // A part came in, so the rest is asked, at the same address (MONEY-06).
    const requests = (await t.call('GET', `/licenses/api/payment-requests/?license=${license.id}`)).body
      .results;
    await t.call('POST', `/licenses/api/payment-requests/${requests[0].id}/mark_paid/`, {
      body: { method: 'transfer', amount: 1000, withheld: 59.99 },
    });
    expect(await asked()).toEqual({ amount: 100, currency: 'MXN', sold: false });
    expect((await post(license, 'pay')).body.url).toBe(url);
    await setSettings(t, { portal_features: { pay: false } });
    expect(await asked()).toBeNull();
    await setSettings(t, { portal_features: { pay: true }, tax_rate: 0 });
    expect((await detailsOf(await newLicense({ expiry_days: null, expiry_date: null }))).pay).toBeNull();
  });

  test('is not possible while an earlier payment is in review', async () => {
    const license = await newLicense({ expiry_days: 20 });
    const { url } = (await post(license, 'pay')).body;
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
    await t.call('POST', `/licenses/api/pay/${url.split('/').at(-1)}/demo/`, {
      token: null,
      body: { result: 'approve' },
    });
    await t.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
    expect(result(await post(license, 'pay'))).toEqual([409, 'conflict']);
    expect((await detailsOf(license)).can).not.toContain('pay');
  });
});

test.each(['file', 'request', 'resend', 'certificate', 'pay'])(
  'the action %s is 403 when it is switched off, before the rules of the licence, and 404 for an unknown licence',
  async (verb) => {
    await setSettings(t, { portal_features: { [verb]: false } });
    const license = await newLicense({ status: 'suspended' });
    const body = verb === 'request' ? { kind: 'other' } : { machine_id: 'x' };
    expect(result(await post(license, verb, body))).toEqual([403, 'not_allowed']);
    expect(result(await post(await createLicense(t), verb, body))).toEqual([404, 'not_found']);
    await setSettings(t, { portal_features: { [verb]: true } });
  },
);
