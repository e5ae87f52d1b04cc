import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { FISCAL_CLIENTS_MAX, type FiscalCheck } from '../../../contract/figures/fiscal.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';

const URL = '/licenses/api/reports/fiscal';
const EXPORT = `${URL}/export/`;
const CHECK = `${URL}/check/`;

const HEADERS = [
  'Fecha',
  'ID de Venta',
  'Clase de Venta',
  'Clave de Licencia',
  'Software',
  'Versión',
  'Tipo de Licencia',
  'Inicio del Servicio',
  'Fin del Servicio',
  'ID de Cliente',
  'Cliente',
  'Razón Social',
  'RFC/CUIT',
  'Tipo de Documento',
  'País',
  'Código de País',
  'Código Postal',
  'Dirección',
  'Ciudad',
  'Estado/Provincia',
  'Email',
  'Régimen Fiscal',
  'Uso de CFDI',
  'Condición frente al IVA',
  'Precio Neto',
  'Moneda',
  'Impuesto',
  'Forma de Pago',
  'Referencia de Pago',
];

/** The lines of the export, each by header. */
async function exported(t: TestApp, query: string): Promise<Record<string, string>[]> {
  const { status, text } = await t.call('GET', `${EXPORT}?${query}`);
  expect(status).toBe(200);
  return parse(text, { bom: true, columns: true });
}
const checked = async (t: TestApp, query: string) =>
  (await t.call<FiscalCheck>('GET', `${CHECK}?${query}`)).body;

const FINE = {
  tax_id: 'EKU-900317-3C9',
  company: 'Escuela Kemper Urgate',
  postal_code: '42501',
  tax_regime: '601',
  cfdi_use: 'G03',
} as const;

describe('the export of fiscal data', { tags: ['MONEY-03'] }, () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ closeAfterTest: false, now: '2026-03-10T18:00:00Z' });
    return t.close;
  });

  test('has a row for each term sold in the period, with the data of an invoice', async () => {
    const client = await createClient(t, {
      ...FINE,
      name: 'Ana López',
      email: 'ana@example.com',
      city: 'Pachuca',
    });
    const software = await createSoftware(t, { name: 'Caja', version: '2.0' });
    const type = await createLicenseType(t, { name: 'Anual', base_price: 1200, validity_days: 365 });
    const license = await createLicense(t, {
      client: client.id,
      software: software.id,
      license_type_config: type.id,
      price: 1199.5,
    });
    const { status, headers, text } = await t.call('GET', `${EXPORT}?from=2026-03-01&to=2026-03-31`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="datos-fiscales_2026-03-10.csv"');
    const [header, ...lines] = parse(text, { bom: true });
    expect(header).toEqual(HEADERS);
    expect(lines).toEqual([
      [
        ...[
          '2026-03-10',
          expect.stringMatching(/^\d+$/),
          'issue',
          license.license_key,
          'Caja',
          '2.0',
          'Anual',
        ],
        ...[
          '2026-03-10',
          '2027-03-10',
          String(client.id),
          'Ana López',
          'Escuela Kemper Urgate',
          'EKU9003173C9',
          '',
        ],
        ...[
          'México',
          'MEX',
          '42501',
          '',
          'Pachuca',
          '',
          'ana@example.com',
          '601',
          'G03',
          '',
          '1199.5',
          'MXN',
          '',
          '',
          '',
        ],
      ],
    ]);
  });

  test('a client in Argentina or Chile gets its own kind of data: DNI, pesos without decimals, no company', async () => {
    const consumer = await createClient(t, {
      name: 'Martín',
      country: 'argentina',
      tax_id: '28.374.651',
      tax_condition: '5',
    });
    const abroad = await createClient(t, { name: 'Luis', country: 'Uruguay' });
    await createLicense(t, { client: consumer.id, price: 900, currency: 'CLP', expiry_days: null });
    await createLicense(t, { client: abroad.id, license_type_config: undefined });
    const lines = await exported(t, 'from=2026-03-01&to=2026-03-31');
    expect(lines.at(-2)).toMatchObject({
      'Razón Social': 'Martín',
      'RFC/CUIT': '28374651',
      'Tipo de Documento': '96',
      'Código de País': 'ARG',
      'Código Postal': '',
      'Condición frente al IVA': '5',
      'Fin del Servicio': '',
      'Precio Neto': '900',
      Moneda: 'CLP',
    });
    expect(lines.at(-1)).toMatchObject({ País: 'Uruguay', 'Código de País': '', 'Tipo de Licencia': '' });
  });
});

describe('the terms of a period', { tags: ['MONEY-03', 'LIFE-01'] }, () => {
  test('are those sold on its local days, renewals included, undone and cancelled ones excluded', async () => {
    // Ten minutes before the end of March 31 in México.
    const t = await createTestApp({ now: '2026-04-01T05:50:00Z' });
    const license = await createLicense(t, { license_type: 'premium', price: 100 });
    const cancelled = await createLicense(t, { price: 200 });
    const act = (id: number, verb: string, body: object = {}) =>
      t.call('POST', `/licenses/api/licenses/${id}/${verb}/`, { body });
    expect((await act(cancelled.id, 'cancel')).status).toBe(200);
    t.clock.set('2026-04-01T06:05:00Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    expect((await act(license.id, 'renew', { price: 300 })).status).toBe(200);
    const undone = await createLicense(t, { price: 400 });
    expect((await act(undone.id, 'renew', { price: 500 })).status).toBe(200);
    expect((await act(undone.id, 'undo_renewal')).status).toBe(200);

    const prices = async (query: string) =>
      (await exported(t, query)).map(
        (line) => `${line.Fecha} ${line['Clase de Venta']} ${line['Precio Neto']}`,
      );
    expect(await prices('from=2026-03-31&to=2026-03-31')).toEqual(['2026-03-31 issue 100']);
    expect(await prices('from=2026-04-02&to=2026-04-30')).toEqual([]);
    expect(await prices('from=2026-03-01&to=2026-04-01')).toEqual([
      '2026-03-31 issue 100',
      '2026-04-01 renewal 300',
      '2026-04-01 issue 400',
    ]);
    // Without days the range is this month until today.
    expect(await prices('')).toEqual(['2026-04-01 renewal 300', '2026-04-01 issue 400']);
    const month = await checked(t, '');
    expect(month).toMatchObject({
      from: '2026-04-01',
      to: '2026-04-01',
      terms: 2,
      checked: 2,
      is_complete: true,
    });
    expect((await checked(t, 'from=2026-03-01&to=2026-04-01')).terms).toBe(3);
  });

  test('thousands of terms sold at one moment are each exported once', async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00Z' });
    await insertManyLicenses(t.db, 2500);
    const period = 'from=2025-12-01&to=2026-01-31';
    const lines = await exported(t, period);
    expect(new Set(lines.map((line) => line['Clave de Licencia'])).size).toBe(2500);
    expect(lines).toHaveLength(2500);
    expect(await checked(t, period)).toMatchObject({ terms: 2500, checked: 1, is_complete: true });
  });
});

describe('the check of fiscal data', { tags: ['MONEY-03'] }, () => {
  test('lists by name the clients with sales and invalid data, each with its problems', async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00Z' });
    const ñ = await createClient(t, { name: 'Ñandú', tax_id: 'EKU9003173C8', postal_code: '42501' });
    const fine = await createClient(t, { ...FINE, name: 'Bien' });
    const missing = await createClient(t, { name: 'álamo', country: 'Argentina' });
    await createClient(t, { name: 'Sin ventas' });
    for (const { id } of [ñ, fine, missing, ñ]) await createLicense(t, { client: id });
    const { status, body } = await t.call<FiscalCheck>('GET', `${CHECK}?from=2026-03-01&to=2026-03-31`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      from: '2026-03-01',
      to: '2026-03-31',
      terms: 4,
      checked: 3,
      is_complete: true,
      clients: [
        {
          id: missing.id,
          name: 'álamo',
          problems: [
            { field: 'tax_id', message: 'Falta el CUIT.' },
            { field: 'tax_condition', message: 'Falta la condición frente al IVA.' },
          ],
        },
        {
          id: ñ.id,
          name: 'Ñandú',
          problems: [
            {
              field: 'tax_id',
              message: 'El último carácter del RFC no corresponde a los demás: quizá está mal copiado.',
            },
            { field: 'tax_regime', message: 'Falta el régimen fiscal.' },
            { field: 'cfdi_use', message: 'Falta el uso de CFDI.' },
          ],
        },
      ],
    });
  });

  test(`lists at most ${FISCAL_CLIENTS_MAX} clients and answers that there are more`, async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00Z' });
    const count = FISCAL_CLIENTS_MAX + 2;
    await insertManyLicenses(t.db, count);
    const { id, ...client } = await t.db.selectFrom('clients').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: count - 1 }, (_, index) => ({
      ...client,
      email_key: `${index}@example.com`,
    }));
    await t.db.insertInto('clients').values(copies).execute();
    // The ids are consecutive, so each client gets one of the licences.
    const first = t.db.selectFrom('licenses').select((eb) => eb.fn.min<number>('id').as('license'));
    const { license } = await first.executeTakeFirstOrThrow();
    await t.db
      .updateTable('licenses')
      .set((eb) => ({ client_id: eb('id', '+', id - license) }))
      .execute();
    const body = await checked(t, 'from=2025-12-01&to=2026-01-31');
    expect(body.clients).toHaveLength(FISCAL_CLIENTS_MAX);
    expect(body).toMatchObject({ terms: count, checked: FISCAL_CLIENTS_MAX + 1, is_complete: false });
  });

  test('refuses an invalid period and a caller without permission', async () => {
    const t = await createTestApp({ now: '2026-03-10T18:00:00Z' });
    for (const url of [CHECK, EXPORT]) {
      const errors = async (query: string) => {
        const { status, body } = await t.call('GET', `${url}?${query}`);
        expect(status).toBe(400);
        return body.errors;
      };
      expect(await errors('from=2026-03-02&to=2026-03-01')).toEqual({
        to: ['La fecha de fin debe ser posterior a la fecha de inicio'],
      });
      expect(await errors('from=2020-01-01&to=2026-03-01')).toEqual({
        to: ['El periodo puede tener como máximo 60 meses'],
      });
      expect(Object.keys(await errors('from=ayer'))).toEqual(['from']);
      expect((await t.call('GET', url, { token: null })).status).toBe(401);
    }
  });
});
