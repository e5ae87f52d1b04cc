import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CLIENT_MESSAGES } from '../../../contract/clients/clients.fields.ts';
import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { PortalLicense, PortalLicensePage } from '../../../contract/portal/portal-licenses.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { Browser, setSettings } from '../../../test/portal.ts';

/** What a client sees in the portal, and which of its own data it can change (PORTAL-04). */

const NOW = '2026-11-21T18:00:00.000Z';

let t: TestApp;
let client: ClientDetails;
let browser: Browser;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1' }, closeAfterTest: false });
  await setSettings(t, { portal_enabled: true });
  return t.close;
});
let place = 0;
/** A client with an open session, from a different IP address. */
async function newClient(values: Parameters<typeof createClient>[1] = {}) {
  place += 1;
  const created = await createClient(t, values);
  const own = new Browser(t, { 'x-forwarded-for': `198.51.100.${place % 250}` });
  return { client: created, browser: await own.signIn(created.email) };
}
beforeEach(async () => {
  await setSettings(t, { portal_features: { tax_data: true, reminders: true } });
  ({ client, browser } = await newClient({ company: 'Abarrotes', notes: 'moroso' }));
});

const one = async (id: number) => (await browser.call<PortalLicense>('GET', `licenses/${id}/`)).body;
const list = async (query = '') => (await browser.call<PortalLicensePage>('GET', `licenses/${query}`)).body;

describe('portal/me/ (PORTAL-04)', () => {
  test('returns the client, the vendor and the switches', async () => {
    const { status, body } = await browser.call('GET', 'me/');
    expect(status).toBe(200);
    expect(body).toEqual({
      client: {
        name: client.name,
        company: 'Abarrotes',
        email: client.email,
        contact_person: client.contact_person,
        phone: client.phone,
        tax_id: '',
        tax_regime: '',
        cfdi_use: '',
        tax_condition: '',
        postal_code: client.postal_code,
        reminders: true,
      },
      vendor: expect.objectContaining({ name: 'License Manager' }),
      features: {
        release: true,
        file: true,
        tax_data: true,
        request: true,
        resend: true,
        certificate: true,
        reminders: true,
        pay: true,
      },
      contact: null,
      read_only: false,
    });
  });

  test('a change follows the rules of staff, with their warnings, and is an event of the client', async () => {
    const sent = { phone: '525599999999', tax_id: 'GODE561231GR9', reminders: false };
    const { status, body } = await browser.call('PATCH', 'me/', {
      body: { ...sent, name: 'Otra', email: 'otra@example.com', notes: 'nada', status: 'inactive' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      client: expect.objectContaining({ ...sent, phone: '+525599999999', name: client.name }),
      warnings: { tax_id: [expect.stringContaining('RFC')] },
    });
    const stored = (await t.call('GET', `/licenses/api/clients/${client.id}/`)).body;
    expect(stored).toMatchObject({
      name: client.name,
      email: client.email,
      notes: 'moroso',
      status: 'active',
    });
    const events = await t.call<{ results: Event[] }>('GET', `/licenses/api/events/?client=${client.id}`);
    expect(events.body.results[0]).toMatchObject({
      type: 'client.updated',
      actor: { kind: 'client', id: client.id, name: client.name },
      changes: {
        phone: { before: client.phone, after: '+525599999999' },
        tax_id: { before: '', after: 'GODE561231GR9' },
        reminders: { before: true, after: false },
      },
    });
  });

  test('a phone is stored as the number of the country of the client, and the answer says so (INPUT-02)', async () => {
    const stored = async (phone: string) => {
      const { body } = await browser.call('PATCH', 'me/', { body: { phone } });
      return [body.client.phone, body.warnings?.phone];
    };
    const said = [expect.stringContaining('+525512345678')];
    expect(await stored('5512345678')).toEqual(['+525512345678', said]);
    expect(await stored('(55) 1234-5678')).toEqual(['+525512345678', said]);
    expect(await stored('044 55 1234 5678')).toEqual(['+525512345678', said]);
    expect(await stored('+52 55 1234 5678')).toEqual(['+525512345678', undefined]);
    // With a plus and a country it is the number of that country.
    expect(await stored('+54 9 11 4321-5678')).toEqual(['+5491143215678', undefined]);
    const { status, body } = await browser.call('PATCH', 'me/', { body: { phone: 'el de Ana: 12345678' } });
    expect([status, body.errors]).toEqual([400, { phone: [CLIENT_MESSAGES.phone] }]);
    // Of Argentina, but the client is in México: without its signs it is a number of no country.
    for (const phone of ['011 15 4321-5678', '11 4321 5678']) {
      const refused = await browser.call('PATCH', 'me/', { body: { phone } });
      expect([phone, refused.status, refused.body.errors]).toEqual([
        phone,
        400,
        { phone: [CLIENT_MESSAGES.phone] },
      ]);
    }
    expect(await stored(client.phone)).toEqual([client.phone, undefined]);
  });

  test('a change that changes nothing does not change the version and writes no event (EVENT-01)', async () => {
    const path = `/licenses/api/clients/${client.id}/`;
    const events = `/licenses/api/events/?client=${client.id}`;
    const before = [(await t.call('GET', path)).body.updated_at, (await t.call('GET', events)).body];
    const { phone, reminders } = (await browser.call('GET', 'me/')).body.client;
    t.clock.advance(1000);
    const { status } = await browser.call('PATCH', 'me/', { body: { phone, reminders } });
    expect(status).toBe(200);
    expect([(await t.call('GET', path)).body.updated_at, (await t.call('GET', events)).body]).toEqual(before);
    t.clock.advance(-1000);
  });

  test('a wrong field gets the same message as for staff', async () => {
    const { status, body } = await browser.call('PATCH', 'me/', { body: { phone: '12', tax_regime: '999' } });
    const staff = await t.call('PUT', `/licenses/api/clients/${client.id}/`, {
      body: { phone: '12', tax_regime: '999' },
    });
    expect([status, body]).toEqual([400, staff.body]);
  });

  test('a stale version is refused without the current record', async () => {
    const { status, text } = await browser.call('PATCH', 'me/', {
      body: { phone: '+525500000000' },
      headers: { 'if-match': '"1970-01-01T00:00:00.000Z"' },
    });
    expect(status).toBe(200);
    expect(text).not.toContain('moroso');
  });

  test('each switch protects its fields', async () => {
    await setSettings(t, { portal_features: { tax_data: false } });
    const refused = await browser.call('PATCH', 'me/', { body: { phone: '+525500000000' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'not_allowed']);
    expect((await browser.call('PATCH', 'me/', { body: { reminders: false } })).status).toBe(200);
    await setSettings(t, { portal_features: { tax_data: true, reminders: false } });
    const other = await browser.call('PATCH', 'me/', { body: { reminders: true, phone: '+525500000000' } });
    expect([other.status, other.body.code]).toEqual([403, 'not_allowed']);
    expect((await browser.call('PATCH', 'me/', { body: { phone: '+525500000000' } })).status).toBe(200);
    expect((await browser.call('GET', 'me/')).body.features).toMatchObject({
      tax_data: true,
      reminders: false,
    });
  });
});

describe('portal/licenses/ (PORTAL-04)', () => {
  test('a row contains what a client needs, and nothing internal of the vendor', async () => {
    const software = await createSoftware(t, { name: 'Caja Fácil', version: '4.2.0' });
    const type = await createLicenseType(t, { name: 'Anual' });
    const license = await createLicense(t, {
      client: client.id,
      software: software.id,
      license_type_config: type.id,
      notes: 'precio especial',
      price: 777,
    });
    const { count, results } = await list();
    expect(count).toBe(1);
    expect(results[0]).toEqual({
      id: license.id,
      license_key: license.license_key,
      software_name: 'Caja Fácil',
      software_version: '4.2.0',
      license_type_name: 'Anual',
      status: 'active',
      is_expired: false,
      in_grace: false,
      pending_start: false,
      issued_date: license.issued_date,
      expiry_date: license.expiry_date,
      days_remaining: 365,
      updates_until: null,
      seat_mode: 'fixed',
      max_installations: 5,
      current_installations: 0,
      can: ['file', 'request', 'resend', 'certificate', 'pay'],
      // The price of its type, which is what the page to pay asks; not the one that it was sold for.
      pay: { amount: 1200, currency: 'MXN', sold: false },
    });
  });

  test('what ended lately comes first, then what soon ends, what ended earlier and the rest, also in pages (DESK-08)', async () => {
    const license = (values: Parameters<typeof createLicense>[1]) =>
      createLicense(t, { client: client.id, ...values });
    const named: Record<string, License> = {
      ended: await license({ expiry_date: '2026-10-01' }),
      ends30: await license({ expiry_date: '2026-12-21' }),
      ends31: await license({ expiry_date: '2026-12-22' }),
      trial: await license({ license_type: 'trial', status: 'trial', expiry_date: '2026-11-25' }),
      endless: await license({ expiry_days: null, expiry_date: null }),
      suspended: await license({ status: 'suspended', expiry_date: '2026-11-25' }),
      grace: await license({ expiry_date: '2026-11-20', grace_days: 5 }),
      setOver: await license({ status: 'expired' }),
      fine: await license({}),
    };
    const nameOf = (id: number) => Object.keys(named).find((name) => named[name]!.id === id);
    const order = ['setOver', 'grace', 'trial', 'ends30', 'ended', 'fine', 'suspended', 'endless', 'ends31'];
    expect((await list()).results.map(({ id }) => nameOf(id))).toEqual(order);
    const pages: (string | undefined)[] = [];
    let next: string | null = '?page_size=2';
    while (next !== null) {
      const page: PortalLicensePage = await list(next.slice(next.indexOf('?')));
      pages.push(...page.results.map(({ id }) => nameOf(id)));
      next = page.next;
    }
    expect(pages).toEqual(order);
    const other = await browser.call('GET', 'licenses/?after=WyJwb3J0YWwgbGljZW5zZXMiXQ');
    expect([other.status, Object.keys(other.body.errors)]).toEqual([400, ['after']]);
  });

  test('lists all licences of the client, newest first, in pages, and none of other clients', async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1)
      ids.unshift((await createLicense(t, { client: client.id })).id);
    const other = await createLicense(t);
    expect((await list()).results.map(({ id }) => id)).toEqual(ids);
    const page = await list('?page=1&page_size=2');
    expect(page).toMatchObject({ count: 3, total_pages: 2, page_size: 2, previous: null });
    expect(page.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await list('?page=2&page_size=2')).results.map(({ id }) => id)).toEqual(ids.slice(2));
    for (const [method, path] of [
      ['GET', `licenses/${other.id}/`],
      ['GET', 'licenses/999999/'],
      ['POST', `licenses/${other.id}/file/`],
      ['POST', `licenses/${other.id}/request/`],
      ['POST', `licenses/${other.id}/resend/`],
      ['POST', `licenses/${other.id}/certificate/`],
      ['POST', `licenses/${other.id}/pay/`],
    ] as const) {
      const body = path.endsWith('request/') ? { kind: 'other' } : { machine_id: 'caja-1' };
      const answer = await browser.call(method, path, { ...(method === 'POST' && { body }) });
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'not_found']);
    }
  });

  test('the search looks in key, software and machine names only', async () => {
    const software = await createSoftware(t, {
      name: 'Ñandú Contable',
      version: '9.71',
      description: 'con el módulo secreto',
    });
    const license = await createLicense(t, {
      client: client.id,
      software: software.id,
      external_id: 'interno-77',
    });
    await createLicense(t, { client: client.id });
    await t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'oculto-0042', machine_name: 'Mostrador' },
    });
    const found = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).results.map(({ id }) => id);
    const key = license.license_key;
    for (const search of [
      'nandu',
      'ÑANDÚ contable',
      '9.71',
      'mostrador',
      key,
      key.toLowerCase(),
      key.replaceAll('-', ''),
    ]) {
      expect([search, await found(search)]).toEqual([search, [license.id]]);
    }
    for (const search of ['secreto', 'interno-77', 'oculto', '0042', 'moroso', '%', '_']) {
      expect([search, await found(search)]).toEqual([search, []]);
    }
  });
});

describe('portal/licenses/{id}/ (PORTAL-04)', () => {
  test('returns features, machines and events, without ids, addresses or names of staff', async () => {
    const license = await createLicense(t, { client: client.id, features: { modulo: true } });
    await t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: {
        license_key: license.license_key,
        machine_id: 'a1b2c3d4e5f6',
        machine_name: 'Caja 1',
        ip_address: '192.0.2.77',
        notes: 'privado',
      },
    });
    await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: { reason: 'No pagó' } });
    await t.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
    const { status, body, text } = await browser.call<PortalLicense>('GET', `licenses/${license.id}/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: license.id, features: { modulo: true }, usage: [] });
    expect(body.installations).toEqual([
      {
        id: expect.any(Number),
        machine_name: 'Caja 1',
        machine_id: 'a1b2c3d4…',
        installation_date: NOW,
        last_heartbeat: null,
        can_release: true,
        release_refusal: null,
        available_from: null,
      },
    ]);
    expect(body.can).toEqual(['release', 'file', 'request', 'resend', 'certificate', 'pay']);
    expect(body.history).toEqual([
      // Versions differ by at least a millisecond, also while the test's clock stands still.
      { at: NOW.replace('000Z', '001Z'), text: 'Licencia reactivada' },
      { at: NOW, text: 'Licencia suspendida' },
      { at: NOW, text: 'Equipo Caja 1 activado' },
      { at: NOW, text: 'Licencia emitida' },
    ]);
    for (const secret of ['e5f6', '192.0.2.77', 'privado', 'No pagó', 'admin', 'Administrador', '"price"']) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
  });

  test('events before a transfer are not shown to the new client', async () => {
    const license = await createLicense(t);
    await activate(t, license.license_key, 'ajena');
    await t.call('POST', `/licenses/api/licenses/${license.id}/transfer/`, { body: { client: client.id } });
    expect(await one(license.id)).toMatchObject({ installations: [], history: [] });
  });

  test('returns the newest fifty events', async () => {
    const license = await createLicense(t, { client: client.id, max_installations: 100 });
    for (let index = 0; index < 55; index += 1) await activate(t, license.license_key, `caja-${index}`);
    const { history } = await one(license.id);
    expect(history).toHaveLength(50);
    expect(history![0]!.text).toBe('Equipo caja-54 activado');
  });
});

describe('actions offered to a client (PORTAL-04)', () => {
  const canOf = async (license: License) => {
    const { can } = await one(license.id);
    expect((await list()).results.find(({ id }) => id === license.id)?.can).toEqual(can);
    return can;
  };

  test('an offline file is offered for a valid licence, and never for floating seats', async () => {
    const suspended = await createLicense(t, { client: client.id, status: 'suspended' });
    expect(await canOf(suspended)).not.toContain('file');
    const floating = await createLicense(t, { client: client.id, seat_mode: 'floating', lease_minutes: 10 });
    expect(await canOf(floating)).not.toContain('file');
    const grace = await createLicense(t, { client: client.id, expiry_date: '2026-11-20', grace_days: 5 });
    expect(await canOf(grace)).toContain('file');
    expect(await one(grace.id)).toMatchObject({ is_expired: true, in_grace: true, status: 'active' });
  });

  test('each action is offered only while its switch is on', async () => {
    const license = await createLicense(t, { client: client.id });
    await activate(t, license.license_key, 'caja');
    const all = ['release', 'file', 'request', 'resend', 'certificate', 'pay'];
    expect(await canOf(license)).toEqual(all);
    for (const name of all) {
      await setSettings(t, { portal_features: { [name]: false } });
      expect(await canOf(license)).toEqual(all.filter((verb) => verb !== name));
      await setSettings(t, { portal_features: { [name]: true } });
    }
  });
});
