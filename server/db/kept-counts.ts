import { type Kysely, sql } from 'kysely';
import { columnTypes, isPostgres } from './dialect.ts';
import { prepared } from './prepared.ts';
import type { CountsName, Db } from './tables.ts';

/**
 * How many rows a table has, kept beside it: counting a million rows takes longer than all else that a list does, and
 * `count` is exact (D045). Triggers add and take away in the transaction that adds or deletes, so that the count is
 * that of the rows whoever writes them, and whoever reads sees as many as there are rows for him.
 *
 * On PostgreSQL each connection counts in a slot of its own: those who write at the same time do not wait for one
 * another, and the sum over the slots is the count.
 */

const SLOTS = 64;

/** What a table's rows are counted by; columns that hold one of a few values. Nothing there counts as a blank. */
export type CountedBy = { status: string | null; kind: string | null };

/** Makes the table of counts. Call it once, in a migration. */
export async function createCounts(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnTypes(db);
  await sql`create table row_counts (
    table_name ${text} not null,
    status ${text} not null,
    kind ${text} not null,
    slot ${integer} not null,
    n ${integer} not null,
    primary key (table_name, status, kind, slot)
  )`.execute(db);
}

/**
 * Counts a table from now on, and what it holds already. Call it once for each name, in a migration.
 * @param name under which the counts are kept, where a table has several; else that of the table
 */
export async function keepCounts(
  db: Kysely<unknown>,
  table: string,
  by: CountedBy,
  name: CountsName = table as CountsName,
): Promise<void> {
  if (isPostgres(db)) await keepOnPostgres(db, table, by, name);
  else await keepOnSqlite(db, table, by, name);
  const { status, kind } = columnsOf(by);
  await sql`insert into row_counts (table_name, status, kind, slot, n)
    select ${sql.lit(name)}, ${status()}, ${kind()}, 0, count(*) from ${sql.table(table)} group by 2, 3`.execute(
    db,
  );
}

/** The columns of a row that is named as `new` or `old`, or of the table itself; a blank where nothing is counted by. */
function columnsOf(by: CountedBy) {
  const column = (name: string | null) => (row?: string) => {
    if (name === null) return sql.lit('');
    return sql`coalesce(cast(${row === undefined ? sql.ref(name) : sql.raw(`${row}.${name}`)} as text), '')`;
  };
  return { status: column(by.status), kind: column(by.kind) };
}

async function keepOnSqlite(
  db: Kysely<unknown>,
  table: string,
  by: CountedBy,
  countsName: CountsName,
): Promise<void> {
  const { status, kind } = columnsOf(by);
  const count = (row: 'new' | 'old') => sql`
    insert into row_counts (table_name, status, kind, slot, n)
    values (${sql.lit(countsName)}, ${status(row)}, ${kind(row)}, 0, ${sql.lit(row === 'new' ? 1 : -1)})
    on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;`;
  const name = (event: string) => sql.id(`${countsName}_count_${event}`);
  const on = sql.table(table);
  await sql`create trigger ${name('insert')} after insert on ${on} begin ${count('new')} end`.execute(db);
  await sql`create trigger ${name('delete')} after delete on ${on} begin ${count('old')} end`.execute(db);
  const columns = [by.status, by.kind].filter((column) => column !== null);
  if (columns.length === 0) return;
  await sql`create trigger ${name('update')} after update of ${sql.join(columns.map(sql.ref))} on ${on}
    when ${changed(columns, sql`is not`)} begin ${count('old')} ${count('new')} end`.execute(db);
}

/**
 * Adding and deleting are counted once for each statement: a counter that one transaction touches row by row becomes
 * slower with every row. A change of words is counted by row, as only a trigger by row is called for a change alone.
 */
async function keepOnPostgres(
  db: Kysely<unknown>,
  table: string,
  by: CountedBy,
  countsName: CountsName,
): Promise<void> {
  const on = sql.table(table);
  // A replica of an older version may be writing: it waits until the triggers are there and all is counted.
  await sql`lock table ${on} in share row exclusive mode`.execute(db);
  const { status, kind } = columnsOf(by);
  const upsert = sql`on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n`;
  const slot = sql`pg_backend_pid() % ${sql.lit(SLOTS)}`;
  const name = (event: string) => sql.id(`${countsName}_count_${event}`);
  const define = (event: string, body: ReturnType<typeof sql>) =>
    sql`create function ${name(event)}() returns trigger language plpgsql as $$
      begin ${body}; return null; end $$`.execute(db);

  for (const [event, sign] of [
    ['insert', 1],
    ['delete', -1],
  ] as const) {
    // In the order of the words, so that two who add several kinds never wait for each other in a circle.
    await define(
      event,
      sql`insert into row_counts (table_name, status, kind, slot, n)
        select ${sql.lit(countsName)}, ${status()}, ${kind()}, ${slot}, ${sql.lit(sign)} * count(*)
        from changed group by 2, 3 having count(*) > 0 order by 2, 3 ${upsert}`,
    );
    await sql`create trigger ${name(event)} after ${sql.raw(event)} on ${on}
      referencing ${sql.raw(sign === 1 ? 'new' : 'old')} table as changed
      for each statement execute function ${name(event)}()`.execute(db);
  }
  const columns = [by.status, by.kind].filter((column) => column !== null);
  if (columns.length === 0) return;
  const row = (word: 'new' | 'old') =>
    sql`(${sql.lit(countsName)}, ${status(word)}, ${kind(word)}, ${slot}, ${sql.lit(word === 'new' ? 1 : -1)})`;
  await define(
    'update',
    sql`insert into row_counts (table_name, status, kind, slot, n)
      values ${row('old')}, ${row('new')} ${upsert}`,
  );
  await sql`create trigger ${name('update')} after update of ${sql.join(columns.map(sql.ref))} on ${on}
    for each row when (${changed(columns, sql`is distinct from`)}) execute function ${name('update')}()`.execute(
    db,
  );
}

const changed = (columns: string[], differs: ReturnType<typeof sql>) =>
  sql.join(
    columns.map((column) => sql`${sql.raw(`old.${column}`)} ${differs} ${sql.raw(`new.${column}`)}`),
    sql` or `,
  );

/** What is counted: all rows of a table, or those with a status, a kind (category, type of client), or both. */
export type Counted = { table: CountsName; status?: string | undefined; kind?: string | undefined };

/** The count as a part of a larger statement. */
export function keptCount(db: Db, { table, status, kind }: Counted) {
  let counts = db.selectFrom('row_counts').where('table_name', '=', table);
  if (status !== undefined) counts = counts.where('status', '=', status);
  if (kind !== undefined) counts = counts.where('kind', '=', kind);
  return counts.select((eb) => eb.fn.coalesce(eb.fn.sum<number>('n'), eb.lit(0)).as('n'));
}

const count = prepared((db, counted: Counted) => keptCount(db, counted));

/** How many rows there are, without looking at them. */
export async function countKept(db: Db, counted: Counted): Promise<number> {
  const [row] = await count(db, counted);
  return row!.n;
}

/** The same by kind, where kinds are many: one row for each that there is. */
export function keptCountsByKind(db: Db, table: CountsName) {
  return db
    .selectFrom('row_counts')
    .where('table_name', '=', table)
    .groupBy('kind')
    .select((eb) => ['kind', eb.fn.sum<number>('n').as('count')])
    .execute();
}
