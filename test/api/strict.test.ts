import { beforeAll, describe, expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { activate, createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';

/** Calls with `Prefer: handling=strict` (API-05). */

const API = '/licenses/api';
const STRICT = { prefer: 'handling=strict' };
const APPLIED = 'handling=strict';

let t: TestApp;
let ids: {
  client: number;
  software: number;
  type: number;
  license: number;
  user: number;
  webhook: number;
  note: number;
  key: string;
};

beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  const client = await createClient(t);
  const software = await createSoftware(t);
  const type = await createLicenseType(t);
  const values = { client: client.id, software: software.id, license_type_config: type.id };
  const license = await createLicense(t, { ...values, features: { modulo: true }, max_installations: 2 });
  await activate(t, license.license_key, 'caja');
  const user = await t.call('POST', `${API}/users/`, {
    body: { username: 'ana', names: 'Ana', email: 'ana@example.com', role: 'viewer' },
  });
  const webhook = await t.call('POST', `${API}/webhooks/`, {
    body: { url: 'https://example.invalid/avisos', types: ['license.*'] },
  });
  const note = await t.call('POST', `${API}/notes/`, { body: { text: 'Llamar', client: client.id } });
  ids = {
    note: note.body.id,
    client: client.id,
    software: software.id,
    type: type.id,
    license: license.id,
    user: user.body.id,
    webhook: webhook.body.id,
    key: license.license_key,
  };
  return t.close;
});

const unknown = (name: string, path = name) => ({
  code: 'invalid',
  errors: { [name]: [`No existe el campo «${path}»`] },
  error_codes: { [name]: ['unknown_field'] },
});

test('an unknown field is refused with its name, together with all other errors (API-05)', async () => {
  const body = { name: 'Ana', mail: 'ana@example.com', phone: '+525512345678' };
  const {
    status,
    headers,
    body: answer,
  } = await t.call('POST', `${API}/clients/?dry_run=1`, {
    headers: STRICT,
    body,
  });
  expect(status).toBe(400);
  expect(headers['preference-applied']).toBe(APPLIED);
  expect(answer).toEqual({
    success: false,
    code: 'invalid',
    message: 'Datos inválidos',
    errors: {
      email: ['El email es obligatorio'],
      mail: ['No existe el campo «mail»'],
      dry_run: ['No existe el parámetro «dry_run»'],
    },
    error_codes: { email: ['required'], mail: ['unknown_field'], dry_run: ['unknown_field'] },
  });
});

test('a valid call is executed, and its answer says that it was strict', async () => {
  const body = { name: 'Eva', email: 'eva@example.com', phone: '+525512345678' };
  const saved = await t.call('POST', `${API}/clients/`, { headers: STRICT, body });
  expect([saved.status, saved.headers['preference-applied']]).toEqual([201, APPLIED]);
  const list = await t.call('GET', `${API}/clients/?page=1&page_size=&ordering=&search=eva`, {
    headers: STRICT,
  });
  expect([list.status, list.body.count, list.headers['preference-applied']]).toEqual([200, 1, APPLIED]);
});

describe('in strict mode a filter without a value is refused with its name (API-05)', () => {
  const empty = (name: string) => ({
    success: false,
    code: 'invalid',
    message: 'Datos inválidos',
    errors: { [name]: [`El parámetro «${name}» está vacío`] },
    error_codes: { [name]: ['required'] },
  });

  test.each([
    ['clients/?email=', 'email'],
    ['clients/?page=1&external_id=%20', 'external_id'],
    ['clients/?search=', 'search'],
    ['clients/export/?status=', 'status'],
    ['licenses/?license_key=&license_key=', 'license_key'],
    ['events/?type=license.issued&type=', 'type'],
    ['search/?q=', 'q'],
  ])('the empty filter in %s is refused', async (path, name) => {
    const { status, body } = await t.call('GET', `${API}/${path}`, { headers: STRICT });
    expect([status, body.error_codes]).toEqual([400, { [name]: ['required'] }]);
    if (name !== 'q') expect(body).toEqual(empty(name));
  });

  test('several empty filters and an unknown one are refused in one answer', async () => {
    const { body } = await t.call('GET', `${API}/clients/?email=&city=&colour=`, { headers: STRICT });
    expect(body.error_codes).toEqual({ email: ['required'], city: ['required'], colour: ['unknown_field'] });
  });

  test('an empty filter is ignored without strict mode', async () => {
    const { status, body } = await t.call('GET', `${API}/clients/?email=&page=1`);
    expect([status, body.count > 0]).toEqual([200, true]);
  });
});

test.each<Record<string, string>>([{}, { prefer: 'handling=lenient' }, { prefer: 'respond-async' }])(
  'with the headers %j unknown names are ignored',
  async (headers) => {
    const body = { description: 'x', colour: 'red' };
    const saved = await t.call('PUT', `${API}/software/${ids.software}/?colour=red`, { headers, body });
    expect([saved.status, saved.headers['preference-applied']]).toEqual([200, undefined]);
    expect((await t.call('GET', `${API}/clients/?colour=red`, { headers })).status).toBe(200);
  },
);

describe('in strict mode unknown fields are refused (API-05)', () => {
  test.each<[method: string, path: string, body: object]>([
    ['POST', '/license/validate/', { machine_id: 'caja' }],
    ['POST', '/installations/', { machine_id: 'caja' }],
    ['POST', '/installation/heartbeat/', { machine_id: 'caja' }],
  ])('a call of a program refuses an unknown field: %s %s', async (method, path, body) => {
    const sent = { ...body, license_key: ids.key };
    const right = await t.call(method, `${API}${path}`, { headers: STRICT, body: sent, token: null });
    expect([right.status, right.headers['preference-applied']]).toEqual([200, APPLIED]);
    const wrong = await t.call(method, `${API}${path}`, {
      headers: STRICT,
      body: { ...sent, machine: 'x' },
      token: null,
    });
    expect([wrong.status, wrong.body]).toEqual([400, expect.objectContaining(unknown('machine'))]);
  });

  test.each([
    'clients',
    'software',
    'licenses',
    'license-types',
    'installations',
    'mails',
    'users',
    'api-keys',
    'views',
  ])('the list of %s refuses an unknown parameter', async (list) => {
    for (const name of ['colour', '__proto__', 'constructor', 'toString']) {
      const { status, text } = await t.call('GET', `${API}/${list}/?${name}=red`, { headers: STRICT });
      expect(status).toBe(400);
      expect(text).toContain(`"error_codes":{"${name}":["unknown_field"]}`);
    }
  });

  test('exports, reports and single records refuse an unknown or empty parameter', async () => {
    for (const path of [
      'clients/export/',
      'reports/revenue/',
      `clients/${ids.client}/`,
      'settings/',
      'clients/',
    ]) {
      const { status, body } = await t.call('GET', `${API}/${path}?colour=`, { headers: STRICT });
      expect([path, status, body.error_codes]).toEqual([path, 400, { colour: ['unknown_field'] }]);
      const right = await t.call('GET', `${API}/${path}`, { headers: STRICT });
      expect([path, right.status, right.headers['preference-applied']]).toEqual([path, 200, APPLIED]);
    }
  });

  test('a call without fields and one that takes a file refuse unknown names', async () => {
    const toggle = { headers: STRICT, body: { is_active: true } };
    const toggled = await t.call('PATCH', `${API}/license-types/${ids.type}/toggle-status/`, toggle);
    expect(toggled.body).toMatchObject(unknown('is_active'));
    const file = (query: string) =>
      t.call('POST', `${API}/imports/?${query}`, {
        payload: 'Nombre,Email\nAna,a@example.com\n',
        headers: { ...STRICT, 'content-type': 'text/csv' },
      });
    expect((await file('kind=clients')).status).toBe(201);
    expect((await file('kind=clients&mode=create')).body.error_codes).toEqual({ mode: ['unknown_field'] });
  });

  test('unknown fields of inner objects and fields of another action are refused', async () => {
    const bulk = (body: object) => t.call('POST', `${API}/licenses/bulk_action/`, { headers: STRICT, body });
    expect((await bulk({ action: 'extend_all', ids: [1] })).body.error_codes).toEqual({
      action: ['invalid'],
    });
    expect((await bulk({ action: 'suspend', ids: [ids.license], days: 3 })).body).toMatchObject(
      unknown('days'),
    );
    const { body } = await t.call('PATCH', `${API}/clients/bulk_update/`, {
      headers: STRICT,
      body: { ids: [ids.client], updates: { city: 'León', emali: 'x' }, updated: 1 },
    });
    expect(body.error_codes).toEqual({ updates: ['unknown_field'], updated: ['unknown_field'] });
    const preview = { headers: STRICT, body: {} };
    expect((await t.call('POST', `${API}/license/generate/`, preview)).status).toBe(200);
  });

  test('a path of no record, and a missing permission, are reported before unknown fields', async () => {
    const none = await t.call('GET', `${API}/mail-templates/nothing/?colour=red`, { headers: STRICT });
    expect(none.status).toBe(404);
    expect((await t.call('GET', '/licenses/api/nothing/?a=1', { headers: STRICT })).status).toBe(404);
    expect((await t.call('GET', `${API}/clients/?colour=red`, { headers: STRICT, token: null })).status).toBe(
      401,
    );
  });

  test('an answer lists at most a hundred unknown names', async () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]));
    const answer = await t.call('PUT', `${API}/software/${ids.software}/`, { headers: STRICT, body });
    expect(Object.keys(answer.body.errors)).toHaveLength(100);
  });
});

describe('in strict mode an answer can be sent back (API-05)', () => {
  const records: [path: string, () => string | number][] = [
    ['clients', () => ids.client],
    ['software', () => ids.software],
    ['licenses', () => ids.license],
    ['license-types', () => ids.type],
    ['users', () => ids.user],
    ['webhooks', () => ids.webhook],
    ['notes', () => ids.note],
    ['mail-templates', () => 'digest'],
    ['settings', () => ''],
    ['settings/payments', () => ''],
    ['settings/mail', () => ''],
  ];
  const pathOf = (path: string, id: string | number) => `${API}/${path}/${id === '' ? '' : `${id}/`}`;

  test.each(records)('a PUT of %s accepts the whole answer of the GET', async (path, id) => {
    const url = pathOf(path, id());
    const { body } = await t.call('GET', url);
    const saved = await t.call('PUT', url, { headers: STRICT, body });
    expect([saved.status, saved.body.errors]).toEqual([200, undefined]);
    const patched = await t.call('PATCH', url, { headers: STRICT, body: saved.body });
    expect([patched.status, patched.body.errors]).toEqual([200, undefined]);
    const misspelt = await t.call('PUT', url, { headers: STRICT, body: { ...saved.body, is_actve: true } });
    expect(misspelt.body).toMatchObject(unknown('is_actve'));
  });

  test('one’s own account is accepted as the record inside its answer', async () => {
    const { body } = await t.call('GET', '/api/auth/user/');
    const put = (sent: object) => t.call('PUT', '/api/auth/user/', { headers: STRICT, body: sent });
    expect((await put(body.user)).status).toBe(200);
    expect((await put(body)).body.error_codes).toMatchObject({ user: ['unknown_field'] });
  });

  test('a new record with an id is refused', async () => {
    const body = { ...(await t.call('GET', pathOf('software', ids.software))).body, version: '9' };
    const made = await t.call('POST', `${API}/software/`, { headers: STRICT, body });
    expect(Object.keys(made.body.error_codes)).toContain('id');
  });

  test('these tests contain every PUT of a record in the document', () => {
    const paths = Object.entries(apiDocument(t.app).paths).flatMap(([path, methods]) =>
      methods.get && methods.put?.requestBody?.content['application/json'] ? [path] : [],
    );
    const tried = records.map(([path]) => new RegExp(`^${API}/${path}/(\\{\\w+\\}/)?$`));
    expect(paths.filter((path) => !tried.some((one) => one.test(path)))).toEqual(['/api/auth/user/']);
  });
});

test('the document has the header Prefer on every operation, and a 400 for it', () => {
  const document = apiDocument(t.app);
  expect(document.components.parameters?.Prefer).toMatchObject({ in: 'header', name: 'Prefer' });
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { parameters, responses }] of Object.entries(methods)) {
      expect([path, method, parameters]).toEqual([
        path,
        method,
        expect.arrayContaining([{ $ref: '#/components/parameters/Prefer' }]),
      ]);
      expect([path, method, Object.keys(responses)]).toEqual([path, method, expect.arrayContaining(['400'])]);
    }
  }
});
