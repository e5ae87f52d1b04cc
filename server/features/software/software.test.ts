import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { Software } from '../../../contract/software/software.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createLicense, createSoftware } from '../../../test/factories.ts';
import { recordContract } from '../../../test/record-contract.ts';

const URL = '/licenses/api/software/';
const one = (id: number) => `${URL}${id}/`;

const namesOf = (page: Page<Software>) => page.results.map((software) => software.name);

describe('GET software/', () => {
  test('returns a page of software, newest first', {
    tags: ['SEED-7.3-01', 'SEED-3-26', 'D057'],
  }, async () => {
    const t = await createTestApp();
    for (const name of ['Uno', 'Dos', 'Tres']) await createSoftware(t, { name });

    const { body } = await t.call<Page<Software>>('GET', `${URL}?page=1&page_size=2`);

    expect(body).toMatchObject({
      count: 3,
      total_pages: 2,
      current_page: 1,
      page_size: 2,
      next: expect.stringMatching(/^\/licenses\/api\/software\/\?page=2&page_size=2&after=[\w-]+$/),
      previous: null,
    });
    expect(namesOf(body)).toEqual(['Tres', 'Dos']);
    const second = await t.call<Page<Software>>('GET', body.next ?? '');
    expect(namesOf(second.body)).toEqual(['Uno']);
    expect(second.body.previous).toBe(`${URL}?page=1&page_size=2`);
  });

  test('can be ordered by name or date, ascending or descending (D057)', async () => {
    const t = await createTestApp();
    for (const name of ['Bodega', 'Agenda', 'Caja']) await createSoftware(t, { name });
    const inOrder = async (ordering: string) => {
      const { body } = await t.call<Page<Software>>('GET', `${URL}?ordering=${ordering}`);
      return body.results.map((row) => row.name);
    };

    expect(await inOrder('name')).toEqual(['Agenda', 'Bodega', 'Caja']);
    expect(await inOrder('-name')).toEqual(['Caja', 'Bodega', 'Agenda']);
    expect(await inOrder('created_at')).toEqual(['Bodega', 'Agenda', 'Caja']);
    expect(await inOrder('-created_at')).toEqual(['Caja', 'Agenda', 'Bodega']);
    expect(await inOrder('precio')).toEqual(['Caja', 'Agenda', 'Bodega']);
  });

  test('returns all records when no page is asked for (D054)', async () => {
    const t = await createTestApp();
    for (let number = 0; number < 7; number += 1) await createSoftware(t);

    const { body } = await t.call<Page<Software>>('GET', URL);

    expect(body.results).toHaveLength(7);
    expect(body).toMatchObject({ count: 7, total_pages: 1, next: null });
  });

  test('searches name, version and description, ignoring case and accents (SEED-7.3-01)', async () => {
    const t = await createTestApp();
    await createSoftware(t, { name: 'Facturación', version: '2.5.1' });
    await createSoftware(t, { name: 'Nómina', description: 'Pago de ÁRBITROS al 100%' });

    const search = async (text: string) =>
      namesOf((await t.call<Page<Software>>('GET', `${URL}?search=${encodeURIComponent(text)}`)).body);

    expect(await search('facturacion')).toEqual(['Facturación']);
    expect(await search('FACTURACIÓN 2.5')).toEqual(['Facturación']);
    expect(await search('arbitros')).toEqual(['Nómina']);
    expect(await search('0%')).toEqual(['Nómina']);
    expect(await search('2-5-1')).toEqual(['Facturación']);
    expect(await search('2_6')).toEqual([]);
    expect(await search('nada de esto')).toEqual([]);
  });

  test('filters by is_active, and an empty filter is ignored (SEED-7.3-01, SEED-4-15)', async () => {
    const t = await createTestApp();
    await createSoftware(t, { name: 'Vivo' });
    await createSoftware(t, { name: 'Retirado', is_active: false });

    const filtered = async (query: string) =>
      namesOf((await t.call<Page<Software>>('GET', `${URL}?${query}`)).body);

    expect(await filtered('is_active=true')).toEqual(['Vivo']);
    expect(await filtered('is_active=false')).toEqual(['Retirado']);
    expect(await filtered('is_active=&search=')).toEqual(['Retirado', 'Vivo']);
    expect((await t.call('GET', `${URL}?is_active=quizás`)).body.errors).toHaveProperty('is_active');
  });

  test('counts the licences that are active and have not ended (D066, SEED-3-19)', async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00Z' });
    const { id } = await createSoftware(t);
    await createLicense(t, { software: id });
    await createLicense(t, { software: id, expiry_days: null, expiry_date: null });
    await createLicense(t, { software: id, status: 'suspended' });
    await createLicense(t, { software: id, expiry_days: 1 });
    await createLicense(t);
    t.clock.set('2026-03-12T06:00:01Z');

    const token = await signInAs(t, 'admin', 'admin123');
    const found = await t.call<Software>('GET', one(id), { token });

    expect(found.body.active_licenses_count).toBe(2);
    const listed = await t.call<Page<Software>>('GET', URL, { token });
    expect(listed.body.results.find((row) => row.id === id)?.active_licenses_count).toBe(2);
  });
});

describe('POST software/', () => {
  test('stores the four fields, trimmed, and returns the record (SEED-7.3-06, SEED-3-19)', async () => {
    const t = await createTestApp();

    const { status, body } = await t.call<Software>('POST', URL, {
      body: { name: '  Punto de Venta ', version: ' 1.0.0', description: ' Caja ', is_active: false },
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Punto de Venta',
      version: '1.0.0',
      code: 'punto-de-venta',
      description: 'Caja',
      is_active: false,
      trial_type: null,
      trial_type_name: null,
      trial_email: 'no',
      trial_daily_limit: 200,
      is_public: false,
      active_licenses_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await t.call('GET', one(body.id))).body).toEqual(body);
  });

  test('is active without a description by default (SEED-4-15)', async () => {
    const t = await createTestApp();

    const { body } = await t.call('POST', URL, { body: { name: 'A', version: '1', description: null } });

    expect(body).toMatchObject({ is_active: true, description: '' });
  });

  test('returns an error for every invalid field (SEED-8.3-08)', async () => {
    const t = await createTestApp();

    const { status, body } = await t.call('POST', URL, { body: { name: '  ', is_active: 'sí' } });

    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'invalid', message: 'Datos inválidos' });
    expect(body.errors).toMatchObject({
      name: ['El nombre es obligatorio'],
      version: ['La versión es obligatoria'],
      is_active: [expect.any(String)],
    });
  });

  test('name and version together are unique, ignoring case (D098)', async () => {
    const t = await createTestApp();
    await createSoftware(t, { name: 'Ñandú', version: '1.0-RC' });

    const again = await t.call('POST', URL, { body: { name: 'ÑANDÚ', version: '1.0-rc' } });

    expect(again.status).toBe(400);
    expect(again.body.errors).toEqual({ name: ['Ya existe un software con este nombre y versión'] });
    expect((await t.call('POST', URL, { body: { name: 'Ñandú', version: '1.1' } })).status).toBe(201);
  });

  test('twenty calls with one Idempotency-Key create one record', async () => {
    const t = await createTestApp();
    const post = () =>
      t.call<Software>('POST', URL, {
        body: { name: 'Una vez', version: '1' },
        headers: { 'idempotency-key': 'a-key' },
      });

    const answers = await Promise.all(Array.from({ length: 20 }, post));

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await t.call('GET', URL)).body.count).toBe(1);
  });
});

describe('POST software/register/', () => {
  test('creates a software once and returns it on later calls (SEED-7.3-07)', async () => {
    const t = await createTestApp();
    const register = (body: object) => t.call<Software>('POST', `${URL}register/`, { body });

    const first = await register({ name: 'Agente', version: '3.2.1' });
    const second = await register({
      name: 'AGENTE',
      version: '3.2.1',
      description: 'otra',
      is_active: false,
    });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  test('twenty concurrent calls register one software', async () => {
    const t = await createTestApp();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        t.call<Software>('POST', `${URL}register/`, { body: { name: 'Agente', version: '4' } }),
      ),
    );

    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  });
});

describe('PUT software/{id}/', () => {
  test('changes the four fields (SEED-7.3-04)', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t);
    const change = { name: 'Otro', version: '2', description: 'x', is_active: false };

    const put = await t.call<Software>('PUT', one(id), { body: change });

    expect(put.status).toBe(200);
    expect(put.body).toMatchObject(change);
    expect((await t.call('GET', one(id))).body).toEqual(put.body);
  });

  test('the event names every field that changed (EVENT-02)', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t);

    await t.call('PUT', one(id), { body: { is_public: true, trial_daily_limit: 7 } });

    const { body } = await t.call<{ results: Event[] }>('GET', `/licenses/api/events/?software=${id}`);
    expect(body.results[0]).toMatchObject({
      type: 'software.updated',
      changes: {
        is_public: { before: false, after: true },
        trial_daily_limit: { before: 200, after: 7 },
      },
    });
  });

  test('does not change absent and read-only fields (D091)', async () => {
    const t = await createTestApp();
    const before = await createSoftware(t, { description: 'se queda' });

    const { body } = await t.call<Software>('PUT', one(before.id), {
      body: { version: '9', id: 999, created_at: '2000-01-01T00:00:00Z', active_licenses_count: 50 },
    });

    expect(body).toEqual({ ...before, version: '9', updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  test('refuses the name and version of another software (D098)', async () => {
    const t = await createTestApp();
    await createSoftware(t, { name: 'Uno', version: '1' });
    const { id } = await createSoftware(t, { name: 'Dos', version: '1' });

    const { status, body } = await t.call('PUT', one(id), { body: { name: 'uno' } });

    expect(status).toBe(400);
    expect(body.errors).toEqual({ name: ['Ya existe un software con este nombre y versión'] });
    expect((await t.call('PUT', one(id), { body: { name: 'DOS' } })).body.name).toBe('DOS');
  });

  test('a database failure is not reported as a taken name', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t);
    await sql`alter table software rename column description to detalle`.execute(t.db);

    const { status, body } = await t.call('PUT', one(id), { body: { description: 'Nueva' } });

    expect([status, body.code, body.errors]).toEqual([500, 'server_error', undefined]);
  });

  test('a search finds the new name', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t, { name: 'Antiguo' });
    await t.call('PUT', one(id), { body: { name: 'Moderno' } });

    expect((await t.call('GET', `${URL}?search=antiguo`)).body.count).toBe(0);
    expect((await t.call('GET', `${URL}?search=moderno`)).body.count).toBe(1);
  });
});

describe('DELETE software/{id}/', () => {
  test('refuses a software with licences (D013)', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t);
    await createLicense(t, { software: id });

    const single = await t.call('DELETE', one(id));
    await createLicense(t, { software: id });
    const several = await t.call('DELETE', one(id));

    expect([single.status, several.status]).toEqual([409, 409]);
    expect(single.body).toEqual({
      success: false,
      code: 'in_use',
      message: 'No se puede eliminar el software porque tiene 1 licencia asociada.',
    });
    expect(several.body.message).toBe('No se puede eliminar el software porque tiene 2 licencias asociadas.');
    expect((await t.call('GET', one(id))).status).toBe(200);
  });

  test('a database failure is not reported as existing licences', async () => {
    const t = await createTestApp();
    const { id } = await createSoftware(t);
    await sql`alter table software rename to programas`.execute(t.db);

    const { status, body } = await t.call('DELETE', one(id));

    expect([status, body.code]).toEqual([500, 'server_error']);
  });
});

describe('PATCH software/bulk_update/', () => {
  test('changes the existing records and lists the unknown ids (SEED-7.3-08, D112)', async () => {
    const t = await createTestApp();
    const [a, b, c] = [await createSoftware(t), await createSoftware(t), await createSoftware(t)];

    const { status, body } = await t.call('PATCH', `${URL}bulk_update/`, {
      body: { ids: [a.id, b.id, a.id, 987_654], updates: { is_active: false } },
    });

    expect(status).toBe(200);
    expect(body).toEqual({ success: true, updated: 2, not_found: [987_654] });
    const active = await t.call<Page<Software>>('GET', `${URL}?is_active=true`);
    expect(active.body.results.map((row) => row.id)).toEqual([c.id]);
  });

  test.each([
    ['no ids', { ids: [], updates: { is_active: true } }, 'ids'],
    ['no updates', { ids: [1] }, 'updates'],
    ['another field', { ids: [1], updates: { is_active: true, name: 'Todos iguales' } }, 'updates'],
    ['nothing to update', { ids: [1], updates: {} }, 'updates'],
    [
      'too many ids',
      { ids: Array.from({ length: 101 }, (_, i) => i + 1), updates: { is_active: true } },
      'ids',
    ],
  ])('refuses %s (D112)', async (_what, body, field) => {
    const answer = await app.call('PATCH', `${URL}bulk_update/`, { body });

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveProperty(field);
  });
});

describe('GET software/export/', () => {
  test('returns a CSV file with the filters of the list, and escapes formulas (SEED-7.3-09, D014)', async () => {
    const t = await createTestApp({ now: '2026-03-01T03:00:00Z' });
    await createSoftware(t, { name: '=HYPERLINK("x")', version: '1,0', description: 'dos\nlíneas' });
    await createSoftware(t, { name: 'Retirado', is_active: false });

    const { status, headers, text } = await t.call('GET', `${URL}export/?is_active=true`);

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="software_2026-02-28.csv"');
    const [head, ...rows] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFID,Nombre,Versión,Descripción,Activo,Licencias Activas,Creado,Actualizado,Tipo de prueba,Correo de la prueba,Pruebas por día,Público',
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(`,"'=HYPERLINK(""x"")","1,0","dos\nlíneas",Sí,0,2026-03-01T03:00:00.000Z,`);
    expect(text).not.toContain('Retirado');
  });
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe('software as records', { tags: ['SEED-7.3-03', 'SEED-7.3-05', 'D090'] }, () => {
  recordContract({
    path: URL,
    create: createSoftware,
    change: (name) => ({ name }),
    notFound: 'Software no encontrado',
    deleted: 'Software eliminado exitosamente',
    calls: {
      list: [
        ['POST', 'register/'],
        ['GET', 'export/'],
        ['PATCH', 'bulk_update/'],
      ],
      one: [],
    },
    updates: { is_active: false },
  });
});
