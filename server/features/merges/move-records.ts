import { sql } from 'kysely';
import { isAmong, lockFreeRows, lockRows } from '../../db/dialect.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';

/**
 * What a client has, moved to another one in parts (MERGE-01). Each part is a transaction of its own where a client has
 * much, so that nobody waits for all of it.
 */

export type Pair = { id: number; from: number };

/** Another transaction changed what belongs together, between its reading and its locks. The part is tried again. */
export class MovedMeanwhile extends Error {
  override name = 'MovedMeanwhile';
}

type Versioned = 'licenses' | 'payment_requests' | 'payments' | 'notes';

/**
 * Gives rows to the other client, with a new version each. Few rows have a version that is not older than now, and get
 * theirs one by one.
 */
async function give({ tx, now }: Scope, table: Versioned, ids: number[], { id, from }: Pair): Promise<void> {
  if (ids.length === 0) return;
  const stamp = now.toISOString();
  // The cast is safe: each of the tables has these columns, but Kysely's types do not support a union of tables.
  const name = table as 'notes';
  await tx
    .updateTable(name)
    .set({ client_id: id, updated_at: stamp })
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .where('client_id', '=', from)
    .where('updated_at', '<', stamp)
    .execute();
  const others = await tx
    .selectFrom(name)
    .select(['id', 'updated_at'])
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .where('client_id', '=', from)
    .execute();
  for (const row of others) {
    await tx
      .updateTable(name)
      .set({ client_id: id, updated_at: nextVersion(row.updated_at, now) })
      .where('id', '=', row.id)
      .execute();
  }
}

/** The first rows of a table that the client has, by their ids. */
const firstRows = (tx: Db, table: Versioned | 'outbox', from: number, limit: number) =>
  tx
    .selectFrom(table as 'notes')
    .select('id')
    .where('client_id', '=', from)
    .orderBy('id')
    .limit(limit);

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

/** The same rows, locked in the order of their ids. */
const lockFirst = async (tx: Db, table: Versioned | 'outbox', from: number, limit: number) =>
  idsOf(await lockRows(tx, firstRows(tx, table, from, limit)).execute());

/** The payment requests with a line for one of these licences, and the client's licences in all their lines. */
async function together(
  tx: Db,
  first: number[],
  from: number,
): Promise<{ licenses: number[]; requests: number[] }> {
  let licenses = first;
  for (;;) {
    const asked = await tx
      .selectFrom('payment_lines')
      .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
      .select('payment_lines.request_id')
      .distinct()
      .where(isAmong(tx, sql<number>`payment_lines.license_id`, licenses))
      .where('payment_requests.client_id', '=', from)
      .execute();
    const requests = asked.map(({ request_id }) => request_id).sort((a, b) => a - b);
    if (requests.length === 0) return { licenses, requests };
    const rows = await tx
      .selectFrom('payment_lines')
      .innerJoin('licenses', 'licenses.id', 'payment_lines.license_id')
      .select('licenses.id')
      .distinct()
      .where((eb) => isAmong(tx, eb.ref('payment_lines.request_id'), requests))
      .where('licenses.client_id', '=', from)
      .execute();
    const all = [...new Set([...licenses, ...rows.map((row) => row.id)])].sort((a, b) => a - b);
    if (all.length === licenses.length) return { licenses, requests };
    licenses = all;
  }
}

/** Locks rows that the client still has, in the order of their ids. */
async function lockOwn(
  tx: Db,
  table: 'licenses' | 'payment_requests',
  ids: number[],
  from: number,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const own = tx
    .selectFrom(table as 'licenses')
    .select('id')
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .where('client_id', '=', from)
    .orderBy('id');
  return idsOf(await lockRows(tx, own).execute());
}

/**
 * Moves licences, with the payment requests that ask for them: a payment does its work only while its request and its
 * licences have one client. Licences are locked before requests, as whoever pays does.
 * @returns how many licences moved; 0 at the end
 * @throws MovedMeanwhile
 */
async function moveLicenses(scope: Scope, pair: Pair, limit: number): Promise<number> {
  const { tx } = scope;
  const { id, from } = pair;
  const first = idsOf(await firstRows(tx, 'licenses', from, limit).execute());
  if (first.length === 0) return 0;
  const found = await together(tx, first, from);
  const licenses = await lockOwn(tx, 'licenses', found.licenses, from);
  const requests = await lockOwn(tx, 'payment_requests', found.requests, from);
  if (licenses.length === 0) return first.length;
  const now = await together(tx, licenses, from);
  if (now.licenses.length > licenses.length || now.requests.length > requests.length) {
    throw new MovedMeanwhile();
  }
  await moveLocked(scope, pair, { licenses, requests });
  await tx
    .updateTable('license_certificates')
    .set({ client_id: id })
    .where((eb) => isAmong(tx, eb.ref('license_id'), licenses))
    .where('client_id', '=', from)
    .execute();
  return first.length;
}

async function moveLocked(
  scope: Scope,
  pair: Pair,
  { licenses, requests }: { licenses: number[]; requests: number[] },
): Promise<void> {
  const { tx } = scope;
  // Before the licences, whose trigger gives their notes to the new client without a new version.
  const notes = tx
    .selectFrom('notes')
    .select('id')
    .where(isAmong(tx, sql<number>`license_id`, licenses))
    .orderBy('id');
  await give(scope, 'notes', idsOf(await lockRows(tx, notes).execute()), pair);
  await give(scope, 'licenses', licenses, pair);
  await give(scope, 'payment_requests', requests, pair);
}

const moveTable =
  (table: Exclude<Versioned, 'licenses'>) =>
  async (scope: Scope, pair: Pair, limit: number): Promise<number> => {
    const ids = await lockFirst(scope.tx, table, pair.from, limit);
    await give(scope, table, ids, pair);
    return ids.length;
  };

async function moveMails({ tx, now }: Scope, { id, from }: Pair, limit: number): Promise<number> {
  const ids = await lockFirst(tx, 'outbox', from, limit);
  if (ids.length === 0) return 0;
  await tx
    .updateTable('outbox')
    .set({ client_id: id, changed_at: now.toISOString() })
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .execute();
  return ids.length;
}

/** The ways to move a part, in their order; each returns how many rows it moved, 0 at its end. */
export const PARTS: readonly ((scope: Scope, pair: Pair, limit: number) => Promise<number>)[] = [
  moveLicenses,
  moveTable('payment_requests'),
  moveTable('payments'),
  moveTable('notes'),
  moveMails,
];

const LOCKED = ['licenses', 'payment_requests'] as const;
const restOf = (tx: Db, table: (typeof LOCKED)[number], from: number) =>
  tx
    .selectFrom(table as 'licenses')
    .select('id')
    .where('client_id', '=', from)
    .orderBy('id');

/** Locks what is left of the client's licences and payment requests, so that nobody who pays is in between. */
export async function lockRest(tx: Db, from: number): Promise<void> {
  for (const table of LOCKED) await lockRows(tx, restOf(tx, table, from)).execute();
}

/**
 * Locks what is left once more, without waiting: while the client is locked, it gets no more.
 * @returns false if another transaction holds something of it
 */
export async function locksAll(tx: Db, from: number): Promise<boolean> {
  for (const table of LOCKED) {
    const locked = await lockFreeRows(tx, restOf(tx, table, from)).execute();
    if ((await countRows(tx, table, from)) > locked.length) return false;
  }
  return true;
}

/** How many rows of each kind a client has, at most as many as are asked for. */
export async function countRows(
  db: Db,
  table: keyof Pick<Tables, Versioned | 'outbox'>,
  client: number,
  most?: number,
): Promise<number> {
  const own = db
    .selectFrom(table as 'notes')
    .select('id')
    .where('client_id', '=', client)
    .$if(most !== undefined, (query) => query.limit(most!))
    .as('own');
  const { n } = await db
    .selectFrom(own)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}
