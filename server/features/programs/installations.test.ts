import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { heartbeatResult, installation, installationPage } from '../../../contract/programs/installations.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';

const LIST = '/licenses/api/installations/';
const BEAT = '/licenses/api/installation/heartbeat/';
const NOW = '2026-11-21T18:00:00.000Z';
const HOUR_MS = 60 * 60_000;

const postTo = (testApp: TestApp, url: string, body: unknown) =>
  testApp.call('POST', url, { token: null, body });

describe('POST installations/ (SEED-7.6-06, D009)', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ now: NOW, closeAfterTest: false });
  });
  afterAll(() => testApp.close());

  test('takes a seat without a session and returns every field (SEED-3-18)', async () => {
    const license = await createLicense(testApp, { license_type: 'pack' });
    const { status, body } = await postTo(testApp, LIST, {
      license_key: license.license_key.toLowerCase(),
      machine_id: 'M-1',
      machine_name: 'Caja 1',
      mac_address: '02:00:5E:10:00:01',
      ip_address: '192.0.2.10',
      notes: 'Sucursal\nCentro',
    });
    expect(status).toBe(201);
    expect(installation.parse(body)).toEqual(body);
    expect(body).toEqual({
      id: body.id,
      machine_id: 'M-1',
      machine_name: 'Caja 1',
      mac_address: '02:00:5E:10:00:01',
      ip_address: '192.0.2.10',
      installation_date: NOW,
      last_heartbeat: null,
      notes: 'Sucursal\nCentro',
      app_version: '',
      os: '',
      lease_until: null,
      file_until: null,
      software_name: license.software_name,
      software_version: license.software_version,
      license_type: 'pack',
      license_key: license.license_key,
      license: license.id,
      client_name: license.client_name,
      // An activation is not a heartbeat (D109).
      is_active: false,
      updated_at: NOW,
    });
  });

  test('the same machine again gets 200 and its seat, and sent fields are updated, absent ones are not changed', async () => {
    const { license_key, id } = await createLicense(testApp);
    const said = { license_key, machine_id: 'M-1', machine_name: 'Caja 1', mac_address: 'AA', notes: 'n' };
    const first = (await postTo(testApp, LIST, said)).body;
    const again = await postTo(testApp, LIST, { license_key, machine_id: 'M-1', ip_address: '192.0.2.11' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first, ip_address: '192.0.2.11' });
    const renamed = await postTo(testApp, LIST, {
      ...said,
      machine_name: 'Caja Uno',
      mac_address: 'BB',
      notes: 'm',
    });
    expect(renamed.body).toMatchObject({
      id: first.id,
      machine_name: 'Caja Uno',
      mac_address: 'BB',
      notes: 'm',
    });
    const found = await testApp.call('GET', `${LIST}?license=${id}&search=caja uno bb`);
    expect(found.body.count).toBe(1);
  });

  test('a renamed computer says its new name in a heartbeat, and keeps it where it says none', {
    tags: ['CODE-04'],
  }, async () => {
    const { license_key, id } = await createLicense(testApp);
    await postTo(testApp, LIST, { license_key, machine_id: 'PC-1', machine_name: 'Recepción' });
    const beat = (said: object) =>
      postTo(testApp, '/licenses/api/installation/heartbeat/', { license_key, machine_id: 'PC-1', ...said });
    const named = async (search = '') =>
      (await testApp.call('GET', `${LIST}?license=${id}&search=${search}`)).body.results.map(
        ({ machine_name }: { machine_name: string }) => machine_name,
      );
    for (const said of [{}, { machine_name: '' }, { machine_name: null }, { machine_name: ' Recepción ' }]) {
      expect((await beat(said)).status).toBe(200);
      expect(await named()).toEqual(['Recepción']);
    }
    testApp.clock.set('2026-11-21T18:00:01.000Z');
    expect((await beat({ machine_name: 'Almacén' })).status).toBe(200);
    expect([await named('almacen'), await named('recepcion')]).toEqual([['Almacén'], []]);
    const { body } = await testApp.call('GET', `${LIST}?license=${id}`);
    expect(body.results[0].updated_at).toBe('2026-11-21T18:00:01.000Z');
    // In another spelling of the id, both change.
    await beat({ machine_id: 'pc-1', machine_name: 'Caja' });
    expect(await named('pc-1 caja')).toEqual(['Caja']);
  });

  test('a machine without a name gets its id as name, and case makes no other machine (INPUT-09)', async () => {
    const { license_key } = await createLicense(testApp);
    expect((await activate(testApp, license_key, 'abc')).body.machine_name).toBe('abc');
    expect((await activate(testApp, license_key, 'ABC')).status).toBe(200);
  });

  test('without a free seat a 409 with an error at the key is returned', async () => {
    const { license_key } = await createLicense(testApp, { max_installations: 1 });
    await activate(testApp, license_key, 'a');
    const { status, body } = await activate(testApp, license_key, 'b');
    expect(status).toBe(409);
    expect(body).toEqual({
      success: false,
      code: 'installation_limit',
      message: 'Se alcanzó el máximo de instalaciones',
      errors: { license_key: ['Se alcanzó el máximo de instalaciones'] },
      error_codes: { license_key: ['not_allowed'] },
    });
  });

  test.for([
    ['inactive', 'inactive'],
    ['suspended', 'suspended'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
  ] as const)('a licence that is %s gets 403 with the same code as in validation', async ([status, code]) => {
    const { license_key } = await createLicense(testApp, { status });
    const answer = await activate(testApp, license_key, 'a');
    expect(answer.status).toBe(403);
    expect(answer.body.code).toBe(code);
  });

  test('a trial can be activated, and an expired licence cannot, not even by a machine with a seat', async () => {
    const trial = await createLicense(testApp, { status: 'trial' });
    expect((await activate(testApp, trial.license_key, 'a')).status).toBe(201);
    await testApp.call('PUT', `/licenses/api/licenses/${trial.id}/`, { body: { expiry_date: '2026-11-20' } });
    const late = await activate(testApp, trial.license_key, 'a');
    expect(late.status).toBe(403);
    expect(late.body.code).toBe('expired');
  });

  test('an unknown key gets 404 with a separate code, and all missing fields have errors', async () => {
    const unknown = await activate(testApp, 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', 'a');
    expect(unknown.status).toBe(404);
    expect(unknown.body.code).toBe('license_not_found');
    const described = { machine_name: 'x'.repeat(201), notes: 'a\u0000' };
    const missing = {
      license_key: ['La clave de licencia es obligatoria'],
      machine_id: ['El identificador del equipo es obligatorio'],
    };
    const { status, body } = await postTo(testApp, LIST, described);
    expect([status, body.errors]).toEqual([400, missing]);
    const headers = { prefer: 'handling=strict' };
    const strict = await testApp.call('POST', LIST, { token: null, body: described, headers });
    expect(strict.body.errors).toEqual({
      ...missing,
      machine_name: ['No puede exceder 200 caracteres'],
      notes: ['Contiene caracteres no permitidos'],
    });
  });

  test('removing an installation frees its seat (D013)', async () => {
    const license = await createLicense(testApp, { max_installations: 1 });
    const { id } = (await activate(testApp, license.license_key, 'a')).body;
    const { status, body } = await testApp.call('DELETE', `${LIST}${id}/`);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, message: 'Equipo liberado exitosamente' });
    expect((await testApp.call('DELETE', `${LIST}${id}/`)).status).toBe(404);
    expect((await activate(testApp, license.license_key, 'b')).status).toBe(201);
  });
});

test('two concurrent removals free the seat once', async () => {
  const testApp = await createTestApp();
  const license = await createLicense(testApp);
  const { id } = (await activate(testApp, license.license_key, 'a')).body;
  const answers = await Promise.all([1, 2, 3].map(() => testApp.call('DELETE', `${LIST}${id}/`)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404]);
  const { body } = await testApp.call('GET', `/licenses/api/licenses/${license.id}/`);
  expect(body).toMatchObject({ current_installations: 0, remaining_installations: 5, installations: [] });
});

describe('GET installations/', () => {
  let testApp: TestApp;
  let licenses: License[];
  beforeAll(async () => {
    testApp = await createTestApp({ now: NOW, closeAfterTest: false });
    // Names without numbers, because a search also finds those of the client and of the software.
    const ana = (await createClient(testApp, { name: 'Ana Niño' })).id;
    const luis = (await createClient(testApp, { name: 'Luis Ríos' })).id;
    const caja = (await createSoftware(testApp, { name: 'Caja' })).id;
    const nomina = (await createSoftware(testApp, { name: 'Nómina' })).id;
    licenses = [
      await createLicense(testApp, { client: ana, software: caja }),
      await createLicense(testApp, { client: ana, software: caja }),
      await createLicense(testApp, { client: luis, software: nomina }),
    ];
    const machines = [
      [0, 'pos-01', 'Almacén 50%', 'AA:01'],
      [1, 'pos_02', 'Añejo', 'BB:02'],
      [2, 'pc-03', 'Recepción', 'CC:03'],
    ] as const;
    for (const [index, machine_id, machine_name, mac_address] of machines) {
      testApp.clock.advance(1000);
      await postTo(testApp, LIST, {
        license_key: licenses[index]?.license_key,
        machine_id,
        machine_name,
        mac_address,
      });
    }
    await postTo(testApp, BEAT, { license_key: licenses[0]?.license_key, machine_id: 'pos-01' });
    testApp.clock.advance(23 * HOUR_MS);
    await postTo(testApp, BEAT, { license_key: licenses[1]?.license_key, machine_id: 'pos_02' });
    testApp.clock.advance(HOUR_MS);
    testApp.token = await signInAs(testApp, 'admin', 'admin123');
  });
  afterAll(() => testApp.close());

  const machines = async (query: string): Promise<string[]> => {
    const { status, body } = await testApp.call('GET', `${LIST}?${query}`);
    expect(status).toBe(200);
    expect(body.count).toBe(body.results.length);
    return body.results.map((row: { machine_id: string }) => row.machine_id);
  };

  test('returns a page, newest first', async () => {
    const { body } = await testApp.call('GET', `${LIST}?page_size=2`);
    expect(installationPage.parse(body)).toEqual(body);
    expect(body).toMatchObject({ count: 3, total_pages: 2, current_page: 1, page_size: 2 });
    expect(await machines('')).toEqual(['pc-03', 'pos_02', 'pos-01']);
    expect((await testApp.call('GET', `${LIST}?page=2&page_size=2`)).body.results).toHaveLength(1);
    expect((await testApp.call('GET', `${LIST}?page=x`)).status).toBe(404);
  });

  // Keys are random and are searched too, so each short text has a character that no key contains: 0, 1, I or O.
  test.for([
    ['is_active=true', ['pos_02']],
    ['is_active=false', ['pc-03', 'pos-01']],
    ['search=almacen', ['pos-01']],
    ['search=ANEJO', ['pos_02']],
    ['search=50%25', ['pos-01']],
    ['search=pos_', ['pos_02', 'pos-01']],
    ['search=pos_02', ['pos_02']],
    ['search=pos-02', ['pos_02']],
    ['search=aa:01', ['pos-01']],
    ['search=03', ['pc-03']],
    ['search=ni%C3%B1o', ['pos_02', 'pos-01']],
    ['search=ana pos', ['pos_02', 'pos-01']],
    ['search=nadie', []],
  ] as const)(
    'finds the right installations for %s',
    { tags: ['SEED-4-12', 'SEED-9-10', 'D109'] },
    async ([query, expected]) => {
      expect(await machines(query)).toEqual(expected);
    },
  );

  test('filters by licence, client, software and key', async () => {
    const [first, , third] = licenses;
    expect(await machines(`license=${first?.id}`)).toEqual(['pos-01']);
    expect(await machines(`client=${first?.client.id}`)).toEqual(['pos_02', 'pos-01']);
    expect(await machines(`software=${third?.software.id}`)).toEqual(['pc-03']);
    expect(await machines(`search=${third?.license_key.slice(2, 20)}`)).toEqual(['pc-03']);
    expect((await testApp.call('GET', `${LIST}?license=x&is_active=x`)).status).toBe(400);
  });

  test('returns one by its id, and 404 for an unknown id', async () => {
    const { body } = await testApp.call('GET', `${LIST}?search=almacen`);
    const one = await testApp.call('GET', `${LIST}${body.results[0].id}/`);
    expect(one.status).toBe(200);
    expect(one.body).toEqual(body.results[0]);
    expect((await testApp.call('GET', `${LIST}999999/`)).status).toBe(404);
    expect((await testApp.call('DELETE', `${LIST}999999/`)).status).toBe(404);
  });

  test('the client has all its installations, and each licence its own (D114, SEED-7.2-05)', async () => {
    const { body } = await testApp.call('GET', `/licenses/api/clients/${licenses[0]?.client.id}/`);
    expect(body.installation_count).toBe(2);
    expect(body.installations.map((row: { machine_id: string }) => row.machine_id)).toEqual([
      'pos_02',
      'pos-01',
    ]);
    const nested = body.licenses.map((row: License) => row.installations.map((seat) => seat.machine_id));
    expect(nested).toEqual([['pos_02'], ['pos-01']]);
  });

  test.for([
    ['GET', LIST],
    ['GET', `${LIST}1/`],
    ['DELETE', `${LIST}1/`],
  ] as const)('without a session: %s %s answers 401', async ([method, url]) => {
    expect((await testApp.call(method, url, { token: null })).status).toBe(401);
  });
});

describe('POST installation/heartbeat/ (SEED-7.6-07)', () => {
  test('stores the server’s time and returns the state of the licence', async () => {
    const testApp = await createTestApp({ now: NOW });
    const license = await createLicense(testApp);
    const seat = (await activate(testApp, license.license_key, 'caja')).body;
    testApp.clock.advance(5 * 60_000);
    const { status, body } = await postTo(testApp, BEAT, {
      license_key: license.license_key,
      machine_id: 'caja',
      ip_address: '192.0.2.7',
      last_heartbeat: '2001-01-01T00:00:00.000Z',
    });
    expect(status).toBe(200);
    expect(heartbeatResult.parse(body)).toEqual(body);
    expect(body).toEqual({
      success: true,
      installation: {
        id: seat.id,
        machine_id: 'caja',
        last_heartbeat: '2026-11-21T18:05:00.000Z',
        is_active: true,
      },
      license: { status: 'active', is_expired: false, days_remaining: 365 },
    });
    expect((await testApp.call('GET', `${LIST}${seat.id}/`)).body).toMatchObject({
      last_heartbeat: '2026-11-21T18:05:00.000Z',
      ip_address: '192.0.2.7',
      is_active: true,
    });
  });

  test('a machine is active for exactly 24 hours after its heartbeat (SEED-4-12)', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(testApp);
    const seat = (await activate(testApp, license_key, 'caja')).body;
    await postTo(testApp, BEAT, { license_key, machine_id: 'caja' });
    const isActive = async () => {
      testApp.token = await signInAs(testApp, 'admin', 'admin123');
      return (await testApp.call('GET', `${LIST}${seat.id}/`)).body.is_active;
    };
    testApp.clock.advance(24 * HOUR_MS - 1);
    expect(await isActive()).toBe(true);
    testApp.clock.advance(1);
    expect(await isActive()).toBe(false);
    // A cancelled licence still accepts heartbeats.
    await testApp.db.updateTable('licenses').set({ status: 'cancelled' }).execute();
    const beat = await postTo(testApp, BEAT, { license_key, machine_id: 'caja' });
    expect(beat.body.license.status).toBe('cancelled');
    expect(await isActive()).toBe(true);
  });

  test('a repeated heartbeat within a minute does not write, unless the address changed (promises)', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(testApp);
    await activate(testApp, license_key, 'caja');
    const beat = async (values: object = {}) =>
      (await postTo(testApp, BEAT, { license_key, machine_id: 'caja', ...values })).body.installation
        .last_heartbeat;
    expect(await beat()).toBe(NOW);
    testApp.clock.advance(59_999);
    expect(await beat()).toBe(NOW);
    expect(await beat({ ip_address: '192.0.2.9' })).toBe('2026-11-21T18:00:59.999Z');
    expect(await beat({ ip_address: null })).toBe('2026-11-21T18:00:59.999Z');
    testApp.clock.advance(60_000);
    expect(await beat()).toBe('2026-11-21T18:01:59.999Z');
  });

  test('an unknown key and a machine without a seat get 404 with different codes', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(testApp);
    const unknown = await postTo(testApp, BEAT, { license_key: 'nada', machine_id: 'caja' });
    expect(unknown.status).toBe(404);
    expect(unknown.body.code).toBe('license_not_found');
    const seatless = await postTo(testApp, BEAT, { license_key, machine_id: 'caja' });
    expect(seatless.status).toBe(404);
    expect(seatless.body).toMatchObject({ code: 'not_found', message: 'Equipo no encontrado' });
    const nothing = await postTo(testApp, BEAT, {});
    expect(nothing.status).toBe(400);
    expect(Object.keys(nothing.body.errors).sort()).toEqual(['license_key', 'machine_id']);
  });

  test('a thousand concurrent heartbeats are all stored', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { license_key, id } = await createLicense(testApp, { max_installations: 1000 });
    await testApp.db
      .insertInto('installations')
      .values(
        Array.from({ length: 1000 }, (_, index) => ({
          license_id: id,
          machine_id: `m-${index}`,
          machine_key: `m-${index}`,
          machine_name: '',
          mac_address: '',
          ip_address: '',
          installation_date: NOW,
          last_heartbeat: null,
          notes: '',
        })),
      )
      .execute();
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        postTo(testApp, BEAT, { license_key, machine_id: `m-${index}` }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect((await testApp.call('GET', `${LIST}?is_active=true&page_size=1`)).body.count).toBe(1000);
  });
});
