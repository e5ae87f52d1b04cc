import { setTimeout as rest } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AppContext } from '../context.ts';
import { isPostgres, isUniqueViolation } from '../db/dialect.ts';
import { endFold, type FoldName, foldState, isFolded, noteClean } from '../db/folds.ts';
import { givenRows } from '../db/given-rows.ts';
import type { Db, Tables } from '../db/tables.ts';
import { inScope, type Scope, SYSTEM } from '../scope.ts';
import { defineRepeatedJob, type JobRun } from './define-job.ts';

/**
 * Jobs that fill a new column of stored rows, beside a working server
 * (docs/decisions/132-stored-rows-are-folded-by-a-job.md).
 */

/** Rows that one statement looks at, and at most as many that one transaction changes. */
const STEP = 500;
/** Two passes this far apart must find no row without the value: a replica of an older version may still write some. */
const APART_MS = 60_000;
/** The longest pause after a step. Each step is followed by a pause of its own length, in which requests run. */
const REST_MS_MAX = 50;
const LOG_EVERY_MS = 10_000;
/** How often duplicates are merged and the unique index tried again in one run. */
const TRIES = 3;

/** The rows of a step: those whose number is above `after` and at most `upTo`. */
type Step = { after: number; upTo: number };

/** The number of the last row of a step, null after the last step; and how many of its rows are to be filled. */
type NextStep = { upTo: number | null; lacking: number };

/** A column that is null in rows of older versions, or whose value an older version made in another way. */
export type FoldedColumn = {
  table: keyof Tables & string;
  /** The column of numbers, above 0 and with an index, by which the rows are walked through: mostly the id. */
  by: string;
  column: string;
  /**
   * Fills the column of the rows of a step that lack it, in the transaction of the scope. It may run again, and may
   * leave rows that somebody else has locked for the next pass.
   */
  fill: (scope: Scope, step: Step) => Promise<void>;
  /** Finds the next step. Default: a row lacks the value if its column is null. */
  next?: (db: Db, after: number) => Promise<NextStep>;
};

/**
 * A column of text that follows from other columns of its row.
 * @param read the columns that `value` needs
 * @param value the text to store for a row
 */
export function foldedText<Name extends string>({
  table,
  read,
  column,
  value,
}: {
  table: keyof Tables & string;
  read: readonly Name[];
  column: string;
  value: (row: Record<Name, string | null>) => string;
}): FoldedColumn {
  const own = (name: string) => sql.ref(`${table}.${name}`);
  const fill = async ({ tx }: Scope, { after, upTo }: Step) => {
    const { rows } = await sql<Record<Name, string | null> & { id: number }>`
      select ${sql.join([own('id'), ...read.map(own)])} from ${sql.table(table)}
      where ${own('id')} > ${after} and ${own('id')} <= ${upTo} and ${own(column)} is null
      ${isPostgres(tx) ? sql`for no key update skip locked` : sql``}`.execute(tx);
    const texts = rows.map((row) => ({ id: row.id, text: value(row) }));
    await sql`update ${sql.table(table)} set ${sql.id(column)} = given.text
      from ${givenRows(tx, { id: 'bigint', text: 'text' }, texts)} where ${own('id')} = given.id`.execute(tx);
  };
  return { table, by: 'id', column, fill };
}

/**
 * A column of text that follows from other columns of its row, and that older versions made in another way. A row
 * does not show which version wrote it, so each pass compares all rows with the text that they should have.
 * @param read the columns that `value` needs
 * @param value the text to store for a row
 */
export function comparedText<Name extends string>({
  table,
  read,
  column,
  value,
}: Parameters<typeof foldedText<Name>>[0]): FoldedColumn {
  type Row = Record<Name, string | null> & { id: number; stored: string };
  const own = (name: string) => sql.ref(`${table}.${name}`);
  const columns = sql`${sql.join([own('id'), ...read.map(own)])}, ${own(column)} as stored`;
  const next = async (db: Db, after: number) => {
    const { rows } = await sql<Row>`select ${columns} from ${sql.table(table)}
      where ${own('id')} > ${after} order by ${own('id')} limit ${sql.lit(STEP)}`.execute(db);
    return { upTo: rows.at(-1)?.id ?? null, lacking: rows.filter((row) => value(row) !== row.stored).length };
  };
  const fill = async ({ tx }: Scope, { after, upTo }: Step) => {
    const { rows } = await sql<Row>`select ${columns} from ${sql.table(table)}
      where ${own('id')} > ${after} and ${own('id')} <= ${upTo}
      ${isPostgres(tx) ? sql`for no key update skip locked` : sql``}`.execute(tx);
    const texts = rows.flatMap((row) => {
      const text = value(row);
      return text === row.stored ? [] : [{ id: row.id, text }];
    });
    await sql`update ${sql.table(table)} set ${sql.id(column)} = given.text
      from ${givenRows(tx, { id: 'bigint', text: 'text' }, texts)} where ${own('id')} = given.id`.execute(tx);
  };
  return { table, by: 'id', column, fill, next };
}

type Fold = {
  name: FoldName;
  columns: readonly FoldedColumn[];
  /** Merges rows that have the same value, before their unique index is tried again. */
  settle?: (context: AppContext) => Promise<void>;
};

/**
 * Defines the job that fills columns of older rows. It runs once across replicas and goes on after a kill. It fills in
 * short transactions, then looks again until two passes a minute apart find nothing to fill; then it makes the unique
 * indexes of server/db/folds.ts and stores that it has ended, which {@link isFolded} answers.
 * @param label what staff read in its place
 */
export const defineFoldJob = ({ label, ...fold }: Fold & { label: string }) =>
  defineRepeatedJob({
    kind: `fold-${fold.name.replaceAll('_', '-')}`,
    label,
    every: APART_MS + 1000,
    run: (context, run) => foldRows(context, fold, run),
  });

async function foldRows(context: AppContext, fold: Fold, run: JobRun): Promise<void> {
  const { db, now } = context;
  const { name, columns } = fold;
  if (await isFolded(db, name)) return;
  const { clean_at } = await foldState(db, name);
  const began = now().getTime();
  let lacking = 0;
  for (const column of columns) {
    const found = await passOver(context, column, run);
    if (found === null) return;
    lacking += found;
  }
  if (lacking > 0) {
    run.log.info(
      { fold: name, rows: lacking },
      'filas anteriores completadas; se buscará otra vez en un minuto',
    );
    await noteClean(db, name, null);
    return;
  }
  if (clean_at === null || began - Date.parse(clean_at) < APART_MS) {
    await noteClean(db, name, clean_at ?? now().toISOString());
    return;
  }
  await end(context, fold);
  run.log.info({ fold: name }, 'todas las filas anteriores están completas');
}

async function end(context: AppContext, { name, settle }: Fold): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await endFold(context.forLongWork, name, context.now().toISOString());
      return;
    } catch (error) {
      if (!settle || tries === TRIES || !isUniqueViolation(error)) throw error;
      await settle(context);
    }
  }
}

/**
 * Goes once through all rows of a table and fills those that lack the value.
 * @returns how many lacked it; null if the server stops
 */
async function passOver(
  context: AppContext,
  column: FoldedColumn,
  { log, signal, progressed }: JobRun,
): Promise<number | null> {
  let found = 0;
  let after = 0;
  let loggedAt = performance.now();
  for (;;) {
    if (signal.aborted) return null;
    const { upTo, lacking } = await (column.next?.(context.db, after) ?? nextStep(context.db, column, after));
    if (upTo === null) return found;
    if (lacking > 0) {
      const began = performance.now();
      const step = { after, upTo };
      found += lacking;
      await inScope(context, { actor: SYSTEM }, (scope) => column.fill(scope, step));
      await rest(Math.min(REST_MS_MAX, performance.now() - began));
    } else await rest(0);
    after = upTo;
    if (performance.now() - loggedAt < LOG_EVERY_MS) continue;
    loggedAt = performance.now();
    log.info(
      { table: column.table, column: column.column, upTo, rows: found },
      'se completan filas anteriores',
    );
    await progressed?.();
  }
}

async function nextStep(db: Db, { table, by, column }: FoldedColumn, after: number): Promise<NextStep> {
  const { rows } = await sql<NextStep>`
    select max(step.number) as ${sql.id('upTo')}, count(*) - count(step.value) as lacking
    from (select ${sql.id(by)} as number, ${sql.id(column)} as value from ${sql.table(table)}
      where ${sql.id(by)} > ${after} order by ${sql.id(by)} limit ${sql.lit(STEP)}) as step`.execute(db);
  return rows[0]!;
}
