import { sql } from 'kysely';
import { MERGE_MESSAGES } from '../../contract/clients/merge.ts';
import type { Db } from '../db/tables.ts';
import { conflict } from '../errors.ts';

/** Clients that were merged into others (MERGE-01, docs/decisions/169). */

/** The client that has the records of a merged one now; null if the client was not merged, or both are gone. */
export async function mergedInto(db: Db, id: number): Promise<number | null> {
  const row = await db
    .selectFrom('client_merges')
    .innerJoin('clients', 'clients.id', 'client_merges.into_id')
    .select('clients.id')
    .where('client_merges.from_id', '=', id)
    .where('client_merges.merged_at', 'is not', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** A client with those that were merged into it: events stay under the id that their client had. */
export async function withMerged(db: Db, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('client_merges')
    .select('from_id')
    .where('into_id', '=', id)
    .where('merged_at', 'is not', null)
    .orderBy('from_id')
    .execute();
  return [id, ...rows.map(({ from_id }) => from_id)];
}

/** The client of a column of `events` as it is now: of a merged one, the client that has its records. */
export const presentClient = (column: string) =>
  sql<number | null>`coalesce((
    select into_id from client_merges where from_id = ${sql.ref(column)} and merged_at is not null
  ), ${sql.ref(column)})`;

/** The merge under way of a client, in which it ends or gets records; undefined for none. */
export const mergeUnderWay = (db: Db, ids: number[]) =>
  db
    .selectFrom('client_merges')
    .select(['from_id', 'into_id'])
    .where('merged_at', 'is', null)
    .where((eb) => eb.or([eb('from_id', 'in', ids), eb('into_id', 'in', ids)]))
    .executeTakeFirst();

/**
 * Refuses to delete or erase a client while its records move.
 * @throws conflict (409)
 */
export async function refuseDuringMerge(db: Db, id: number): Promise<void> {
  if (await mergeUnderWay(db, [id])) throw conflict(MERGE_MESSAGES.underWay);
}

/** Whether a query has the filter `client`. */
export const hasClient = (query: unknown): query is { client: number } =>
  typeof query === 'object' && query !== null && 'client' in query && typeof query.client === 'number';

/** Replaces a client in the filter `client` of a query by the one into which it was merged. */
export async function followMerged(db: Db, query: unknown): Promise<void> {
  if (hasClient(query)) query.client = (await mergedInto(db, query.client)) ?? query.client;
}
