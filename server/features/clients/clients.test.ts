import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { Client, ClientDetails, SavedClient } from '../../../contract/clients/clients.ts';
import { licenseCreate } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { recordContract } from '../../../test/record-contract.ts';
import { scopeIn } from '../../../test/scope.ts';
import { issueLicense } from '../licenses/issue-license.ts';

const URL = '/licenses/api/clients/';
const one = (id: number) => `${URL}${id}/`;
const VALID = { name: 'Ana López', email: 'ana@example.com', phone: '+525512345678' };

const idsOf = (page: Page<Client>) => page.results.map((client) => client.id);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe('GET clients/', () => {
  test('returns a page of clients, newest first', {
    tags: ['SEED-7.2-01', 'SEED-7.2-03', 'SEED-3-26', 'D044'],
  }, async () => {
    const t = await createTestApp();
    const made = [];
    for (let number = 0; number < 7; number += 1) made.push((await createClient(t)).id);

    const first = await t.call<Page<Client>>('GET', `${URL}?page=1&page_size=5`);
    const second = await t.call<Page<Client>>('GET', `${URL}?page=2&page_size=5`);
    const beyond = await t.call<Page<Client>>('GET', `${URL}?page=9&page_size=5`);

    expect(first.body).toMatchObject({ count: 7, total_pages: 2, current_page: 1, page_size: 5 });
    expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(made.reverse());
    expect(second.body.next).toBeNull();
    expect([beyond.status, beyond.body.results]).toEqual([200, []]);
  });

  test('clients created at the same moment have a stable order across pages', async () => {
    const t = await createTestApp({ now: '2026-05-05T05:05:05Z' });
    for (let number = 0; number < 6; number += 1) await createClient(t);
    const pages = [];
    for (const page of [1, 2, 3]) {
      pages.push(...idsOf((await t.call<Page<Client>>('GET', `${URL}?page=${page}&page_size=2`)).body));
    }
    expect(new Set(pages).size).toBe(6);
    expect(pages).toEqual(pages.toSorted((a, b) => b - a));
  });

  test('filters by status, type, country, state, city, company and email (SEED-7.2-01, D053)', async () => {
    const t = await createTestApp();
    const a = await createClient(t, { status: 'inactive', client_type: 'enterprise', city: 'León' });
    const b = await createClient(t, { status: 'suspended', company: 'Acme', email: 'Uno@Example.com' });
    const c = await createClient(t, { country: 'Perú', state: 'Lima' });

    const found = async (query: string) => idsOf((await t.call<Page<Client>>('GET', `${URL}?${query}`)).body);

    expect(await found('status=inactive')).toEqual([a.id]);
    expect(await found('type=enterprise')).toEqual([a.id]);
    expect(await found('client_type=enterprise')).toEqual([a.id]);
    expect(await found(`city=${encodeURIComponent('León')}`)).toEqual([a.id]);
    expect(await found('company=Acme')).toEqual([b.id]);
    expect(await found('email=uno@example.com')).toEqual([b.id]);
    expect(await found(`country=${encodeURIComponent('Perú')}&state=Lima`)).toEqual([c.id]);
    expect(await found('status=inactive&type=individual')).toEqual([]);
    expect(await found('status=&type=&search=&desconocido=1')).toHaveLength(3);
  });

  test('searches six fields, ignoring case and accents, and every word must be found (SEED-7.2-01, D053)', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, {
      name: 'José Ñandú',
      email: 'jose@correo.mx',
      company: 'Construcciones Águila',
      phone: '+5215598765432',
      contact_person: 'María',
      tax_id: 'ABC010101XYZ',
      notes: 'secreto',
    });
    await createClient(t, { name: 'Otra persona' });

    const finds = async (text: string) =>
      idsOf((await t.call<Page<Client>>('GET', `${URL}?search=${encodeURIComponent(text)}`)).body).includes(
        id,
      );

    for (const text of [
      'jose nandu',
      'NANDU',
      'correo.mx',
      'aguila',
      '98765',
      'maria',
      'abc0101',
      'ñ',
      'jose aguila',
    ]) {
      expect([text, await finds(text)]).toEqual([text, true]);
    }
    for (const text of ['jose otra', 'secreto', '%', '_', 'jose%aguilar', '"']) {
      expect([text, await finds(text)]).toEqual([text, false]);
    }
  });

  test('the licence counters equal the number of rows (D094, D123)', async () => {
    const t = await createTestApp({ now: '2026-01-01T12:00:00Z' });
    const { id } = await createClient(t);
    const license = await createLicense(t, { client: id });
    await createLicense(t, { client: id, status: 'suspended' });
    await createLicense(t, { client: id, expiry_days: 1 });
    await activate(t, license.license_key, 'a');
    await activate(t, license.license_key, 'b');
    t.clock.set('2026-02-01T12:00:00Z');
    t.token = await signInAs(t, 'admin', 'admin123');

    const { body } = await t.call<Page<Client>>('GET', URL);

    expect(body.results.find((client) => client.id === id)).toMatchObject({
      license_count: 3,
      active_license_count: 1,
      installation_count: 2,
    });
  });

  test('an unknown status is refused at its field', async () => {
    const { status, body } = await app.call('GET', `${URL}?status=otro&type=otro`);
    expect(status).toBe(400);
    expect(Object.keys(body.errors).sort()).toEqual(['status', 'type']);
  });
});

describe('POST clients/', () => {
  test('three fields are required, and the others get defaults', {
    tags: [
      'SEED-7.2-04',
      'SEED-3-03',
      'SEED-3-04',
      'SEED-3-05',
      'SEED-3-06',
      'SEED-9-09',
      'SEED-5.2-06',
      'D010',
    ],
  }, async () => {
    const { status, body } = await app.call<ClientDetails>('POST', URL, { body: VALID });

    expect(status).toBe(201);
    expect(body).toEqual({
      ...VALID,
      id: expect.any(Number),
      company: 'Sin especificar',
      phone_secondary: '',
      address: 'Sin especificar',
      city: 'Sin especificar',
      state: 'Sin especificar',
      country: 'México',
      postal_code: '00000',
      client_type: 'individual',
      status: 'active',
      contact_person: 'Sin especificar',
      contact_position: '',
      tax_id: '',
      website: '',
      notes: '',
      last_contact: null,
      reminders: true,
      tax_regime: '',
      cfdi_use: '',
      tax_condition: '',
      external_id: null,
      tags: [],
      contacts: [],
      is_system: false,
      email_verified: true,
      email_bounced_at: null,
      contacts_bounced: [],
      portal_last_sign_in: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: body.created_at,
      license_count: 0,
      active_license_count: 0,
      installation_count: 0,
      licenses: [],
      installations: [],
    });
    expect((await app.call('GET', one(body.id))).body).toEqual(body);
  });

  test('blank and null are stored as the defaults', {
    tags: ['SEED-5.2-06', 'SEED-5.2-07', 'SEED-5.2-08', 'D010'],
  }, async () => {
    const blank = { company: '  ', address: null, city: '', state: '', country: '', postal_code: ' ' };
    const { body } = await app.call('POST', URL, {
      body: { ...VALID, email: 'b@example.com', ...blank, contact_person: '', client_type: '', status: null },
    });
    expect(body).toMatchObject({
      company: 'Sin especificar',
      address: 'Sin especificar',
      city: 'Sin especificar',
      state: 'Sin especificar',
      country: 'México',
      postal_code: '00000',
      contact_person: 'Sin especificar',
      client_type: 'individual',
      status: 'active',
    });
  });

  test('texts are trimmed and a plus is added to the phone', {
    tags: ['SEED-5.2-04', 'SEED-5.2-05', 'D048'],
  }, async () => {
    const { body } = await app.call('POST', URL, {
      body: { name: '  Ana  ', email: ' Trim@Example.com ', phone: ' 5512345678 ', notes: ' a\n b ' },
    });
    expect(body).toMatchObject({
      name: 'Ana',
      email: 'Trim@Example.com',
      phone: '+5512345678',
      notes: 'a\n b',
    });
  });

  test('returns errors for every invalid field in one answer (SEED-8.3-05)', async () => {
    const { status, body } = await app.call('POST', URL, {
      body: {
        name: '',
        email: 'no',
        phone: '123',
        client_type: 'otro',
        status: 'otro',
        website: 'javascript:alert(1)',
        last_contact: '2026-02-30',
      },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      code: 'invalid',
      message: 'Datos inválidos',
      errors: {
        name: ['El nombre es obligatorio'],
        email: ['El email no es válido'],
        phone: ['El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890'],
        client_type: ['Selecciona un tipo de cliente válido'],
        status: ['Selecciona un estado válido'],
        website: ['El sitio web debe empezar con http:// o https://'],
        last_contact: ['Fecha inválida. Usa el formato AAAA-MM-DD.'],
      },
    });
  });

  test('an empty body gets an error for each of the three fields', async () => {
    const { body } = await app.call('POST', URL);
    expect(body.errors).toEqual({
      name: ['El nombre es obligatorio'],
      email: ['El email es obligatorio'],
      phone: ['El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890'],
    });
  });

  test.each(['123456789', '+1234567890', '+123456789012345', '1123456789012345'])(
    'accepts the phone %s (SEED-5.2-02, SEED-9-05)',
    async (phone) => {
      const body = { ...VALID, email: `tel${phone}@example.com`.replace('+', 'p'), phone };
      expect((await app.call('POST', URL, { body })).status).toBe(201);
    },
  );

  test.each([
    '12345678',
    '+12345678',
    '12345abc9',
    '55 1234 5678',
    '23456789012345678',
    '++1234567890',
    '٠١٢٣٤٥٦٧٨٩',
  ])('refuses the phone %s (SEED-5.2-02, SEED-5.2-03)', async (phone) => {
    const { status, body } = await app.call('POST', URL, {
      body: { ...VALID, email: 'p@example.com', phone },
    });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['phone']]);
  });

  test.each(['individual', 'small_business', 'medium_business', 'large_business', 'enterprise'])(
    'accepts the type %s (SEED-3-07)',
    async (client_type) => {
      expect((await createClient(app, { client_type: client_type as 'individual' })).client_type).toBe(
        client_type,
      );
    },
  );

  test.each(['active', 'inactive', 'suspended', 'pending'])(
    'accepts the status %s (SEED-3-09)',
    async (status) => {
      expect((await createClient(app, { status: status as 'active' })).status).toBe(status);
    },
  );

  test('an email is unique ignoring case (D097)', async () => {
    await createClient(app, { email: 'Unica@Example.com' });
    const { status, body } = await app.call('POST', URL, { body: { ...VALID, email: 'unica@EXAMPLE.com' } });
    expect([status, body.errors]).toEqual([400, { email: ['Ya existe un cliente con este email'] }]);
  });

  test('twenty concurrent calls with one email create one client', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.call('POST', URL, { body: { ...VALID, email: 'carrera@example.com' } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(400)]);
  });

  test('fields that cannot be written are ignored (D091)', async () => {
    const { body } = await app.call('POST', URL, {
      body: {
        ...VALID,
        email: 'id@example.com',
        id: 5,
        created_at: '2000-01-01T00:00:00Z',
        license_count: 9,
        licenses: [1],
      },
    });
    expect(body.id).not.toBe(5);
    expect(body.created_at).not.toMatch(/^2000/);
    expect([body.license_count, body.licenses]).toEqual([0, []]);
  });
});

describe('the same Idempotency-Key', () => {
  const post = (key: string, email: string) =>
    app.call<ClientDetails>('POST', URL, { body: { ...VALID, email }, headers: { 'idempotency-key': key } });

  test('twenty concurrent calls create one client and return it in every answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('una-vez', 'idem@example.com')));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });

  test('a call with another body gets 409', async () => {
    await post('otra', 'idem1@example.com');
    const { status, body } = await post('otra', 'idem2@example.com');
    expect([status, body]).toMatchObject([409, { code: 'idempotency_conflict' }]);
  });

  test('a key can be used again after a call that failed', async () => {
    const failed = await post('fallida', 'no es un email');
    const taken = await post('tomada', 'idem@example.com');
    expect([failed.status, taken.status]).toEqual([400, 400]);
    expect((await post('fallida', 'idem3@example.com')).status).toBe(201);
    expect((await post('tomada', 'idem4@example.com')).status).toBe(201);
  });
});

describe('GET clients/{id}/', () => {
  test('returns licences with their installations, and a flat list of all installations', {
    tags: ['SEED-7.2-05', 'SEED-3-18', 'D114'],
  }, async () => {
    const { id, name } = await createClient(app);
    const license = await createLicense(app, { client: id });
    await createLicense(app, { client: id });
    await activate(app, license.license_key, 'caja-1');

    const { headers, body } = await app.call<ClientDetails>('GET', one(id));

    expect(headers.etag).toBe(`"${body.updated_at}"`);
    expect(body.licenses).toHaveLength(2);
    const own = body.licenses.find((row) => row.id === license.id);
    expect(own?.installations).toHaveLength(1);
    expect(body.installations).toEqual(own?.installations);
    expect(body.installations[0]).toMatchObject({
      machine_id: 'caja-1',
      license_key: license.license_key,
      software_name: license.software_name,
      client_name: name,
      last_heartbeat: null,
      is_active: false,
    });
    expect(body).toMatchObject({ license_count: 2, active_license_count: 2, installation_count: 1 });
  });
});

describe('PUT clients/{id}/', () => {
  test('changes the sent fields and no others (SEED-7.2-06, D091)', async () => {
    const before = await createClient(app, { company: 'Acme', notes: 'nota' });
    const { status, body: answer } = await app.call<SavedClient>('PUT', one(before.id), {
      body: { name: 'Otro', phone: '5599999999', notes: '', id: 1, license_count: 7 },
    });
    expect(status).toBe(200);
    // What is said of the phone stands only in this answer (INPUT-02).
    const { warnings: _warnings, suggestions: _suggestions, ...body } = answer;
    expect(body).toEqual({
      ...before,
      name: 'Otro',
      phone: '+5599999999',
      notes: '',
      updated_at: body.updated_at,
    });
    expect((await app.call('GET', one(before.id))).body).toEqual(body);
  });

  test('accepts the record exactly as it was read', async () => {
    const before = await createClient(app);
    const { status, body } = await app.call<ClientDetails>('PUT', one(before.id), { body: before });
    expect(status).toBe(200);
    expect({ ...body, updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  test('replaces blank texts by the defaults (D010)', async () => {
    const { id } = await createClient(app, { company: 'Acme', country: 'Perú' });
    const { body } = await app.call('PUT', one(id), { body: { company: '', country: null } });
    expect(body).toMatchObject({ company: 'Sin especificar', country: 'México' });
  });

  test('an invalid phone is a field error (SEED-5.2-03, SEED-8.3-06)', async () => {
    const { id } = await createClient(app);
    const { status, body } = await app.call('PUT', one(id), { body: { phone: '123' } });
    expect(status).toBe(400);
    expect(body.errors.phone).toEqual(['El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890']);
  });

  test('refuses the email of another client and accepts its own in another case (D097)', async () => {
    await createClient(app, { email: 'de.otro@example.com' });
    const { id } = await createClient(app, { email: 'propio@example.com' });
    const refused = await app.call('PUT', one(id), { body: { email: 'DE.OTRO@example.com' } });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { email: ['Ya existe un cliente con este email'] },
    ]);
    expect((await app.call('PUT', one(id), { body: { email: 'PROPIO@example.com' } })).status).toBe(200);
  });

  test('a database failure is not reported as a taken email', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    await sql`alter table clients rename column notes to apuntes`.execute(t.db);
    const { status, body } = await t.call('PUT', one(id), { body: { notes: 'Nueva' } });
    expect([status, body.code, body.errors]).toEqual([500, 'server_error', undefined]);
  });
});

describe('DELETE clients/{id}/', () => {
  test('refuses a client with licences and reports how many (D013)', async () => {
    const { id } = await createClient(app);
    const license = await createLicense(app, { client: id });
    const single = await app.call('DELETE', one(id));
    await createLicense(app, { client: id });
    const several = await app.call('DELETE', one(id));

    expect(single.body).toEqual({
      success: false,
      code: 'in_use',
      message: 'No se puede eliminar el cliente porque tiene 1 licencia asociada.',
    });
    expect([several.status, several.body.message]).toEqual([
      409,
      'No se puede eliminar el cliente porque tiene 2 licencias asociadas.',
    ]);
    for (const { id: own } of (await app.call<ClientDetails>('GET', one(id))).body.licenses) {
      await app.call('DELETE', `/licenses/api/licenses/${own}/`);
    }
    expect((await app.call('DELETE', one(id))).status).toBe(200);
    expect((await app.call('GET', `/licenses/api/licenses/${license.id}/`)).status).toBe(404);
  });
});

describe('DELETE clients/{id}/ under concurrency', () => {
  test('a client that gets a licence at the same time is not deleted (D013)', async () => {
    const t = await createTestApp();
    const [client, software] = [await createClient(t), await createSoftware(t)];
    const terms = { client: client.id, software: software.id, license_type: 'premium', price: 100 };
    const issuing = await t.db.startTransaction().execute();
    await issueLicense(scopeIn(t, issuing), licenseCreate.parse(terms));

    const deleting = t.call('DELETE', one(client.id));
    // Enough time for the deletion to find no licence while the new licence is not committed yet.
    await delay(300);
    await issuing.commit().execute();

    const { status, body } = await deleting;
    expect([status, body.code, body.message]).toEqual([
      409,
      'in_use',
      'No se puede eliminar el cliente porque tiene 1 licencia asociada.',
    ]);
    expect((await t.call('GET', one(client.id))).body.license_count).toBe(1);
  });

  test('a database failure is not reported as existing licences', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    await sql`alter table clients rename to clientela`.execute(t.db);
    const { status, body } = await t.call('DELETE', one(id));
    expect([status, body.code]).toEqual([500, 'server_error']);
  });
});

describe('PATCH clients/bulk_update/', () => {
  test('changes the existing records and lists the unknown ids (SEED-7.2-08, D112)', async () => {
    const [a, b] = [await createClient(app), await createClient(app)];
    const { status, body } = await app.call('PATCH', `${URL}bulk_update/`, {
      body: { ids: [a.id, 987_654, b.id], updates: { status: 'inactive', city: 'Mérida' } },
    });
    expect([status, body]).toEqual([200, { success: true, updated: 2, not_found: [987_654] }]);
    for (const { id } of [a, b]) {
      expect((await app.call('GET', one(id))).body).toMatchObject({ status: 'inactive', city: 'Mérida' });
    }
  });

  test.each([
    ['email', { email: 'todos@example.com' }],
    ['id', { status: 'active', id: 3 }],
    ['license_count', { license_count: 3 }],
    ['a bad status', { status: 'otro' }],
    ['nothing', {}],
  ])('refuses %s with an error at updates (D112)', async (_what, updates) => {
    const { status, body } = await app.call('PATCH', `${URL}bulk_update/`, { body: { ids: [1], updates } });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['updates']]);
  });

  test.each([[[]], [[0]], [[1.5]], [['1']], [Array.from({ length: 101 }, (_, i) => i + 1)]])(
    'refuses the list of ids %j',
    async (ids) => {
      const { status, body } = await app.call('PATCH', `${URL}bulk_update/`, {
        body: { ids, updates: { status: 'active' } },
      });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['ids']]);
    },
  );
});

describe('GET clients/export/', () => {
  test('returns a CSV file with the filters of the list (SEED-7.2-09)', async () => {
    const t = await createTestApp({ now: '2026-11-22T05:00:00Z' });
    const { id } = await createClient(t, { name: 'Núñez, Ana', notes: '=1+1' });
    await createClient(t, { name: 'Oculta', status: 'inactive' });

    const { status, headers, text } = await t.call('GET', `${URL}export/?status=active`);

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="clientes_2026-11-21.csv"');
    expect(text.startsWith('\uFEFFID,Nombre,Email,')).toBe(true);
    const rows = text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatch(new RegExp(`^${id},"Núñez, Ana",`));
    expect(rows[1]).toContain(",'+525512345678,");
    expect(rows[1]).toContain(",'=1+1,");
  });
});

describe('clients as records', { tags: ['SEED-7.2-07', 'D090'] }, () => {
  recordContract({
    path: URL,
    create: createClient,
    change: (name) => ({ name }),
    notFound: 'Cliente no encontrado',
    deleted: 'Cliente eliminado exitosamente',
    calls: {
      list: [
        ['GET', 'export/'],
        ['PATCH', 'bulk_update/'],
      ],
      one: [],
    },
    updates: { status: 'inactive' },
  });
});
