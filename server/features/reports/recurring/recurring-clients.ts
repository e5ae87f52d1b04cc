import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isAmong } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { type ClientRecurring, recurringOf } from './recurring-moves.ts';
import { type RecurringTerm, spansOf } from './recurring-terms.ts';

/** Computes the recurring revenue of clients from the terms of their licences (REPORT-05). */

/** Licences that are read at once: on SQLite their rows are read in this process, in some milliseconds. */
const LICENSES_AT_ONCE = 500;

const LICENSE_COLUMNS = ['id', 'client_id', 'created_at', 'status', 'license_type', 'activate_by'] as const;
const TERM_COLUMNS = [
  'license_id',
  'kind',
  'starts',
  'ends',
  'covers_until',
  'months',
  'price_cents',
  'currency',
  'software_id',
  'is_trial',
  'is_free',
  'is_test',
  'created_at',
] as const;

/** The recurring revenue of some clients, by client; a client without licences has none. */
export async function readRecurring(
  db: Db,
  clients: number[],
  timeZone: string,
): Promise<Map<number, ClientRecurring>> {
  const counts = await licensesOf(db, clients);
  const found = new Map<number, ClientRecurring>(clients.map((client) => [client, []]));
  for (const group of groupsOf(clients, counts)) {
    const spans = new Map(group.map((client) => [client, [] as ReturnType<typeof spansOf>]));
    for await (const licenses of pagesOf(db, group, counts)) {
      const terms = await readTerms(db, licenses);
      for (const { client_id, ...license } of licenses) {
        spans.get(client_id)?.push(...spansOf(license, terms.get(license.id) ?? [], timeZone));
      }
      await letOthersRun();
    }
    for (const [client, own] of spans) found.set(client, recurringOf(own));
  }
  return found;
}

/** How many licences some clients have together: what computing them costs. */
export async function countLicensesOf(db: Db, clients: number[]): Promise<number> {
  const counts = await licensesOf(db, clients);
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}

/** How many licences some clients have, by client. */
export async function licensesOf(db: Db, clients: number[]): Promise<Map<number, number>> {
  if (clients.length === 0) return new Map();
  const rows = await db
    .selectFrom('licenses_of_clients')
    .select(['client_id', 'n'])
    .where((eb) => isAmong(db, eb.ref('client_id'), clients))
    .execute();
  return new Map(rows.map(({ client_id, n }) => [client_id, n]));
}

/** Clients whose licences are read at once; one with more of them alone. */
function groupsOf(clients: number[], counts: Map<number, number>): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const client of clients) {
    const licenses = counts.get(client) ?? 0;
    if (groups.length === 0 || licenses > room) {
      groups.push([]);
      room = LICENSES_AT_ONCE;
    }
    groups.at(-1)!.push(client);
    room -= licenses;
  }
  return groups;
}

type LicenseOfClient = { id: number; client_id: number } & Parameters<typeof spansOf>[0];

/** The licences of clients: all at once, or in pages those of one with many. */
async function* pagesOf(
  db: Db,
  clients: number[],
  counts: Map<number, number>,
): AsyncGenerator<LicenseOfClient[]> {
  const [only] = clients;
  const licenses = db.selectFrom('licenses').select(LICENSE_COLUMNS);
  if (clients.length > 1 || (counts.get(only!) ?? 0) <= LICENSES_AT_ONCE) {
    yield withPast(db, await licenses.where((eb) => isAmong(db, eb.ref('client_id'), clients)).execute());
    return;
  }
  for (let after: { created_at: string; id: number } | undefined; ; ) {
    let page = licenses.where('client_id', '=', only!);
    if (after !== undefined) {
      const { created_at, id } = after;
      page = page.where((eb) =>
        eb.and([
          eb('created_at', '<=', created_at),
          eb.or([eb('created_at', '<', created_at), eb('id', '<', id)]),
        ]),
      );
    }
    const rows = await page
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(LICENSES_AT_ONCE)
      .execute();
    yield withPast(db, rows);
    after = rows.at(-1);
    if (rows.length < LICENSES_AT_ONCE) return;
  }
}

/** Adds what only the past says: when a cancelled licence was last active, and when a trial was converted. */
async function withPast<Row extends Omit<LicenseOfClient, 'left_at' | 'converted_at'>>(
  db: Db,
  rows: Row[],
): Promise<(Row & LicenseOfClient)[]> {
  const cancelled = rows.filter(({ status }) => status === 'cancelled').map(({ id }) => id);
  const left = await db
    .selectFrom('license_spans')
    .select((eb) => ['license_id', eb.fn.max('left_at').as('left_at')])
    .where((eb) => isAmong(db, eb.ref('license_id'), cancelled))
    .groupBy('license_id')
    .execute();
  const converted = await db
    .selectFrom('license_trials')
    .select(['license_id', 'converted_at'])
    .where((eb) =>
      isAmong(
        db,
        eb.ref('license_id'),
        rows.map(({ id }) => id),
      ),
    )
    .execute();
  const leftAt = new Map(left.map(({ license_id, left_at }) => [license_id, left_at]));
  const convertedAt = new Map(converted.map(({ license_id, converted_at }) => [license_id, converted_at]));
  return rows.map((row) => ({
    ...row,
    left_at: leftAt.get(row.id) ?? null,
    converted_at: convertedAt.get(row.id) ?? null,
  }));
}

async function readTerms(db: Db, licenses: { id: number }[]): Promise<Map<number, RecurringTerm[]>> {
  const rows = await db
    .selectFrom('license_terms')
    .select(TERM_COLUMNS)
    .where((eb) =>
      isAmong(
        db,
        eb.ref('license_id'),
        licenses.map(({ id }) => id),
      ),
    )
    .orderBy('license_id')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, ({ license_id }) => license_id);
}
