import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { importFile } from '../../../test/import-file.ts';

/** What this product exports comes back without a mapping, equal in every column (IMPORT-01). */

const NOW = '2026-11-21T18:00:00.000Z';
const MINUTE_MS = 60 * 1000;

const exported = async (t: TestApp, list: string) =>
  (await t.call('GET', `/licenses/api/${list}/export/`)).text;

/** The rows of a file by header, without the number that each database gives its rows. */
function cellsOf(text: string): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  return rows.map(({ ID: _id, ...cells }) => cells);
}

const TYPES = [
  { name: 'Anual', base_price: 1200, max_installations: 5, validity_days: 365 },
  { name: 'Perpetua', base_price: 9000.5, max_installations: 1, validity_days: 36_525, grace_days: 5 },
];

async function fill(t: TestApp) {
  const types = [];
  for (const type of TYPES) types.push((await createLicenseType(t, type)).id);
  const clients = [
    await createClient(t, {
      name: 'Íñigo Peña',
      email: 'Inigo@Example.com',
      notes: 'uno\r\n"dos"; tres, cuatro',
      external_id: '000123',
    }),
    await createClient(t, {
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
    }),
  ];
  t.clock.advance(MINUTE_MS);
  const software = [
    await createSoftware(t, { name: 'Caja', version: '1.0', description: '-' }),
    await createSoftware(t, { name: 'Caja', version: '2.0', is_active: false }),
    await createSoftware(t, { name: '0123', version: '-1', description: 'línea\nlínea' }),
  ];
  const licenses = [
    { price: 1234.5, discount_percentage: 12.5, original_price: 2000, promotion_name: '=1+1', notes: '-' },
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
  ];
  for (const [n, license] of licenses.entries()) {
    await createLicense(t, { client: clients[n % 2]!.id, software: software[n % 3]!.id, ...license });
    t.clock.advance(MINUTE_MS);
  }
}

test('the exports of clients, software and licences come back into an empty database, equal in every column (IMPORT-01)', async () => {
  const from = await createTestApp({ now: NOW });
  await fill(from);
  const to = await createTestApp({ now: '2026-12-24T10:00:00.000Z' });
  for (const type of TYPES) await createLicenseType(to, type);
  for (const list of ['clients', 'software', 'licenses']) {
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
    // The licences of these counters come with the last file.
    expect(cellsOf(await exported(to, list)).map(({ Nombre }) => Nombre)).toEqual(
      rows.map(({ Nombre }) => Nombre),
    );
  }
  for (const list of ['clients', 'software', 'licenses']) {
    expect(cellsOf(await exported(to, list))).toEqual(cellsOf(await exported(from, list)));
  }
  // Nobody is mailed, and the same files again change nothing.
  expect(await to.db.selectFrom('outbox').select('id').execute()).toEqual([]);
  const before = await to.db.selectFrom('clients').select(['id', 'updated_at']).execute();
  for (const list of ['clients', 'software', 'licenses']) {
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
  expect(await to.db.selectFrom('clients').select(['id', 'updated_at']).execute()).toEqual(before);
});
