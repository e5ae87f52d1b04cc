import { LICENSE_STATUSES } from '../../contract/licenses/licenses.fields.ts';
import type { Db } from '../../server/db/tables.ts';
import { insertFirstTerms } from '../../server/features/licenses/license-terms.queries.ts';
import fc from '../properties.ts';
import { age, currency, distance, type Rows, readRows } from './statistics-samples.ts';

/** Random changes of sample rows, written directly into the tables: stored counts must stay correct for any writer. */

const fields = {
  client: fc.nat(),
  software: fc.nat(),
  type: fc.option(fc.nat()),
  status: fc.constantFrom(...LICENSE_STATUSES, 'active' as const, 'cancelled' as const),
  price_cents: fc.integer({ min: 1, max: 10_000_000 }),
  currency,
  max_installations: fc.integer({ min: 1, max: 9 }),
  issued: age,
  expiry: fc.option(distance),
};
const among = fc.record(fields, { requiredKeys: [] });
type Terms = typeof among extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Changes of the licence's fields that affect the statistics: a single field, which a trigger could miss, or several.
 */
const terms: fc.Arbitrary<Terms> = fc.oneof(
  among,
  ...Object.entries(fields).map(([name, value]) =>
    (value as fc.Arbitrary<unknown>).map((it) => ({ [name]: it })),
  ),
);

const KINDS = [
  'change some licences',
  'change some licences',
  'change a licence',
  'change a licence',
  'delete some licences',
  'delete a client and its licences',
  'delete a type',
  'install',
  'remove an installation',
  'receive a heartbeat',
  'date an installation',
] as const;

/** `row` is any number; it selects an existing row. */
const change = fc.record({ kind: fc.constantFrom(...KINDS), row: fc.nat(), at: age, terms });
export const changes = fc.array(change, { minLength: 5, maxLength: 20, size: 'max' });
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const nth = <Row>(rows: Row[], number: number): Row | undefined => rows[number % rows.length];

/** Applies the changes in order and returns all stored rows. */
export async function changeRows(db: Db, changes: Change[], now: string): Promise<Rows> {
  for (const change of changes) await ACTIONS[change.kind](db, await readRows(db), change, Date.parse(now));
  return readRows(db);
}

type Action = (db: Db, rows: Rows, change: Change, now: number) => Promise<unknown>;

const instant = (milliseconds: number) => new Date(milliseconds).toISOString();

const ACTIONS: Record<Change['kind'], Action> = {
  'change some licences': (db, rows, { row, terms }, now) =>
    setTerms(
      db,
      rows,
      rows.licenses.filter((_, index) => index % 3 === row % 3).map(({ id }) => id),
      terms,
      now,
    ),
  'change a licence': (db, rows, { row, terms }, now) =>
    setTerms(db, rows, [nth(rows.licenses, row)?.id ?? 0], terms, now),
  'delete some licences': (db, rows, { row }) =>
    db
      .deleteFrom('licenses')
      .where('software_id', '=', nth(rows.licenses, row)?.software_id ?? 0)
      .where('status', '=', nth(rows.licenses, row)?.status ?? 'active')
      .execute(),
  'delete a client and its licences': async (db, rows, { row }) => {
    if (rows.clients.length < 2) return;
    const { id } = nth(rows.clients, row)!;
    await db.deleteFrom('licenses').where('client_id', '=', id).execute();
    await db.deleteFrom('clients').where('id', '=', id).execute();
  },
  'delete a type': (db, rows, { row }) =>
    db
      .deleteFrom('license_types')
      .where('id', '=', nth(rows.types, row)?.id ?? 0)
      .execute(),
  install: async (db, rows, { row, at }, now) => {
    const license = nth(rows.licenses, row);
    if (!license) return;
    const blank = { machine_name: '', mac_address: '', ip_address: '', notes: '', last_heartbeat: null };
    const highest = Math.max(0, ...rows.installations.map(({ id }) => id));
    await db
      .insertInto('installations')
      .values({
        ...blank,
        license_id: license.id,
        machine_id: `n${highest}`,
        machine_key: `n${highest}`,
        installation_date: instant(now - at),
      })
      .execute();
    await countSeat(db, license.id, 1);
  },
  'remove an installation': async (db, rows, { row }) => {
    const machine = nth(rows.installations, row);
    if (!machine) return;
    await db.deleteFrom('installations').where('id', '=', machine.id).execute();
    await countSeat(db, machine.license_id, -1);
  },
  'receive a heartbeat': (db, rows, { row, at }, now) =>
    db
      .updateTable('installations')
      .set({ last_heartbeat: instant(now - at) })
      .where('id', '=', nth(rows.installations, row)?.id ?? 0)
      .execute(),
  'date an installation': (db, rows, { row, at }, now) =>
    db
      .updateTable('installations')
      .set({ installation_date: instant(now - at) })
      .where('id', '=', nth(rows.installations, row)?.id ?? 0)
      .execute(),
};

const countSeat = (db: Db, licenseId: number, seats: number) =>
  db
    .updateTable('licenses')
    .set((eb) => ({ current_installations: eb('current_installations', '+', seats) }))
    .where('id', '=', licenseId)
    .execute();

/** Changes all given licences in one statement. */
async function setTerms(db: Db, rows: Rows, ids: number[], terms: Terms, now: number) {
  const { client, software, type, issued, expiry, ...same } = terms;
  const set = {
    ...same,
    ...(client !== undefined && { client_id: nth(rows.clients, client)!.id }),
    ...(software !== undefined && { software_id: nth(rows.software, software)!.id }),
    ...(type !== undefined && {
      license_type_id: type === null ? null : (nth(rows.types, type)?.id ?? null),
    }),
    ...(issued !== undefined && { issued_date: instant(now - issued), created_at: instant(now - issued) }),
    ...(expiry !== undefined && { expiry_date: expiry === null ? null : instant(now + expiry) }),
  };
  if (ids.length === 0 || Object.keys(set).length === 0) return;
  await db.updateTable('licenses').set(set).where('id', 'in', ids).execute();
  // The rows were changed directly, so the terms are replaced too: each licence gets one.
  await db.deleteFrom('license_terms').where('license_id', 'in', ids).execute();
  await insertFirstTerms(db);
}
