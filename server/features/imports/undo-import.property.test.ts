import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { importFile, undoImport } from '../../../test/import-file.ts';
import fc, { triesOf } from '../../../test/properties.ts';

/** Whatever a file holds, an undo gives the tables back as they were before its import (INPUT-07). */

const NOW = '2026-11-21T18:00:00.000Z';
const MINUTE_MS = 60_000;

const TABLES = [
  'clients',
  'software',
  'licenses',
  'license_terms',
  'license_trials',
  'licenses_of_clients',
  'outbox',
] as const;

/** All rows of the tables that an import reaches, without the versions of records. */
async function picture(t: TestApp) {
  const rows: { [table: string]: unknown[] } = {};
  for (const table of TABLES) {
    const stored = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} order by 1, 2`.execute(t.db);
    rows[table] = stored.rows.map(({ updated_at: _version, ...row }) => row);
  }
  // A count lies in several slots, and one of zero may have a row or none.
  const counts = await sql`select table_name, kind, status, sum(n) as n from row_counts
    group by table_name, kind, status having sum(n) <> 0 order by 1, 2, 3`.execute(t.db);
  rows.counts = counts.rows;
  return rows;
}

const cell = (...texts: string[]) => fc.constantFrom('', '', '-', ...texts);
/** A cell that is seldom wrong. */
const mostly = (wrong: string, ...texts: string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: fc.constant(wrong) });
const some = (name: (n: number) => string) => fc.nat(29).map(name);
const external = mostly('X-2', '', '', '-', 'X-0', 'X-1', 'X-3');

/** For each kind the columns of its files, each with what its cells may be. */
const COLUMNS: Record<ImportKind, Record<string, fc.Arbitrary<string>>> = {
  clients: {
    Email: some((n) => `c${n}@mx.mx`),
    Nombre: mostly('', 'Ana Gómez', 'Ñandú', 'Zoé'),
    Teléfono: mostly('nada', '+525512345678', '+525587654321'),
    Empresa: cell('Imprenta', 'ACME'),
    Estado: mostly('no es', '', 'Activo', 'Suspendido'),
    Notas: cell('una', 'otra'),
    Recordatorios: cell('Sí', 'No'),
    'Último contacto': cell('2026-01-31'),
    'Identificador externo': external,
  },
  software: {
    Nombre: fc.constantFrom('Caja', 'CAJA', 'Nómina', 'Punto'),
    Versión: fc.constantFrom('1', '2', '3', '4', '5'),
    Descripción: cell('una', 'otra'),
    Activo: cell('Sí', 'No'),
    'Tipo de prueba': mostly('no hay', '', '-', 'Anual', 'Flotante'),
  },
  licenses: {
    Clave: some((n) => `CLAVE-${n}`),
    Email: mostly('nadie@mx.mx', 'c0@mx.mx', 'c1@mx.mx', 'c2@mx.mx'),
    Software: fc.constantFrom('Caja', 'Nómina'),
    Categoría: mostly('-', 'basic', 'trial', 'abono'),
    'Tipo de licencia': cell('Anual', 'Flotante'),
    Precio: mostly('diez', '0', '10', '99.99'),
    Moneda: mostly('-', '', 'MXN', 'USD'),
    Vence: cell('2027-01-31', '2026-01-31'),
    Estado: mostly('-', '', 'Activa', 'Suspendida', 'Cancelada', 'Vencida'),
    'Máximo de instalaciones': mostly('-', '', '1', '7'),
    Notas: cell('una', 'otra'),
    'Identificador externo': external,
  },
};

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const fileOf = (kind: ImportKind) =>
  fc.array(fc.record(COLUMNS[kind]), { minLength: 10, maxLength: 60 }).map((rows) => {
    const headers = Object.keys(COLUMNS[kind]);
    const lines = rows.map((row) => headers.map((header) => quoted(row[header]!)).join(','));
    return `${headers.join(',')}\n${lines.join('\n')}\n`;
  });

async function fill(t: TestApp) {
  const type = await createLicenseType(t, { name: 'Anual' });
  await createLicenseType(t, { name: 'Flotante', seat_mode: 'floating', lease_minutes: 30 });
  await createSoftware(t, { name: 'Caja', version: '1', trial_type: type.id });
  await createSoftware(t, { name: 'Nómina', version: '2' });
  for (let n = 0; n < 4; n += 1) {
    await createClient(t, {
      email: `c${n}@mx.mx`,
      company: `Empresa ${n}`,
      external_id: n < 2 ? `X-${n}` : null,
    });
  }
  const licenses = [0, 1, 2, 3].map(
    (n) => `CLAVE-${n},c${n}@mx.mx,Caja,${n % 2 === 0 ? 'Anual' : ''},100,${n < 2 ? `X-${n}` : ''}\n`,
  );
  const head = 'Clave,Email,Software,Tipo de licencia,Precio,Identificador externo\n';
  await importFile(t, 'licenses', `${head}${licenses.join('')}`);
  t.clock.advance(MINUTE_MS);
}

for (const kind of ['clients', 'software', 'licenses'] as const) {
  test(`an undone import of ${kind} leaves the tables as they were (INPUT-07)`, async () => {
    const t = await createTestApp({ now: NOW });
    await fill(t);
    const before = await picture(t);
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fileOf(kind), fc.constantFrom('upsert', 'update', 'create'), async (file, mode) => {
        const { id, progress } = await importFile(t, kind, file, mode);
        written += progress.result!.created + progress.result!.updated;
        const undone = await undoImport(t, id);
        expect(undone).toMatchObject({ state: 'undone', result: { created: 0, updated: 0, errors: [] } });
        expect(await picture(t)).toEqual(before);
      }),
      { numRuns: triesOf(30) },
    );
    expect(written).toBeGreaterThan(10);
  });
}

test('whatever was changed in between stays as it is, and all else is as before (INPUT-07)', async () => {
  await fc.assert(
    fc.asyncProperty(fileOf('clients'), fc.nat(), async (file, seed) => {
      const t = await createTestApp({ now: NOW });
      await fill(t);
      const clientsOf = async () =>
        new Map((await picture(t)).clients!.map((row) => [(row as { id: number }).id, row]));
      const before = await clientsOf();
      const { id, progress } = await importFile(t, 'clients', file, 'upsert');
      const { created, updated } = progress.result!;
      fc.pre(created + updated > 0);
      const all = await t.db
        .selectFrom('import_changes')
        .select('record_id')
        .where('import_id', '=', id)
        .orderBy('part')
        .execute();
      const changed = all[seed % all.length]!.record_id;
      const asked = await t.call('POST', `/licenses/api/imports/${id}/undo/`, { body: {} });
      expect(asked.status).toBe(202);
      t.clock.advance(1000);
      const named = await t.call('PUT', `/licenses/api/clients/${changed}/`, {
        body: { name: 'Entretanto' },
      });
      expect(named.status).toBe(200);
      const kept = (await clientsOf()).get(changed);
      const undone = await undoImport(t, id);
      expect(undone.state).toBe('undone');
      // What it holds may be what another one had.
      expect(undone.result!.errors.map(({ code }) => code)).toContain('stale');
      expect(undone.result!.errors.length).toBeLessThanOrEqual(2);
      if (undone.result!.errors.length > 1) return;
      expect(await clientsOf()).toEqual(new Map([...before, [changed, kept]]));
    }),
    { numRuns: triesOf(12) },
  );
});
