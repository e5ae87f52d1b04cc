import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { clientCreate } from '../../../contract/clients/clients.ts';
import { EXPORT_COLUMNS, IMPORT_FIELDS, IMPORT_KINDS } from '../../../contract/imports/import-fields.ts';
import { suggestMapping } from '../../../contract/imports/import-mapping.ts';
import { XLSX_TYPE } from '../../../contract/imports/imports.ts';
import { LICENSE_FIELDS } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseInput } from '../../../contract/licenses/licenses.ts';
import { softwareCreate } from '../../../contract/software/software.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';

/**
 * Files that this product exports can be imported without a mapping, and every column is equal afterwards
 * (IMPORT-01).
 */

const NOW = '2026-11-21T18:00:00.000Z';
const MINUTE_MS = 60 * 1000;

const exported = async (t: TestApp, list: string) =>
  (await t.call('GET', `/licenses/api/${list}/export/`)).text;

/** The rows of a file by header, without the id, which each database assigns anew. */
function cellsOf(text: string): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  return rows.map(({ ID: _id, ...cells }) => cells);
}

/**
 * The licences have other values than their types. So a value that an import would omit would be wrong afterwards,
 * because it would come from the type.
 */
const TYPES = [
  {
    name: 'Anual',
    base_price: 1200,
    max_installations: 5,
    validity_days: 365,
    grace_days: 9,
    offline_days: 30,
    features: { modulo_nomina: true },
    updates_days: 200,
    validity_months: 12,
    meters: { facturas: { limit: 500, period: 'month' as const, overage: 'refuse' as const } },
    self_release: true,
    releases_per_month: 4,
  },
  {
    name: 'Perpetua',
    base_price: 9000.5,
    max_installations: 1,
    validity_days: 36_525,
    grace_days: 5,
    seat_mode: 'floating' as const,
    lease_minutes: 45,
  },
];

/** The fields of each kind that a person may write. */
const WRITABLE = {
  clients: Object.keys(clientCreate.shape),
  software: Object.keys(softwareCreate.shape),
  licenses: Object.keys(LICENSE_FIELDS),
};

async function fill(t: TestApp) {
  const types = [];
  for (const type of TYPES) types.push((await createLicenseType(t, type)).id);
  const first = await createClient(t, {
    name: 'Íñigo Peña',
    email: 'Inigo@Example.com',
    notes: 'uno\r\n"dos"; tres, cuatro',
    external_id: '000123',
    country: 'Argentina',
  });
  t.clock.advance(MINUTE_MS);
  const clients = [
    first,
    await createClient(t, {
      phone: '+5491155512345',
      address: 'Av. Siempreviva 742, 3º "B"',
      city: 'Córdoba',
      state: 'Córdoba',
      postal_code: 'X5000',
      contact_person: 'Ñusta',
      name: '=SUMA(1)',
      email: 'suma@example.com',
      company: '-',
      contact_position: '+54 ventas',
      tax_id: '@rfc',
      notes: "'-",
      client_type: 'enterprise',
      status: 'pending',
      website: 'https://example.com/a?b=1,2',
      phone_secondary: '555 (ext. 3)',
      last_contact: '2026-02-28',
      country: 'México',
      tax_regime: '601',
      cfdi_use: 'G03',
      tax_condition: '6',
      external_id: '-',
      tags: ['-', "'VIP", '=1+1', 'Norte, centro'],
      reminders: false,
      contacts: [
        { name: 'Ruiz; "Pepe" [x]', email: 'pepe@example.com', phone: '', receives: [] },
        { name: '=1', email: 'uno@example.com', phone: '+525512345678', receives: ['keys', 'portal'] },
      ],
    }),
  ];
  t.clock.advance(MINUTE_MS);
  const software = [await createSoftware(t, { name: 'Caja', version: '1.0', description: '-' })];
  t.clock.advance(MINUTE_MS);
  software.push(
    await createSoftware(t, {
      ...{ name: 'Caja', version: '2.0', is_active: false, is_public: true },
      ...{ trial_type: types[0]!, trial_email: 'required' as const, trial_daily_limit: 30 },
    }),
    await createSoftware(t, { name: '0123', version: '-1', description: 'línea\nlínea' }),
  );
  const licenses: Partial<LicenseInput>[] = [
    {
      price: 1234.5,
      discount_percentage: 12.5,
      original_price: 2000,
      promotion_name: '=1+1',
      notes: '-',
      expiry_months: 6,
      tags: ['VIP'],
    },
    { price: 9000, expiry_days: null, expiry_date: null, license_type_config: types[1]! },
    { price: 15, expiry_date: '2027-03-05', status: 'suspended' as const, max_installations: 12 },
    {
      price: 500,
      currency: 'CLP' as const,
      license_type: 'trial' as const,
      status: 'trial' as const,
      expiry_days: 15,
    },
    { price: 80, status: 'cancelled' as const, license_type_config: types[0]!, external_id: '=A1' },
    {
      price: 90,
      license_type_config: types[0]!,
      grace_days: 0,
      offline_days: 0,
      features: {},
      meters: {},
      self_release: false,
      releases_per_month: null,
      updates_until: null,
    },
    {
      price: 91,
      license_type_config: types[1]!,
      seat_mode: 'fixed' as const,
      features: { zeta: 'a,"b"; c', usuarios: 25, modulo: false },
      meters: {
        timbres: { limit: null, period: 'never' as const, overage: 'allow' as const },
        correos: { limit: 0, period: 'term' as const, overage: 'allow' as const },
      },
      promotion_description: 'línea\nlínea',
      updates_until: '2028-02-29',
    },
    {
      price: 92,
      start_mode: 'first_activation' as const,
      expiry_months: 3,
      seat_mode: 'floating' as const,
      lease_minutes: 15,
      self_release: true,
      releases_per_month: 2,
    },
    { price: 0, complimentary: true, original_price: 300, license_type_config: types[0]! },
    { price: 93, start_mode: 'first_activation' as const, activate_by_days: 20, expiry_days: 60 },
  ];
  for (const [n, license] of licenses.entries()) {
    await createLicense(t, { client: clients[n % 2]!.id, software: software[n % 3]!.id, ...license });
    t.clock.advance(MINUTE_MS);
  }
}

test.each(IMPORT_KINDS)(
  'each writable field of %s is a column of the import and is read from the column of the export (IMPORT-01)',
  async (kind) => {
    const t = await createTestApp({ now: NOW });
    await fill(t);
    const file = await exported(t, kind);
    const importable = IMPORT_FIELDS[kind].map(({ name }) => name);
    expect(WRITABLE[kind].filter((field) => !importable.includes(field))).toEqual([]);
    const columns = EXPORT_COLUMNS[kind].flatMap(
      ({ name, header, onlyInWords }): [string, string | null][] =>
        onlyInWords ? [] : [[header, importable.includes(name) ? name : null]],
    );
    const [headers = [], ...sample]: string[][] = parse(file, { bom: true });
    expect(Object.entries(suggestMapping(kind, headers, sample))).toEqual(columns);
    // Each column must have at least two different values, because a single one could be the default of a new record.
    const rows = cellsOf(file);
    const same = columns.filter(
      ([header, field]) => field !== null && new Set(rows.map((row) => row[header!])).size < 2,
    );
    expect(same).toEqual([]);
  },
);

test('exported clients, software and licences can be imported into an empty database with every column equal (IMPORT-01)', async () => {
  const from = await createTestApp({ now: NOW });
  await fill(from);
  const to = await createTestApp({ now: '2026-12-24T10:00:00.000Z' });
  for (const type of TYPES) await createLicenseType(to, type);
  for (const list of IMPORT_KINDS) {
    const file = await exported(from, list);
    const rows = cellsOf(file);
    const { forecast, progress, uploaded } = await importFile(to, list, file);
    expect([uploaded.rows, uploaded.warnings, forecast.errors]).toEqual([rows.length, [], []]);
    expect([forecast.to_create, progress.state, progress.result?.created]).toEqual([
      rows.length,
      'done',
      rows.length,
    ]);
    if (list === 'licenses') continue;
    // The licences that these counters count are imported with the last file.
    expect(cellsOf(await exported(to, list)).map(({ Nombre }) => Nombre)).toEqual(
      rows.map(({ Nombre }) => Nombre),
    );
  }
  for (const list of IMPORT_KINDS) {
    expect(cellsOf(await exported(to, list))).toEqual(cellsOf(await exported(from, list)));
  }
  // No mail was queued, and importing the same files again changes nothing.
  expect(await to.db.selectFrom('outbox').select('id').execute()).toEqual([]);
  const versions = () => to.db.selectFrom('clients').select(['id', 'updated_at']).orderBy('id').execute();
  const before = await versions();
  for (const list of IMPORT_KINDS) {
    const file = await exported(from, list);
    const { forecast, progress } = await importFile(to, list, file, 'upsert');
    expect(forecast).toMatchObject({
      to_create: 0,
      to_update: 0,
      unchanged: cellsOf(file).length,
      errors: [],
    });
    expect(progress.result).toMatchObject({ created: 0, updated: 0, unchanged: cellsOf(file).length });
  }
  expect(await versions()).toEqual(before);
});

/** The sheet of an exported workbook, in the form in which an import reads it. */
async function workbookOf(t: TestApp, list: string) {
  const { status, headers, bytes } = await t.call('GET', `/licenses/api/${list}/export/?file=xlsx`);
  expect([status, headers['content-type']]).toEqual([200, XLSX_TYPE]);
  return bytes;
}

test('workbooks of clients, software and licences can be imported again, and everything is unchanged (INPUT-06)', async () => {
  const t = await createTestApp({ now: NOW });
  await fill(t);
  const before = await Promise.all(IMPORT_KINDS.map((list) => exported(t, list)));
  for (const list of IMPORT_KINDS) {
    const { uploaded, forecast, progress } = await importFile(t, list, await workbookOf(t, list), 'upsert');
    expect([uploaded.warnings, forecast.errors]).toEqual([[], []]);
    expect(forecast).toMatchObject({ to_create: 0, to_update: 0, unchanged: uploaded.rows });
    expect(progress.result).toMatchObject({ created: 0, updated: 0, unchanged: uploaded.rows });
  }
  expect(await Promise.all(IMPORT_KINDS.map((list) => exported(t, list)))).toEqual(before);
});

test('workbooks of an installation can be imported into an empty one, with every column equal but the times of day (INPUT-06)', async () => {
  const from = await createTestApp({ now: NOW });
  await fill(from);
  const to = await createTestApp({ now: '2026-12-24T10:00:00.000Z' });
  for (const type of TYPES) await createLicenseType(to, type);
  for (const list of IMPORT_KINDS) {
    const { forecast } = await importFile(to, list, await workbookOf(from, list));
    expect(forecast.errors).toEqual([]);
  }
  const TIMES = ['Registro', 'Creado', 'Actualizado', 'Fecha de Emisión'];
  for (const list of IMPORT_KINDS) {
    const cells = async (t: TestApp) =>
      cellsOf(await exported(t, list)).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([header]) => !TIMES.includes(header))),
      );
    const [mine, theirs] = [await cells(to), await cells(from)];
    // Rows of one day are listed in the order of their creation here.
    expect(mine).toHaveLength(theirs.length);
    expect(mine).toEqual(expect.arrayContaining(theirs));
  }
});
