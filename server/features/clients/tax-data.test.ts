import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import type { Client, SavedClient } from '../../../contract/clients/clients.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';

const URL = '/licenses/api/clients/';
const one = (id: number) => `${URL}${id}/`;
const VALID = { name: 'Ana López', email: 'ana@example.com', phone: '+525512345678' };
const DIGIT = 'El último carácter del RFC no corresponde a los demás: quizá está mal copiado.';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

describe('the warnings about a tax id', { tags: ['MONEY-02'] }, () => {
  test('a save with a wrong tax id stores it as typed and answers with a warning', async () => {
    const created = await app.call<SavedClient>('POST', URL, {
      body: { ...VALID, tax_id: ' gode-561231-gr9 ' },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ tax_id: 'gode-561231-gr9', warnings: { tax_id: [DIGIT] } });

    const changed = await app.call<SavedClient>('PUT', one(created.body.id), {
      body: { tax_id: 'GODE561331GR8' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.tax_id).toBe('GODE561331GR8');
    expect(changed.body.warnings).toEqual({
      tax_id: [expect.stringContaining('La fecha del RFC no existe')],
    });
    const read = await app.call<SavedClient>('GET', one(created.body.id));
    expect(read.body).not.toHaveProperty('warnings');
  });

  test('there is no warning for a valid one, an empty one, or in another country', async () => {
    const saved = async (body: object) => {
      const answer = await app.call<SavedClient>('POST', URL, { body: { ...VALID, ...body } });
      expect(answer.status).toBe(201);
      return 'warnings' in answer.body;
    };
    expect(await saved({ email: 'a@example.com', tax_id: 'GODE561231GR8' })).toBe(false);
    expect(await saved({ email: 'b@example.com', tax_id: 'XAXX010101000' })).toBe(false);
    expect(await saved({ email: 'c@example.com' })).toBe(false);
    expect(await saved({ email: 'd@example.com', tax_id: 'X', country: 'Uruguay' })).toBe(false);
  });

  test("the rules are those of the client's country, also when only the country changes", async () => {
    const client = await createClient(app, { country: 'argentina', tax_id: '20-12345678-6' });
    const moved = await app.call<SavedClient>('PUT', one(client.id), { body: { country: 'Chile' } });
    expect(moved.body.warnings?.tax_id).toHaveLength(1);
    expect(moved.body.warnings?.tax_id?.[0]).toContain('RUT');
  });

  test('a repeated create call has the same warnings', async () => {
    const headers = { 'idempotency-key': 'rfc-con-error' };
    const body = { ...VALID, email: 'otra@example.com', tax_id: 'X' };
    const first = await app.call<SavedClient>('POST', URL, { body, headers });
    const again = await app.call<SavedClient>('POST', URL, { body, headers });
    expect(first.body.warnings?.tax_id).toHaveLength(1);
    expect(again.body).toEqual(first.body);
  });
});

describe('the search by tax id', { tags: ['MONEY-02'] }, () => {
  let t: TestApp;
  let hyphens: number;
  let plain: number;
  let company: number;
  beforeAll(async () => {
    t = await createTestApp({ closeAfterTest: false });
    hyphens = (await createClient(t, { country: 'Argentina', tax_id: '20-28374651-9' })).id;
    plain = (await createClient(t, { country: 'Argentina', tax_id: '20304567894' })).id;
    company = (await createClient(t, { name: 'Zapatería', tax_id: 'ZUÑ 920208 KL4' })).id;
    await createClient(t, { tax_id: 'GODE561231GR8' });
    return t.close;
  });

  const found = async (search: string) =>
    (await t.call<Page<Client>>('GET', `${URL}?search=${encodeURIComponent(search)}`)).body;
  const idsOf = async (search: string) => (await found(search)).results.map(({ id }) => id);

  test.each([
    ['20283746519', () => hyphens],
    ['20-28374651-9', () => hyphens],
    ['20.28374651/9', () => hyphens],
    ['20 28374651 9', () => hyphens],
    ['2028374', () => hyphens],
    ['20-30456789-4', () => plain],
    ['20-304567', () => plain],
    ['20 30456789 4', () => plain],
    ['zuñ920208kl4', () => company],
    ['ZUN-920208-KL4', () => company],
    ['zapateria ZUÑ920208KL4', () => company],
  ])('%s finds the one client whose tax id is equal to it or begins with it', async (search, id) => {
    expect(await idsOf(search)).toEqual([id()]);
  });

  test('a part of a tax id finds it, whatever separates its groups (INPUT-08)', async () => {
    for (const search of ['28374651-9', '283746519'])
      expect([search, await idsOf(search)]).toEqual([search, [hyphens]]);
  });

  test('other digits than those of a tax id find nothing', async () => {
    expect(await idsOf('0283746518')).toEqual([]);
    expect(await idsOf('lopez 20283746519')).toEqual([]);
    expect(await idsOf('20%837465')).toEqual([]);
  });

  test('the search over all kinds finds the client, and the list of licences finds its licences', async () => {
    const license = await createLicense(t, { client: hyphens });
    const all = await t.call<Required<SearchAnswer>>('GET', '/licenses/api/search/?q=20283746519');
    expect(all.body.clients.results.map(({ id }) => id)).toEqual([hyphens]);
    expect(all.body.licenses.results.map(({ id }) => id)).toEqual([license.id]);
    const list = await t.call<Page<License>>('GET', '/licenses/api/licenses/?search=20283746519');
    expect(list.body.results.map(({ id }) => id)).toEqual([license.id]);
  });

  test('the index finds clients by tax id also among many clients', async () => {
    const many = await createTestApp();
    const client = await createClient(many);
    const row = await many.db
      .selectFrom('clients')
      .selectAll()
      .where('id', '=', client.id)
      .executeTakeFirstOrThrow();
    const { id: _id, ...same } = row;
    const rows = Array.from({ length: 1200 }, (_, index) => {
      const tax_id = `20-${20_000_000 + index}-9`;
      return { ...same, email_key: `${index}@example.com`, tax_id, search_text: `cliente 2020 ${tax_id}` };
    });
    for (let start = 0; start < rows.length; start += 500) {
      await many.db
        .insertInto('clients')
        .values(rows.slice(start, start + 500))
        .execute();
    }
    const page = await many.call<Page<Client>>('GET', `${URL}?search=20200004569`);
    expect(page.body).toMatchObject({ count: 1, count_is_exact: true });
    expect(page.body.results[0]?.tax_id).toBe('20-20000456-9');
    // More matches than candidates that are compared one by one.
    const all = await many.call<Page<Client>>('GET', `${URL}?search=202000&page_size=5`);
    expect(all.body).toMatchObject({ count: 1000, count_is_exact: false });
    expect(all.body.results).toHaveLength(5);
  });
});

describe('the tax fields of a client', { tags: ['MONEY-03'] }, () => {
  test('they are stored, answered and in the history, and do not change with the country', async () => {
    const client = await createClient(app, {
      country: 'México',
      tax_id: 'GODE561231GR8',
      tax_regime: '612',
      cfdi_use: 'G03',
    });
    expect(client).toMatchObject({ tax_regime: '612', cfdi_use: 'G03', tax_condition: '' });
    const changed = await app.call<SavedClient>('PUT', one(client.id), {
      body: { country: 'Argentina', tax_condition: '6' },
    });
    expect(changed.body).toMatchObject({ tax_regime: '612', cfdi_use: 'G03', tax_condition: '6' });
    const cleared = await app.call<SavedClient>('PUT', one(client.id), {
      body: { tax_regime: null, cfdi_use: '' },
    });
    expect(cleared.body).toMatchObject({ tax_regime: '', cfdi_use: '', tax_condition: '6' });
    const events = await app.call<{ results: Event[] }>('GET', `/licenses/api/events/?client=${client.id}`);
    expect(events.body.results[0]?.changes).toEqual({
      tax_regime: { before: '612', after: '' },
      cfdi_use: { before: 'G03', after: '' },
    });
  });

  test('an unknown code is refused at its field', async () => {
    const answer = await app.call('POST', URL, {
      body: { ...VALID, email: 'x@example.com', tax_regime: '602', cfdi_use: 'P01', tax_condition: 2 },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual({
      tax_regime: ['El régimen fiscal debe ser uno del catálogo del SAT'],
      cfdi_use: ['El uso de CFDI debe ser uno del catálogo del SAT'],
      tax_condition: ['La condición frente al IVA debe ser una de la lista'],
    });
  });

  test('the CSV export of clients has them as its last columns', async () => {
    const t = await createTestApp();
    await createClient(t, { tax_regime: '601', cfdi_use: 'G03', tax_condition: '1' });
    const { text } = await t.call('GET', `${URL}export/`);
    const [header, row] = text.split('\r\n');
    expect(header).toMatch(
      /,Régimen Fiscal,Uso de CFDI,Condición frente al IVA,Identificador Externo,Recibe avisos,Contactos,Etiquetas$/,
    );
    expect(row).toMatch(/,601,G03,1,,Sí,,$/);
  });
});
