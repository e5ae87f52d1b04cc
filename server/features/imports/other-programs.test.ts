import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { COUNT_MAX } from '../../../contract/base/limits.ts';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { IMPORTS, importFile, progressOf, runImport, undoImport, upload } from '../../../test/import-file.ts';

/** Files as other programs write them, from the upload to the stored rows (INPUT-20). */

const NOW = '2026-11-21T18:00:00.000Z';
const FILES = new URL('../../../test/files/other-programs/', import.meta.url);
const fileOf = (name: string) => readFileSync(new URL(name, FILES));
const EXPECTED: Record<string, { kind: ImportKind; mapping: Record<string, string> }> = JSON.parse(
  fileOf('expected.json').toString(),
);

/** One application for all tests of this file; each test uses different mail addresses and keys. */
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: NOW, closeAfterTest: false });
  await createSoftware(t, { name: 'Caja Fácil', version: '1.0' });
  await createSoftware(t, { name: 'Caja Fácil', version: '2.10' });
  await createSoftware(t, { name: 'Caja Fácil', version: '2.9' });
  return t.close;
});

const clientOf = async (email: string) =>
  (await t.call('GET', `/licenses/api/clients/?email=${encodeURIComponent(email)}`)).body.results[0];
const licenseOf = async (key: string) =>
  (await t.call('GET', `/licenses/api/licenses/?search=${encodeURIComponent(key)}&page_size=1`)).body
    .results[0];

describe('each file of another program is stored without a choice of columns (INPUT-20)', () => {
  test.each<[string, string, Record<string, unknown>]>([
    [
      'contacts-google.csv',
      'ana@taller.example',
      {
        name: 'Ana Ríos',
        company: 'Taller Dos',
        contact_position: 'Dueña',
        phone: expect.stringContaining('5512345678'),
        address: 'Av. Uno 12',
        city: 'Puebla',
        state: 'Puebla',
        postal_code: '72000',
        country: 'México',
        website: 'https://taller.example',
      },
    ],
    [
      'contacts-outlook.csv',
      'ana@tres.example',
      { name: 'Ana Ríos', company: 'Taller Tres', contact_position: 'Dueña', country: 'México' },
    ],
    [
      'odoo-contacts.csv',
      'pagos@uno.example',
      {
        name: 'Taller Uno SA de CV',
        state: 'Ciudad de México',
        postal_code: '01000',
        tax_id: 'TUN010101AB1',
        status: 'active',
      },
    ],
    [
      'aspel-clients.csv',
      'pagos@cuatro.example',
      {
        name: 'TALLER CUATRO SA DE CV',
        external_id: '1',
        tax_id: 'TCU010101AB1',
        postal_code: '06000',
        city: 'CDMX',
        state: 'CDMX',
        country: 'México',
        status: 'active',
      },
    ],
    [
      'tango-clients.csv',
      'pagos@ocho.example',
      {
        name: 'TALLER OCHO SRL',
        external_id: '1',
        tax_id: '30-71234567-1',
        tax_condition: '1',
        city: 'CABA',
        state: 'Buenos Aires',
        postal_code: '1000',
        contact_person: 'Ana',
      },
    ],
    [
      'woocommerce-customers.csv',
      'ana@seis.example',
      { name: 'Ana Rios', phone: '', country: 'México', state: 'PUE', postal_code: '72000' },
    ],
  ])('%s', async (name, email, stored) => {
    const { kind, mapping } = EXPECTED[name]!;
    // Identifiers repeat between the files, so each is taken back out before the next.
    const { uploaded, forecast, id } = await importFile(t, kind, fileOf(name));
    const mapped = Object.entries(uploaded.mapping).filter(([, field]) => field !== null);
    expect(Object.fromEntries(mapped)).toEqual(mapping);
    expect(forecast).toMatchObject({ to_create: 1, errors: [], new_clients: 0 });
    expect(await clientOf(email)).toMatchObject(stored);
    await undoImport(t, id);
    expect(await clientOf(email)).toBeUndefined();
  });

  test('a client without a phone is stored without one and counted', async () => {
    const { forecast } = await importFile(
      t,
      'clients',
      'Nombre,Email,Teléfono\nA,p1@x.mx,\nB,p2@x.mx,-\nC,p3@x.mx,5512345678\n',
    );
    expect(forecast).toMatchObject({ to_create: 3, errors: [] });
    expect(forecast.missing).toEqual({
      phone: {
        count: 2,
        samples: [
          { row: 2, field: 'phone', text: '', value: null },
          { row: 3, field: 'phone', text: '', value: null },
        ],
      },
    });
    expect(await clientOf('p2@x.mx')).toMatchObject({ phone: '' });
    const again = await importFile(t, 'clients', 'Nombre,Email,Teléfono\nA,p1@x.mx,\n', 'upsert');
    expect(again.forecast).toMatchObject({ unchanged: 1, missing: {}, errors: [] });
  });

  test('edd-licenses.csv, with a price for all rows and clients that are made', async () => {
    const { uploaded, forecast, progress, id } = await importFile(
      t,
      'licenses',
      fileOf('edd-licenses.csv'),
      'create',
      { values: { price: '1,200.50' }, create_clients: true },
    );
    expect(uploaded.mapping).toMatchObject(EXPECTED['edd-licenses.csv']!.mapping);
    expect(forecast).toMatchObject({ to_create: 2, new_clients: 1, errors: [] });
    expect(forecast.missing.license_type?.count).toBe(2);
    expect(forecast.fixed.max_installations).toEqual({
      count: 1,
      samples: [{ row: 3, field: 'max_installations', text: '0', value: String(COUNT_MAX) }],
    });
    expect(progress.result).toMatchObject({ created: 2, new_clients: 1 });
    expect(await clientOf('ana@nueve.example')).toMatchObject({
      name: 'Ana Ríos',
      phone: '',
      license_count: 2,
    });
    expect(await licenseOf('EDD00-11111-22222-33333-44444')).toMatchObject({
      ...{ max_installations: 3, current_installations: 0, price: 1200.5, software_version: '2.10' },
      expiry_date: '2027-05-02T05:59:59.000Z',
      issued_date: '2026-05-01T06:00:00.000Z',
    });
    expect(await licenseOf('EDD00-11111-22222-33333-55555')).toMatchObject({
      max_installations: COUNT_MAX,
      expiry_date: null,
    });
    // An undo takes the client away with its licences.
    await undoImport(t, id);
    expect(await clientOf('ana@nueve.example')).toBeUndefined();
  });

  test('lemonsqueezy-keys.csv', async () => {
    const { forecast } = await importFile(t, 'licenses', fileOf('lemonsqueezy-keys.csv'), 'create', {
      values: { price: '100', license_type: 'Premium' },
      create_clients: true,
    });
    expect(forecast).toMatchObject({ to_create: 1, new_clients: 1, errors: [], missing: {} });
    expect(await licenseOf('38B1460A-5104-4067-A91D-77B872934D51')).toMatchObject({
      ...{ client_name: 'Ana Ríos', status: 'active', max_installations: 5, current_installations: 0 },
      expiry_date: '2027-05-01T00:00:00.000Z',
    });
  });

  test('woocommerce-license-manager.csv, which names neither client nor software', async () => {
    await createClient(t, { email: 'tienda@example.com' });
    const { forecast } = await importFile(
      t,
      'licenses',
      fileOf('woocommerce-license-manager.csv'),
      'create',
      { values: { client: 'tienda@example.com', software: 'caja facil', price: '$900', currency: 'ARS' } },
    );
    expect(forecast).toMatchObject({ to_create: 1, errors: [] });
    expect(await licenseOf('WLM00-11111-22222-33333-44444')).toMatchObject({
      ...{ external_id: '101', max_installations: 5, price: 900, currency: 'ARS' },
      expiry_date: '2027-05-02T05:59:59.000Z',
    });
  });
});

describe('words of other programs (INPUT-20)', () => {
  test('a status in capitals, a column that says Sí or No, words for no end and no limit', async () => {
    await createClient(t, { email: 'w@example.com' });
    const values = { client: 'w@example.com', software: 'Caja Fácil', price: '10', license_type: 'basic' };
    const { forecast } = await importFile(
      t,
      'licenses',
      [
        'key,status,expiry,maxMachines',
        'WORDS-1,ACTIVE,never,unlimited',
        'WORDS-2,SUSPENDED,Lifetime,0',
        'WORDS-3,EXPIRING,2027-05-01,Ilimitado',
        'WORDS-4,active,0000-00-00,7',
      ].join('\n'),
      'create',
      { values },
    );
    expect(forecast).toMatchObject({ to_create: 4, errors: [] });
    const of = async (key: string) => {
      const { status, expiry_date, max_installations } = await licenseOf(key);
      return [status, expiry_date, max_installations];
    };
    expect(await of('WORDS-1')).toEqual(['active', null, COUNT_MAX]);
    expect(await of('WORDS-2')).toEqual(['suspended', null, COUNT_MAX]);
    expect(await of('WORDS-3')).toEqual(['active', '2027-05-02T05:59:59.000Z', COUNT_MAX]);
    expect(await of('WORDS-4')).toEqual(['active', null, 7]);

    const flags = await importFile(
      t,
      'licenses',
      'key,suspended\nFLAGS-1,true\nFLAGS-2,false\nFLAGS-3,quizá\n',
      'create',
      { values },
    );
    expect(flags.uploaded.mapping).toEqual({ key: 'license_key', suspended: 'status' });
    expect(flags.forecast.errors).toMatchObject([{ row: 4, field: 'status', code: 'invalid' }]);
    expect((await licenseOf('FLAGS-1')).status).toBe('suspended');
    expect((await licenseOf('FLAGS-2')).status).toBe('active');
  });

  test.each([
    ['MX', 'México'],
    ['ar', 'Argentina'],
    ['ARG', 'Argentina'],
    ['Brazil', 'Brasil'],
    ['MEXICO', 'México'],
    ['México', 'México'],
    ['Atlántida', 'Atlántida'],
  ])('the country %s is stored as %s', async (text, country) => {
    const email = `country-${Buffer.from(text).toString('hex')}@example.com`;
    const { forecast } = await importFile(t, 'clients', `Nombre,Email,País\nA,${email},${text}\n`);
    expect(forecast.errors).toEqual([]);
    expect((await clientOf(email)).country).toBe(country);
    expect(forecast.fixed.country?.count ?? 0).toBe(text === country ? 0 : 1);
  });
});

describe('one value for all rows (INPUT-20)', () => {
  const FILE = 'Nombre,Email\nA,v1@example.com\nB,v2@example.com\n';
  const checkOf = async (values: Record<string, string>, file = FILE, kind = 'clients') => {
    const { id } = (await upload(t, kind, file)).body;
    return {
      id,
      answer: await t.call('POST', `${IMPORTS}${id}/check/`, { body: { mode: 'create', values } }),
    };
  };

  test('is read like a cell, and stored for the run', async () => {
    const { id, answer } = await checkOf({ country: 'AR', client_type: 'pyme', notes: '' });
    expect(answer.body).toMatchObject({ to_create: 2, errors: [] });
    expect((await progressOf(t, id)).chosen).toEqual({
      date_orders: {},
      values: { country: 'AR', client_type: 'pyme', notes: '' },
      create_clients: false,
      fix_phones: true,
    });
    await t.call('POST', `${IMPORTS}${id}/run/`, { body: {} });
    await runImport(t, id);
    expect(await clientOf('v2@example.com')).toMatchObject({
      country: 'Argentina',
      client_type: 'small_business',
    });
  });

  test('a run takes other values, and a repeated check those of the last call', async () => {
    const file = FILE.replaceAll('v1@', 'v3@').replaceAll('v2@', 'v4@');
    const { id } = await checkOf({ country: 'AR' }, file);
    const again = await t.call('POST', `${IMPORTS}${id}/check/`, { body: { mode: 'create' } });
    expect(again.status).toBe(200);
    expect((await progressOf(t, id)).chosen.values).toEqual({ country: 'AR' });
    await t.call('POST', `${IMPORTS}${id}/run/`, { body: { values: { country: 'CL' } } });
    await runImport(t, id);
    expect((await clientOf('v3@example.com')).country).toBe('Chile');
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['for an unknown field', { edad: '3' }, 'unknown_reference', 'No existe el campo «edad»'],
    [
      'for a field with a column',
      { name: 'A' },
      'not_allowed',
      'El campo «Nombre» ya tiene una columna: quita su valor único',
    ],
    [
      'that cannot be read',
      { status: 'Puebla' },
      'invalid',
      'Estado: Escribe una de estas opciones: activo, inactivo, suspendido, pendiente',
    ],
    [
      'that a spreadsheet changed',
      { postal_code: '12/11/2026' },
      'spreadsheet_damage',
      'Código Postal: Excel cambió este valor: da a la columna formato Texto y vuelve a guardarla',
    ],
  ])('%s is 400 at values', async (_what, values, code, message) => {
    const { answer } = await checkOf(values);
    expect([answer.status, answer.body.errors, answer.body.error_codes]).toEqual([
      400,
      { values: [message] },
      { values: [code] },
    ]);
  });

  test('a value that a run cannot read is 400, and the import stays checked', async () => {
    const { id } = await checkOf({});
    const { status, body } = await t.call('POST', `${IMPORTS}${id}/run/`, {
      body: { values: { status: 'x' } },
    });
    expect([status, body.error_codes]).toEqual([400, { values: ['invalid'] }]);
    expect((await progressOf(t, id)).state).toBe('checked');
  });

  test('without a column and a value a required field is 400 at mapping', async () => {
    const { answer } = await checkOf({ software: 'Caja Fácil' }, 'Clave\nAAAA-1\n', 'licenses');
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      { mapping: ['Falta indicar la columna de: Email del cliente, Precio'] },
    ]);
  });

  test('completes the key of a software', async () => {
    const { forecast } = await importFile(t, 'software', 'Nombre\nSin versión\nsin versión\n', 'create', {
      values: { version: '1.0' },
    });
    expect(forecast).toMatchObject({ to_create: 1, errors: [{ row: 3, field: 'name', code: 'taken' }] });
  });
});

describe('a product without a version (INPUT-20)', () => {
  test('is its newest, and the version that a licence has already stays', async () => {
    const client = await createClient(t, { email: 'version@example.com' });
    const old = (await t.call('GET', '/licenses/api/software/?search=Caja&page_size=50')).body.results.find(
      (one: { version: string }) => one.version === '1.0',
    );
    const { license_key } = await createLicense(t, { client: client.id, software: old.id });
    const file = `Clave,Email,Software,Categoría,Precio\n${license_key},version@example.com,Caja Fácil,premium,5\nVERSION-1,version@example.com,caja facil,premium,5\n`;
    const { forecast } = await importFile(t, 'licenses', file, 'upsert');
    expect(forecast).toMatchObject({ to_create: 1, to_update: 1, errors: [] });
    expect((await licenseOf('VERSION-1')).software_version).toBe('2.10');
    expect(await licenseOf(license_key)).toMatchObject({ software_version: '1.0', price: 5 });
  });

  test('is an error where names differ only in their accents', async () => {
    await createSoftware(t, { name: 'Nomína', version: '1' });
    await createSoftware(t, { name: 'Nómina', version: '1' });
    await createClient(t, { email: 'accents@example.com' });
    const file =
      'Clave,Email,Software,Categoría,Precio\nACC-1,accents@example.com,nomina,premium,5\nACC-2,accents@example.com,nómina,premium,5\n';
    const { forecast } = await importFile(t, 'licenses', file);
    expect(forecast).toMatchObject({ to_create: 1, errors: [{ row: 2, field: 'software' }] });
  });
});

describe('licences make their missing clients (INPUT-20)', () => {
  const HEAD = 'Clave,Email,Cliente,Software,Categoría,Precio\n';
  const line = (key: string, email: string, name = 'Ana', price = '10') =>
    `${key},${email},${name},Caja Fácil,premium,${price}\n`;

  test('only when asked; otherwise each is an error', async () => {
    const { forecast } = await importFile(t, 'licenses', HEAD + line('MISS-0', 'nadie@example.com'));
    expect(forecast).toMatchObject({ new_clients: 0, errors: [{ row: 2, field: 'client' }] });
  });

  test('one for each address, over several parts of the file, each with one event', async () => {
    const file = Array.from({ length: 60 }, (_, n) =>
      line(`MANY-${n}`, n % 2 ? 'Uno@many.example' : `n${n % 4}@many.example`),
    );
    const { forecast, progress, id } = await importFile(t, 'licenses', HEAD + file.join(''), 'create', {
      create_clients: true,
    });
    expect(forecast).toMatchObject({ to_create: 60, new_clients: 3, errors: [] });
    expect(progress.result).toMatchObject({ created: 60, new_clients: 3 });
    expect(progress.chosen.create_clients).toBe(true);
    expect(await clientOf('uno@many.example')).toMatchObject({ license_count: 30, name: 'Ana' });
    const listed = await t.call('GET', `/licenses/api/clients/?import=${id}`);
    expect(listed.body.count).toBe(3);
  });

  test('none is left without a licence, and a refused row names its own fields', async () => {
    const file = [
      line('LEFT-1', 'left1@example.com', 'Ana', 'gratis'),
      line('LEFT-2', 'no es un correo'),
      line('abc', 'left3@example.com'),
      line('LEFT-4', 'left4@example.com', 'x'.repeat(201)),
      // The first row of an address is refused, the second makes the client.
      line('LEFT-5', 'left5@example.com', 'Ana', '-1'),
      line('LEFT-6', 'left5@example.com', 'Rosa'),
      line('LEFT-7', 'left7@example.com', ''),
    ];
    const { forecast, progress } = await importFile(t, 'licenses', HEAD + file.join(''), 'create', {
      create_clients: true,
    });
    expect(forecast).toMatchObject({ to_create: 2, new_clients: 2 });
    expect(forecast.errors.map(({ row, field }) => [row, field])).toEqual([
      [2, 'price'],
      [3, 'client'],
      [4, 'license_key'],
      [5, 'client_name'],
      [6, 'price'],
    ]);
    expect(progress.result).toMatchObject({ created: 2, new_clients: 2 });
    for (const n of [1, 3, 4]) expect(await clientOf(`left${n}@example.com`)).toBeUndefined();
    expect(await clientOf('left5@example.com')).toMatchObject({ name: 'Rosa' });
    // Without a name the address is the name, and that is counted.
    expect(await clientOf('left7@example.com')).toMatchObject({ name: 'left7@example.com' });
    expect(forecast.missing.client_name?.samples).toMatchObject([{ row: 8, value: 'left7@example.com' }]);
  });

  test('a licence that is refused when it is stored leaves no client', async () => {
    const client = await createClient(t, { email: 'stored@example.com' });
    await createLicense(t, { client: client.id, external_id: 'TAKEN-1' });
    const file = `Clave,Email,Cliente,Software,Categoría,Precio,Identificador Externo\nEXT-1,ext1@example.com,A,Caja Fácil,premium,10,TAKEN-1\nEXT-2,ext2@example.com,B,Caja Fácil,premium,10,FREE-1\n`;
    const { forecast, progress } = await importFile(t, 'licenses', file, 'create', { create_clients: true });
    expect(forecast).toMatchObject({
      to_create: 1,
      new_clients: 1,
      errors: [{ row: 2, field: 'external_id' }],
    });
    expect(progress.result).toMatchObject({ created: 1, new_clients: 1 });
    expect(await clientOf('ext1@example.com')).toBeUndefined();
    expect(await clientOf('ext2@example.com')).toMatchObject({ license_count: 1 });
  });

  test('a licence that exists moves to a new client', async () => {
    const { license_key } = await createLicense(t);
    const file = `Clave,Email,Cliente\n${license_key},moved@example.com,Rosa\n`;
    const { forecast, progress } = await importFile(t, 'licenses', file, 'update', { create_clients: true });
    expect(forecast).toMatchObject({ to_update: 1, new_clients: 1, errors: [] });
    expect(progress.result).toMatchObject({ updated: 1, new_clients: 1 });
    expect(await licenseOf(license_key)).toMatchObject({ client_name: 'Rosa' });
  });

  test('needs clients:write: 403 in check and run', async () => {
    const key = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'licencias', permissions: ['imports:run', 'licenses:write', 'audit:read'] },
    });
    const token = key.body.key as string;
    const { id } = (await upload(t, 'licenses', HEAD + line('PERM-1', 'perm@example.com'), token)).body;
    const call = (path: string, body: unknown) => t.call('POST', `${IMPORTS}${id}/${path}/`, { body, token });
    expect((await call('check', { mode: 'create', create_clients: true })).status).toBe(403);
    expect((await call('check', { mode: 'create' })).status).toBe(200);
    expect((await call('run', { create_clients: true })).status).toBe(403);
    // What somebody else asked for at the check is not theirs to run.
    await t.call('POST', `${IMPORTS}${id}/check/`, { body: { mode: 'create', create_clients: true } });
    expect((await call('run', {})).status).toBe(403);
    expect((await call('run', { create_clients: false })).status).toBe(202);
  });
});

test('a column whose first rows are empty is recognised by the others (INPUT-20)', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, n) => `A,e${n}@empty.example,,${n < 10 ? '' : 'Jalisco'},5512345678`,
  );
  const file = `Nombre,Email,Teléfono,Estado,Celular\n${rows.join('\n')}\n`;
  const { mapping } = (await upload(t, 'clients', file)).body;
  expect(mapping).toMatchObject({ Estado: 'state', Celular: 'phone' });
});

test('a licence type gives the price, so a file needs none (INPUT-20)', async () => {
  await createLicenseType(t, { name: 'De otro', base_price: 750, validity_days: 30 });
  const { id, forecast } = await importFile(t, 'licenses', 'Key,Email\nTYPE-1,type@example.com\n', 'create', {
    values: { software: 'Caja Fácil', license_type_config: 'De otro' },
    create_clients: true,
  });
  expect(forecast).toMatchObject({ to_create: 1, new_clients: 1, errors: [] });
  expect(await licenseOf('TYPE-1')).toMatchObject({ price: 750, license_type_name: 'De otro' });
  // Once it is undone, no client of it is left.
  expect((await undoImport(t, id)).result).toMatchObject({ created: 0, new_clients: 0 });
});
