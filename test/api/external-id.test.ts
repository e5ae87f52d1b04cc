import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense } from '../factories.ts';
import { importFile } from '../import-file.ts';

/** `external_id` of clients and licences, used by the vendor's other systems (API-01). */

const TAKEN = {
  clients: 'Ya existe un cliente con este identificador externo',
  licenses: 'Ya existe una licencia con este identificador externo',
};
const LISTS = ['clients', 'licenses'] as const;
type List = (typeof LISTS)[number];

const make = (t: TestApp, list: List, external_id?: string | null) => {
  const values = external_id === undefined ? {} : { external_id };
  return list === 'clients' ? createClient(t, values) : createLicense(t, values);
};
const put = (t: TestApp, list: List, id: number, body: object) =>
  t.call('PUT', `/licenses/api/${list}/${id}/`, { body });
const find = async (t: TestApp, list: List, external_id: string) => {
  const query = new URLSearchParams({ external_id });
  return (await t.call('GET', `/licenses/api/${list}/?${query}`)).body.results.map(
    ({ id }: { id: number }) => id,
  );
};

describe.each(LISTS)('external_id of %s (API-01)', (list) => {
  test('is stored as sent, found exactly, unchanged by a PUT without it, and cleared by null or an empty text', async () => {
    const t = await createTestApp();
    const { id } = await make(t, list, '  CRM/00-A ñ ');
    const other = await make(t, list);
    const read = async (of: number) => (await t.call('GET', `/licenses/api/${list}/${of}/`)).body.external_id;
    expect([await read(id), await read(other.id)]).toEqual(['CRM/00-A ñ', null]);
    expect(await find(t, list, 'CRM/00-A ñ')).toEqual([id]);
    for (const unlike of ['crm/00-a ñ', 'CRM', '%'])
      expect([unlike, await find(t, list, unlike)]).toEqual([unlike, []]);
    await put(t, list, id, { notes: 'nada' });
    expect(await read(id)).toBe('CRM/00-A ñ');
    for (const none of ['', '  ', null]) {
      expect((await put(t, list, id, { external_id: 'x' })).body.external_id).toBe('x');
      expect((await put(t, list, id, { external_id: none })).body.external_id).toBe(null);
    }
    await make(t, list, '');
    await make(t, list, null);
  });

  test('is unique, and a taken one is refused at its field, also with concurrent calls', async () => {
    const t = await createTestApp();
    const { id } = await make(t, list, 'uno');
    const second = await make(t, list, 'dos');
    const refused = await put(t, list, second.id, { external_id: 'uno' });
    expect([refused.status, refused.body.errors]).toEqual([400, { external_id: [TAKEN[list]] }]);
    expect((await put(t, list, id, { external_id: 'uno' })).status).toBe(200);
    const body =
      list === 'clients'
        ? { name: 'Eva', email: 'eva@example.com', phone: '+525512345678', external_id: 'uno' }
        : { client: 1, software: 1, license_type: 'basic', price: 5, external_id: 'uno' };
    const created = await t.call('POST', `/licenses/api/${list}/`, { body });
    expect([created.status, created.body.errors]).toEqual([400, { external_id: [TAKEN[list]] }]);

    const rivals = [];
    for (let index = 0; index < 6; index += 1) rivals.push((await make(t, list)).id);
    const answers = await Promise.all(rivals.map((rival) => put(t, list, rival, { external_id: 'carrera' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await find(t, list, 'carrera')).toHaveLength(1);
  });

  test('has at most 200 characters and no control characters', async () => {
    const t = await createTestApp();
    const { id } = await make(t, list, 'x'.repeat(200));
    for (const wrong of ['x'.repeat(201), 'a\nb', 5]) {
      const { status, body } = await put(t, list, id, { external_id: wrong });
      expect([wrong, status, Object.keys(body.errors)]).toEqual([wrong, 400, ['external_id']]);
    }
  });

  test('is in the event of a change and in the export, and a search finds it', async () => {
    const t = await createTestApp();
    const { id } = await make(t, list, 'ERP-771122');
    await put(t, list, id, { external_id: 'ERP-881133' });
    const subject = list === 'clients' ? `client=${id}` : `license=${id}`;
    const { body } = await t.call('GET', `/licenses/api/events/?${subject}&limit=1`);
    expect(body.results[0].changes).toEqual({ external_id: { before: 'ERP-771122', after: 'ERP-881133' } });
    const file = await t.call('GET', `/licenses/api/${list}/export/?external_id=ERP-881133`);
    expect(parse(file.text, { bom: true, columns: true })).toMatchObject([
      { 'Identificador Externo': 'ERP-881133' },
    ]);
    const search = async (q: string) =>
      (await t.call('GET', `/licenses/api/search/?q=${q}`)).body[list].results.map(
        (hit: { id: number }) => hit.id,
      );
    expect([await search('erp-8811'), await search('771122')]).toEqual([[id], []]);
  });

  test('is imported: created, changed, cleared with a hyphen, and refused when taken', async () => {
    const t = await createTestApp();
    const first = await make(t, list, 'A-1');
    const second = await make(t, list, 'B-2');
    const key = (one: object) =>
      list === 'clients' ? (one as { email: string }).email : (one as { license_key: string }).license_key;
    const header = list === 'clients' ? 'Email,Identificador Externo' : 'Clave,Identificador Externo';
    const run = async (...rows: string[]) => importFile(t, list, [header, ...rows].join('\r\n'), 'update');
    const { forecast } = await run(`${key(first)},B-2`);
    expect(forecast.errors).toMatchObject([{ row: 2, field: 'external_id', message: TAKEN[list] }]);
    expect((await run(`${key(first)},-`, `${key(second)},C-3`)).progress.result).toMatchObject({
      updated: 2,
      rows_with_errors: 0,
    });
    expect([await find(t, list, 'A-1'), await find(t, list, 'C-3')]).toEqual([[], [second.id]]);
  });
});

test('the actions on a licence do not change its external_id, and after a new key it is still found (API-01)', async () => {
  const t = await createTestApp();
  const license = await createLicense(t, { external_id: 'CONTRATO-5' });
  const other = await createClient(t);
  const act = (path: string, body: object = {}) =>
    t.call('POST', `/licenses/api/licenses/${license.id}/${path}/`, { body: { notify: false, ...body } });
  for (const answer of [
    await act('renew'),
    await act('suspend'),
    await act('reinstate'),
    await act('transfer', { client: other.id }),
    await act('replace_key'),
  ]) {
    expect([answer.status, answer.body.external_id]).toEqual([200, 'CONTRATO-5']);
  }
  const { body } = await t.call('GET', '/licenses/api/search/?q=contrato-5');
  expect(body.licenses.results).toMatchObject([{ id: license.id }]);
  const { license_key } = (await t.call('GET', `/licenses/api/licenses/${license.id}/`)).body;
  await put(t, 'licenses', license.id, { external_id: null });
  expect((await t.call('GET', '/licenses/api/search/?q=contrato-5')).body.licenses.count).toBe(0);
  expect((await t.call('GET', `/licenses/api/search/?q=${license_key}`)).body.licenses.count).toBe(1);
});

test('a client whose email and external_id are taken gets an error at the taken one (API-01)', async () => {
  const t = await createTestApp();
  const { email } = await createClient(t, { external_id: 'uno' });
  const { body } = await t.call('POST', '/licenses/api/clients/', {
    body: { name: 'Eva', email, phone: '+525512345678', external_id: 'dos' },
  });
  expect(body.errors).toEqual({ email: ['Ya existe un cliente con este email'] });
});
