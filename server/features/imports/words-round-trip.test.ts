import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { CURRENCIES, decimalsOf } from '../../../contract/base/money.ts';
import { endOfLocalDay, localMoment } from '../../../contract/base/time.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { EXPORT_COLUMNS, IMPORT_FIELDS, IMPORT_KINDS } from '../../../contract/imports/import-fields.ts';
import { choiceOf, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import { LICENSE_STATUSES } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseInput } from '../../../contract/licenses/licenses.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';

/** Exports in words, and what of them an import reads (INPUT-15). */

const DAY = '2026-11-20';
/** The third has summer time. */
const ZONES = ['America/Mexico_City', 'America/Argentina/Buenos_Aires', 'America/Santiago'];

const fileOf = async (t: TestApp, list: string, query = '') => {
  const { status, text, bytes } = await t.call('GET', `/licenses/api/${list}/export/${query}`);
  expect(status).toBe(200);
  return query.includes('xlsx') ? bytes : text;
};
const rowsOf = async (t: TestApp, list: string, query = ''): Promise<Record<string, string>[]> =>
  parse(String(await fileOf(t, list, query)), { bom: true, columns: true });

const UNUSUAL_TEXTS = [
  '-',
  '=1+1',
  "'=1",
  '"a"; b,\r\nc',
  '\u00a0ñ\u00a0x',
  '12/11/2026',
  'VERDADERO',
  '8.93E+18',
  '#N/A',
  '0012',
];

/** A vendor half an hour before midnight. */
const openIn = (timeZone: string) =>
  createTestApp({ env: { BUSINESS_TIMEZONE: timeZone }, now: localMoment(DAY, '23:30', timeZone) });

/** Records of each kind with values that could be read in another way. */
async function fill(t: TestApp) {
  const type = await createLicenseType(t, { name: 'Anual', features: { nomina: true }, validity_days: 365 });
  const clients: Client[] = [];
  for (const [n, text] of UNUSUAL_TEXTS.entries()) {
    clients.push(
      await createClient(t, {
        ...{ name: `Cliente ${n} ${text.trim()}`.replace(/\s+/g, ' '), email: `c${n}@example.com` },
        ...{
          notes: text.trim(),
          company: text.replace(/\s+/g, ' ').trim(),
          tax_id: n % 2 === 0 ? text.trim().slice(0, 20).replace(/\s/g, '') : '',
        },
        // One that the country's own rules would repair, and one that they would not.
        ...{ phone: n % 2 === 0 ? '+5512345678' : '+525512345678', phone_secondary: '044 55 1234 5678' },
        ...{
          country: n % 2 === 0 ? 'México' : 'Argentina',
          postal_code: '01000',
          last_contact: '2026-02-28',
        },
        ...{
          status: (['active', 'inactive', 'suspended', 'pending'] as const)[n % 4]!,
          client_type: 'small_business',
        },
        ...{
          tax_regime: n === 1 ? '601' : '',
          cfdi_use: n === 1 ? 'G03' : '',
          tax_condition: n === 2 ? '6' : '',
        },
        ...{ external_id: n === 3 ? '000123' : null, reminders: n % 2 === 0 },
      }),
    );
  }
  const software = [
    await createSoftware(t, { name: 'Caja', version: '1.0' }),
    await createSoftware(t, {
      ...{ name: 'Caja', version: '1.10', is_active: false, is_public: true, description: '-' },
      ...{ trial_type: type.id, trial_email: 'required' as const, trial_daily_limit: 30 },
    }),
    await createSoftware(t, { name: '0012', version: '2026.11', description: '=SUMA(1)' }),
  ];
  const given: Partial<LicenseInput>[] = [
    ...CURRENCIES.map(
      (currency): Partial<LicenseInput> => ({
        currency,
        price: decimalsOf(currency) === 0 ? 1200 : 1200.5,
        original_price: decimalsOf(currency) === 0 ? 12_345 : 12_345.01,
        discount_percentage: 12.5,
      }),
    ),
    ...LICENSE_STATUSES.map(
      (status): Partial<LicenseInput> => ({
        status,
        price: 1.234,
        ...(status === 'trial' && { license_type: 'trial' as const }),
      }),
    ).map((one) => ({ ...one, price: 1.23 })),
    { price: 1, expiry_date: null, expiry_days: null, max_installations: 1_000_000 },
    { price: 2, expiry_date: '2027-03-28', grace_days: 400 % 365, status: 'active' },
    {
      price: 3,
      features: { zeta: 'a,"b"; c', usuarios: 25, modulo: false },
      notes: '-',
      promotion_name: '=1+1',
    },
    {
      price: 4,
      meters: { timbres: { limit: null, period: 'never', overage: 'allow' } },
      updates_until: '2028-02-29',
    },
    { price: 5, seat_mode: 'floating', lease_minutes: 15, self_release: true, releases_per_month: 2 },
    { price: 6, start_mode: 'first_activation', activate_by_days: 20, expiry_days: 60, external_id: '=A1' },
    { price: 7, license_type_config: type.id, expiry_days: 5, grace_days: 3 },
  ];
  for (const [n, license] of given.entries()) {
    const made = await createLicense(t, {
      client: clients[n % clients.length]!.id,
      software: software[n % software.length]!.id,
      ...license,
    });
    // An end at an hour that no local day has, as another system may have sent it.
    if (n === 1)
      await t.db
        .updateTable('licenses')
        .set({ expiry_date: '2027-06-01T15:00:00.000Z' })
        .where('id', '=', made.id)
        .execute();
  }
  await t.db.updateTable('licenses').set({ license_key: '8.93901E+18' }).where('id', '=', 2).execute();
}

const versions = async (t: TestApp) =>
  Promise.all(
    (['clients', 'software', 'licenses'] as const).map((table) =>
      t.db.selectFrom(table).select(['id', 'updated_at']).orderBy('id').execute(),
    ),
  );

describe.each(ZONES)('with the business in %s', (timeZone) => {
  test('the file of an export comes back in each form without a change (INPUT-15)', async () => {
    const t = await openIn(timeZone);
    await fill(t);
    const before = await versions(t);
    for (const list of IMPORT_KINDS) {
      for (const query of ['', '?values=words', '?file=xlsx', '?values=words&file=xlsx']) {
        const file = await fileOf(t, list, query);
        const { uploaded, forecast, progress } = await importFile(t, list, file, 'upsert');
        expect([query, forecast.errors, uploaded.rows > 0]).toEqual([query, [], true]);
        expect(forecast).toMatchObject({ to_create: 0, to_update: 0, unchanged: uploaded.rows });
        expect(progress.result).toMatchObject({ created: 0, updated: 0, unchanged: uploaded.rows });
      }
    }
    expect(await versions(t)).toEqual(before);
  });

  test('a file in words has local days, and one changed cell changes nothing but its field (INPUT-15)', async () => {
    const t = await openIn(timeZone);
    await fill(t);
    const words = await rowsOf(t, 'licenses', '?values=words');
    const codes = await rowsOf(t, 'licenses');
    for (const row of words) expect(row['Fecha de Emisión']).toBe(DAY);
    const at = words.findIndex((row) => row['Fecha de Expiración'] === '2027-03-28');
    expect(codes[at]!['Fecha de Expiración']).toBe(endOfLocalDay('2027-03-28', timeZone));
    expect(codes[at]!['Fecha de Emisión']).toBe(localMoment(DAY, '23:30', timeZone));

    const headers = Object.keys(words[0]!);
    const file = [
      headers,
      ...words.map((row) =>
        headers.map((header) => (header === 'Precio' ? `${Number(row[header]) + 1}` : row[header]!)),
      ),
    ]
      .slice(0, 3)
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
      .join('\r\n');
    const { forecast } = await importFile(t, 'licenses', file, 'update');
    expect(forecast).toMatchObject({ to_update: 2, errors: [] });
    const now = await rowsOf(t, 'licenses');
    expect(now).toEqual(
      codes.map((row, index) => (index < 2 ? { ...row, Precio: now[index]!.Precio } : row)),
    );
    expect(now[0]!.Precio).not.toBe(codes[0]!.Precio);
  });
});

test('the ends of lines in a cell, which a spreadsheet writes in its own way, change nothing (INPUT-15)', async () => {
  const t = await createTestApp();
  await createClient(t, { email: 'rosa@example.com', notes: 'Llamar\r\nel lunes' });
  const file = String(await fileOf(t, 'clients', '?values=words'));
  expect(file).toContain('Llamar\r\nel lunes');
  const saved = file.replace('Llamar\r\n', 'Llamar\n');
  expect((await importFile(t, 'clients', saved, 'upsert')).forecast).toMatchObject({
    to_update: 0,
    unchanged: 1,
  });
  const changed = saved.replace('el lunes', 'el martes');
  expect((await importFile(t, 'clients', changed, 'upsert')).forecast).toMatchObject({ to_update: 1 });
});

test('an export in words goes into an empty database with the same days, words and numbers (INPUT-15)', async () => {
  const [timeZone] = ZONES as [string];
  const from = await openIn(timeZone);
  await fill(from);
  await from.db.updateTable('licenses').set({ license_key: 'ABCDE-2' }).where('id', '=', 2).execute();
  const to = await createTestApp({ env: { BUSINESS_TIMEZONE: timeZone }, now: '2026-12-24T10:00:00.000Z' });
  await createLicenseType(to, { name: 'Anual', features: { nomina: true }, validity_days: 365 });
  for (const list of IMPORT_KINDS) {
    const { forecast } = await importFile(to, list, String(await fileOf(from, list, '?values=words')));
    expect(
      forecast.errors.filter(({ message }) => !/Excel|hoja de cálculo|ningún cliente/.test(message)),
    ).toEqual([]);
  }
  const cells = async (t: TestApp) =>
    (await rowsOf(t, 'licenses', '?values=words')).map(
      ({ ID: _id, Situación: _now, Cliente: _name, 'Días de Expiración': _days, ...row }) => row,
    );
  const mine = await cells(to);
  expect(await cells(from)).toEqual(expect.arrayContaining(mine));
  expect(mine.length).toBeGreaterThan(10);
});

test("an export in words has the console's words, the stored status and what a program would hear (INPUT-15)", async () => {
  const t = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
  const licenses: Partial<LicenseInput>[] = [
    { expiry_date: '2026-12-31' },
    { expiry_days: 1, grace_days: 30 },
    { expiry_days: 1, grace_days: 0, seat_mode: 'floating', lease_minutes: 10 },
    { status: 'suspended', expiry_days: 1 },
    { status: 'trial', license_type: 'trial', expiry_days: 30 },
  ];
  for (const license of licenses) await createLicense(t, { license_type: 'premium', ...license });
  t.clock.set(new Date('2026-11-25T18:00:00.000Z'));
  t.token = await signInAs(t, 'admin', 'admin123');
  const rows = await rowsOf(t, 'licenses', '?values=words');
  expect(rows.map((row) => [row.Estado, row.Situación, row['Tipo de Licencia'], row.Asientos])).toEqual([
    ['Activa', 'Activa', expect.anything(), 'Fijos por equipo'],
    ['Activa', 'En gracia', expect.anything(), 'Fijos por equipo'],
    ['Activa', 'Vencida', expect.anything(), 'Flotantes'],
    ['Suspendida', 'Suspendida', expect.anything(), 'Fijos por equipo'],
    ['Trial', 'Trial', expect.anything(), 'Fijos por equipo'],
  ]);
  const headers = Object.keys(rows[0]!);
  expect(headers.indexOf('Situación')).toBe(headers.indexOf('Estado') + 1);
  expect(Object.keys((await rowsOf(t, 'licenses'))[0]!)).not.toContain('Situación');
  // No import reads it, not even without a column 'Estado'.
  for (const names of [headers, headers.filter((name) => name !== 'Estado')])
    expect(suggestMapping('licenses', names).Situación).toBeNull();

  const [client] = await rowsOf(t, 'clients', '?values=words');
  expect(client).toMatchObject({ Estado: 'Activo', Registro: '2026-11-21' });
  expect(client!['Tipo de Cliente']).toMatch(/^\p{Lu}/u);
  const [software] = await rowsOf(t, 'software', '?values=words');
  expect(software).toMatchObject({ Activo: 'Sí', 'Creado (America/Mexico_City)': '2026-11-21 12:00:00' });
  expect(suggestMapping('software', Object.keys(software!))).toMatchObject({
    'Creado (America/Mexico_City)': 'created_at',
  });

  const [event] = await rowsOf(t, 'events', '?values=words&type=license.issued');
  expect(event!['Fecha (America/Mexico_City)']).toBe('2026-11-21 12:00:00');
  expect((await t.call('GET', '/licenses/api/licenses/export/?values=todo')).body.errors).toHaveProperty(
    'values',
  );
});

test.each(IMPORT_KINDS)(
  'each word of %s that an export writes is read as the code that it stands for (INPUT-15)',
  (kind) => {
    const columns = new Map(EXPORT_COLUMNS[kind].map((column) => [column.name, column]));
    for (const field of IMPORT_FIELDS[kind]) {
      if (!field.choices) continue;
      const words = columns.get(field.name)?.words;
      for (const code of Object.keys(field.choices)) {
        const word = typeof words === 'object' ? (words[code] ?? code) : code;
        expect([field.name, word, choiceOf(field, word)]).toEqual([field.name, word, code]);
      }
    }
  },
);

test('payments, reports and fiscal data have words too, and real days in a workbook (INPUT-15, INPUT-06)', async () => {
  const t = await createTestApp({ now: '2026-11-21T04:00:00.000Z' });
  const license = await createLicense(t, { price: 100, expiry_days: 30 });
  const asked = await t.call('POST', '/licenses/api/payment-requests/', {
    body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
  });
  await t.call('POST', `/licenses/api/payment-requests/${asked.body.id}/mark_paid/`, {
    body: { method: 'cash' },
  });
  const [payment] = await rowsOf(t, 'payments', '?values=words');
  expect(payment).toMatchObject({
    Fecha: '2026-11-20',
    Proveedor: 'Registrado a mano',
    Estado: 'Aprobado',
    Método: 'Efectivo',
  });
  const [plain] = await rowsOf(t, 'payments');
  expect(plain).toMatchObject({
    Fecha: '2026-11-20',
    Proveedor: 'manual',
    Estado: 'approved',
    Método: 'cash',
  });
  const fiscal = await rowsOf(t, 'reports/fiscal', '?values=words&from=2026-11-01&to=2026-11-30');
  expect(fiscal.map((row) => row['Clase de Venta'])).toEqual(['Emisión', 'Renovación']);
  const [revenue] = await rowsOf(t, 'reports/revenue', '?values=words');
  const header = Object.keys(revenue!).at(-1)!;
  expect(header).toBe('Datos al (America/Mexico_City)');
  expect(revenue![header]).toMatch(/^2026-11-20 22:00:\d\d$/);
});

test('without values an export stays byte for byte as it was (INPUT-15)', async () => {
  const t = await createTestApp({ now: '2026-11-21T18:00:00.000Z' });
  const client = await createClient(t, {
    ...{
      name: '=Ana',
      email: 'ana@example.com',
      phone: '+525512345678',
      company: 'Hotel',
      country: 'México',
    },
    ...{ notes: 'a "b", c', last_contact: '2026-02-28', client_type: 'small_business', tax_regime: '601' },
  });
  const software = await createSoftware(t, { name: 'Caja', version: '1.0', description: 'Punto de venta' });
  const license = await createLicense(t, {
    ...{
      client: client.id,
      software: software.id,
      price: 1234.5,
      expiry_date: '2027-11-28',
      status: 'suspended' as const,
    },
  });
  expect(await fileOf(t, 'clients')).toMatchInlineSnapshot(`
    "﻿ID,Nombre,Email,Empresa,Tipo de Cliente,Estado,Teléfono Principal,Teléfono Secundario,Dirección,Ciudad,Estado/Provincia,País,Código Postal,Persona de Contacto,Cargo,RFC/CUIT,Sitio Web,Último Contacto,Notas,Licencias,Licencias Activas,Instalaciones,Registro,Régimen Fiscal,Uso de CFDI,Condición frente al IVA,Identificador Externo,Recibe avisos,Contactos,Etiquetas
    1,'=Ana,ana@example.com,Hotel,small_business,active,'+525512345678,,Sin especificar,Sin especificar,Sin especificar,México,00000,Sin especificar,,,,2026-02-28,"a ""b"", c",1,0,0,2026-11-21T18:00:00.000Z,601,,,,Sí,,
    "
  `);
  expect(await fileOf(t, 'software')).toMatchInlineSnapshot(`
    "﻿ID,Nombre,Versión,Descripción,Activo,Licencias Activas,Creado,Actualizado,Tipo de prueba,Correo de la prueba,Pruebas por día,Público
    1,Caja,1.0,Punto de venta,Sí,0,2026-11-21T18:00:00.000Z,2026-11-21T18:00:00.000Z,,no,200,No
    "
  `);
  expect(String(await fileOf(t, 'licenses')).replaceAll(license.license_key, 'CLAVE')).toMatchInlineSnapshot(`
    "﻿ID,Clave de Licencia,Cliente,Email,Software,Versión,Categoría,Tipo de Licencia,Estado,Precio,Precio Original,Descuento (%),Nombre de Promoción,Descripción de Promoción,Instalaciones,Máximo de Instalaciones,Fecha de Emisión,Días de Expiración,Fecha de Expiración,Notas,Moneda,Identificador Externo,Días de gracia,Días sin conexión,Características,Contadores,Asientos,Minutos de préstamo,Liberación por el programa,Liberaciones por mes,Empieza,Días para activarla,Actualizaciones hasta,Etiquetas,Cortesía,Meses de Expiración
    1,CLAVE,'=Ana,ana@example.com,Caja,1.0,premium,,suspended,1234.5,,0,,,0,5,2026-11-21T18:00:00.000Z,372,2027-11-29T05:59:59.000Z,,MXN,,0,7,{},{},fixed,,No,Sin límite,issue,365,Sin límite,,No,
    "
  `);
});
