import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { NEWEST_ROWS, searchRecords } from './search-records.ts';

const URL = '/licenses/api/search/';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

async function find(t: TestApp, q: string, limit?: number): Promise<Required<SearchAnswer>> {
  const more = limit === undefined ? '' : `&limit=${limit}`;
  const { status, body } = await t.call('GET', `${URL}?q=${encodeURIComponent(q)}${more}`);
  expect([q, status, body.errors]).toEqual([q, 200, undefined]);
  return body;
}

const idsOf = ({ results }: { results: { id: number }[] }) => results.map(({ id }) => id);

describe('a search', () => {
  test('finds every kind of record, each with the texts that identify it (FIND-01)', async () => {
    const client = await createClient(app, {
      name: 'Ñandú Kolibri',
      company: 'Plumas',
      email: 'n@plumas.mx',
      phone: '+525512345678',
    });
    const software = await createSoftware(app, { name: 'Kolibri Caja', version: '3.1' });
    const type = await createLicenseType(app, { name: 'Kolibri anual' });
    const license = await createLicense(app, {
      client: client.id,
      software: software.id,
      license_type_config: type.id,
    });
    await activate(app, license.license_key, 'equipo-1');

    const found = await find(app, '  KÓLIBRI ');

    expect(found.query).toBe('KÓLIBRI');
    expect(found.clients).toEqual({
      count: 1,
      count_is_exact: true,
      results: [
        {
          id: client.id,
          name: 'Ñandú Kolibri',
          email: 'n@plumas.mx',
          phone: '+525512345678',
          company: 'Plumas',
          status: 'active',
          active_license_count: 1,
        },
      ],
    });
    expect(found.software.results).toEqual([
      { id: software.id, name: 'Kolibri Caja', version: '3.1', is_active: true, active_licenses_count: 1 },
    ]);
    expect(found.license_types.results).toEqual([
      {
        id: type.id,
        name: 'Kolibri anual',
        base_price: 1200,
        currency: 'MXN',
        max_installations: 5,
        validity_days: 365,
        validity_months: null,
        is_active: true,
      },
    ]);
    expect(found.licenses.results).toEqual([
      {
        id: license.id,
        license_key: license.license_key,
        status: 'active',
        license_type: license.license_type,
        license_type_name: 'Kolibri anual',
        expiry_date: license.expiry_date,
        pending_start: false,
        days_remaining: 365,
        grace_days: 0,
        is_active: true,
        is_expired: false,
        client: { id: client.id, name: 'Ñandú Kolibri', email: 'n@plumas.mx', company: 'Plumas' },
        client_phone: '+525512345678',
        software_name: 'Kolibri Caja',
        software_version: '3.1',
        can: [
          'renew',
          'add_seats',
          'extend',
          'suspend',
          'cancel',
          'transfer',
          'replace_key',
          'file',
          'update',
          'delete',
          'resend_email',
        ],
      },
    ]);
    expect(found.installations.results).toMatchObject([
      { machine_id: 'equipo-1', license: license.id, client_name: 'Ñandú Kolibri', software_version: '3.1' },
    ]);
  });

  test('returns at most five records of a kind, or as many as requested, and counts all (FIND-01)', async () => {
    for (let index = 0; index < 7; index += 1) await createSoftware(app, { name: `Repetido ${index}` });

    expect((await find(app, 'repetido')).software).toMatchObject({ count: 7, count_is_exact: true });
    expect((await find(app, 'repetido')).software.results).toHaveLength(5);
    expect((await find(app, 'repetido', 6)).software.results).toHaveLength(6);
    for (const [limit, length] of [
      [0, 1],
      [-3, 1],
      [1, 1],
      [99, 7],
    ] as const) {
      expect([limit, (await find(app, 'repetido', limit)).software.results.length]).toEqual([limit, length]);
    }
  });

  test.each([
    ['', 'Escribe al menos 2 caracteres'],
    ['?q=', 'Escribe al menos 2 caracteres'],
    ['?q=%20a%20', 'Escribe al menos 2 caracteres'],
    [`?q=${'a'.repeat(101)}`, 'No puede exceder 100 caracteres'],
    ['?q=a%00b', 'Contiene caracteres no permitidos'],
  ])('refuses %j at q (FIND-01)', async (query, message) => {
    const { status, body } = await app.call('GET', URL + query);
    expect([status, body.errors]).toEqual([400, { q: [message] }]);
  });

  test('treats % and _ as signs, which stand for a space and for no other letters (INPUT-08)', async () => {
    const plain = await createSoftware(app, { name: 'Cien%_puntos' });
    await createSoftware(app, { name: 'Ciento y pico' });
    expect(idsOf((await find(app, 'cien%pun')).software)).toEqual([plain.id]);
    expect(idsOf((await find(app, 'c_en')).software)).toEqual([]);
    for (const q of ['%_', '---', '""']) expect([q, (await find(app, q)).software.count]).toEqual([q, 0]);
  });

  test('requires a token', async () => {
    expect((await app.call('GET', `${URL}?q=ana`, { token: null })).status).toBe(401);
  });
});

describe('a record that matches the whole text is first of its kind', () => {
  test('an email address finds its record first, in any case (FIND-01)', async () => {
    const exact = await createClient(app, { name: 'Primera', email: 'ana@orden.mx' });
    for (const name of ['mari', 'di', 'susi', 'jo', 'lili', 'eli']) {
      await createClient(app, { name, email: `${name}ana@orden.mx` });
    }
    const { clients } = await find(app, 'ANA@Orden.mx');
    expect(clients).toMatchObject({ count: 7, count_is_exact: true });
    expect(clients.results).toHaveLength(5);
    expect(clients.results[0]?.id).toBe(exact.id);
    expect(new Set(idsOf(clients)).size).toBe(5);
  });

  test('a machine is listed before machines whose id only contains the text (FIND-01)', async () => {
    const { id, license_key } = await createLicense(app, { max_installations: 20 });
    await activate(app, license_key, 'torno-1');
    for (let index = 10; index < 17; index += 1) await activate(app, license_key, `torno-${index}`);

    const { installations } = await find(app, 'torno-1');
    expect(installations).toMatchObject({ count: 8, count_is_exact: true });
    expect(installations.results[0]).toMatchObject({ machine_id: 'torno-1', license: id });

    const list = await app.call('GET', '/licenses/api/installations/?machine_id=torno-1');
    expect(list.body).toMatchObject({ count: 1, results: [{ machine_id: 'torno-1' }] });
  });

  test('a licence key finds its record first in any case, with or without hyphens or spaces (FIND-01)', async () => {
    const license = await createLicense(app);
    await activate(app, license.license_key, 'clave-1');
    const key = license.license_key;
    for (const q of [
      key,
      key.toLowerCase(),
      key.replaceAll('-', ''),
      key.replaceAll('-', '').toLowerCase(),
      ` ${key.replaceAll('-', ' ')} `,
    ]) {
      const found = await find(app, q);
      expect([q, idsOf(found.licenses)]).toEqual([q, [license.id]]);
      expect([q, found.installations.results[0]?.license]).toEqual([q, license.id]);
    }
  });
});

test('the answer contains only the kinds that the caller may read (FIND-01)', async () => {
  const kindsFor = async (...permissions: Permission[]) => {
    const moment = { now: new Date(), timeZone: 'America/Mexico_City' };
    const answer = await searchRecords(app.db, new Set(permissions), { q: 'ana', limit: 5 }, moment);
    return Object.keys(answer);
  };
  expect(await kindsFor()).toEqual(['query']);
  expect(await kindsFor('clients:read')).toEqual(['query', 'clients']);
  expect(await kindsFor('licenses:read', 'license_types:read')).toEqual([
    'query',
    'licenses',
    'license_types',
    'installations',
  ]);
  expect(await kindsFor('software:read', 'statistics:read')).toEqual(['query', 'software']);
});

describe('a search that no index supports looks in the newest rows, and marks the count as not exact', () => {
  test('words of two letters are found in the newest rows (FIND-01)', async () => {
    const t = await createTestApp();
    const old = await createLicense(t);
    await insertManyLicenses(t.db, NEWEST_ROWS);
    const present = await createLicense(t, { client: old.client.id });

    const short = await find(t, 'cl');
    expect(short.clients).toMatchObject({ count: 1, count_is_exact: true });
    expect(idsOf(short.licenses)).toEqual([present.id]);
    expect(short.licenses.count_is_exact).toBe(false);

    // With three letters the index finds all of them.
    const long = await find(t, 'cli');
    expect(idsOf(long.licenses)).toEqual([present.id, old.id]);
    expect(long.licenses.count_is_exact).toBe(true);
  });

  test('two words that are each frequent and rarely together are found (FIND-01)', async () => {
    const t = await createTestApp();
    const both = await createClient(t, { name: 'Norte Zapata' });
    const rare = await createLicense(t, { client: both.id });
    const zapata = await createClient(t, { name: 'Otra Zapata' });
    await insertManyLicenses(t.db, NEWEST_ROWS + 1200);
    const others = t.db.updateTable('licenses').where('id', '>', rare.id);
    await others
      .set({ client_id: zapata.id })
      .where('id', '<', rare.id + 1100)
      .execute();
    await others
      .set({ search_text: 'norte' })
      .where('id', '>=', rare.id + 1100)
      .execute();

    const { licenses } = await find(t, 'norte zapata');
    expect(idsOf(licenses)).toEqual([rare.id]);
    expect(licenses).toMatchObject({ count: 1, count_is_exact: false });
  });

  test('more than a hundred matches are not counted exactly (FIND-01)', async () => {
    const t = await createTestApp();
    await insertManyLicenses(t.db, 150);
    const { licenses } = await find(t, 'muchas');
    expect(licenses).toMatchObject({ count: 100, count_is_exact: false });
    expect(licenses.results).toHaveLength(5);
  });
});
