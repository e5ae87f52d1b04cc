import { type RawBuilder, sql } from 'kysely';
import { readsInProcess } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { askedRows, listsOf } from '../../db/together.ts';
import type { Count } from './usage.queries.ts';

/**
 * The only place where counts are written: amounts are added, and a value is never written over another one. Who adds
 * holds a lock of the licences, so that the counts that were read before are still true
 * (docs/decisions/110-meters-that-can-be-recounted.md).
 */

/** What is added to a count. `base` is the part of `added` that no record explains: a correction. */
export type Addition = Count & {
  added: number;
  base: number;
  reached_at: string | null;
  resets_at: string | null;
};

/** A record that is counted now, with the count that it changes. */
export type CountedRecord = Count & { request_id: string; amount: number };

const ADDED = {
  license_id: 'bigint',
  code: 'text',
  period: 'text',
  added: 'bigint',
  base: 'bigint',
  reached_at: 'timestamptz',
  resets_at: 'timestamptz',
} as const;
const RECORDS = {
  license_id: 'bigint',
  code: 'text',
  period: 'text',
  request_id: 'text',
  amount: 'bigint',
  at: 'timestamptz',
} as const;
type Lists<Of extends typeof ADDED | typeof RECORDS> = ReturnType<typeof listsOf<Of>>;

// The order in which rows are locked is the same in all statements. (SQLite needs something between the table and 'on'.)
const addTo = (rows: RawBuilder<unknown>) => sql`
  insert into usage_counts (license_id, code, period, used, base, reached_at, resets_at)
  select license_id, code, period, added, base, reached_at, resets_at from ${rows}
  order by license_id, code, period
  on conflict (license_id, code, period) do update set used = usage_counts.used + excluded.used,
    base = usage_counts.base + excluded.base, reached_at = coalesce(usage_counts.reached_at, excluded.reached_at)`;

const insertRecords = (rows: RawBuilder<unknown>) => sql`
  insert into usage_records (license_id, request_id, at, code, period, amount)
  select license_id, request_id, at, code, period, amount from ${rows}
  order by license_id, request_id`;

const addCounts = prepared((db, lists: Lists<typeof ADDED>) => ({
  compile: () => sql<never>`${addTo(askedRows(db, ADDED, lists))}`.compile(db),
}));

const storeRecords = prepared((db, lists: Lists<typeof RECORDS>) => ({
  compile: () => sql<never>`${insertRecords(askedRows(db, RECORDS, lists))}`.compile(db),
}));

const recordLists = (records: CountedRecord[], now: Date) => {
  const at = now.toISOString();
  return listsOf(
    RECORDS,
    records.map((record) => ({ ...record, at })),
  );
};

/**
 * Adds to counts of locked licences, and stores the records that explain it.
 * @param records none of them is stored yet
 */
export async function addLocked(
  tx: Db,
  additions: Addition[],
  records: CountedRecord[],
  now: Date,
): Promise<void> {
  if (records.length > 0) await storeRecords(tx, recordLists(records, now));
  if (additions.length > 0) await addCounts(tx, listsOf(ADDED, additions));
}

const EXPECTED = {
  license_id: 'bigint',
  code: 'text',
  period: 'text',
  added: 'bigint',
  used: 'bigint',
  resets_at: 'timestamptz',
} as const;
type Expected = ReturnType<typeof listsOf<typeof EXPECTED>>;
type AtOnce = Expected & { license_ids: number[] } & Pick<
    Lists<typeof RECORDS>,
    'request_id' | 'amount' | 'at'
  > & {
    noted_of: number[];
    noted_code: string[];
    noted_period: string[];
  };

const addAtOnce = prepared(
  (db, { license_ids, noted_of, noted_code, noted_period, request_id, amount, at, ...counts }: AtOnce) => ({
    compile: () =>
      // A materialized list of locks is complete before the first row is written: everything else reads its count.
      sql<never>`with locked as materialized (
          select id from licenses where id = any(${license_ids}::bigint[]) order by id for key share),
        listed as (
          select *, 0::bigint as base, null::timestamptz as reached_at from ${askedRows(db, EXPECTED, counts)}
          where (select count(*) from locked) = cardinality(${license_ids}::bigint[])),
        noting as (
          select * from ${askedRows(db, RECORDS, {
            ...{ license_id: noted_of, code: noted_code, period: noted_period, request_id, amount, at },
          })}
          where (select count(*) from locked) = cardinality(${license_ids}::bigint[])),
        counted as (${addTo(sql`listed`)} returning license_id, code, period, used),
        noted as (${insertRecords(sql`noting`)} on conflict (license_id, request_id) do nothing returning id)
        select 1 / case when (select count(*) from counted natural join
              (select license_id, code, period, used from listed) as wanted) = cardinality(${counts.code}::text[])
          and (select count(*) from noted) = cardinality(${request_id}::text[])
          then 1 else 0 end`.compile(db),
  }),
);

/**
 * Adds to counts in one statement, if the counts and record ids are still as they were read. On PostgreSQL this
 * replaces a transaction, which would take several round trips. The statement locks the licences, as a transaction
 * does: other statements like it may run meanwhile, but no transaction that has read the counts.
 * @param additions with `used`, the count after the addition
 * @returns false if nothing was stored: something has changed meanwhile, or the engine has no such statement
 */
export async function storeAtOnce(
  db: Db,
  additions: (Omit<Addition, 'base' | 'reached_at'> & { used: number })[],
  records: CountedRecord[],
  now: Date,
): Promise<boolean> {
  // SQLite has no round trips and only one writer, so it does not need this.
  if (readsInProcess(db)) return false;
  if (records.length === 0) return true;
  const {
    license_id: noted_of,
    code: noted_code,
    period: noted_period,
    ...stored
  } = recordLists(records, now);
  try {
    await addAtOnce(db, {
      ...listsOf(EXPECTED, additions),
      license_ids: [...new Set(noted_of)],
      ...{ noted_of, noted_code, noted_period, ...stored },
    });
    return true;
  } catch {
    // A division by zero, a deadlock or a deleted licence: the transaction with locks then finds out. If the data
    // were stored and only the answer was lost, it finds the records already counted.
    return false;
  }
}
