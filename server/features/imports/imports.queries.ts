import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import {
  IMPORT_ERRORS_SHOWN,
  IMPORT_KEPT_DAYS,
  IMPORT_MESSAGES,
  IMPORT_SAMPLE_ROWS,
  type ImportError,
  type ImportForecast,
  type ImportProgress,
  type ImportState,
} from '../../../contract/imports/imports.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, ImportRow } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { actorColumns, type Scope } from '../../scope.ts';
import { type FoundOrders, ordersInAnswer } from './date-orders.ts';
import { findingsInAnswer, newClientsIn } from './findings.ts';
import { chosenInAnswer, optionsOf } from './import-options.ts';
import { type ImportSource, readerOf, readRows } from './import-source.ts';
import { headOf, type SheetHead, type SheetRow } from './read-sheet.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** PostgreSQL accepts at most 65,535 parameters in one statement. */
const ERRORS_AT_ONCE = 1000;

/**
 * Stores an import; its rows are stored later.
 * @returns its id
 */
export async function insertImport(
  scope: Scope,
  kind: ImportKind,
  head: SheetHead,
  source: ImportSource,
): Promise<number> {
  const { id } = await scope.tx
    .insertInto('imports')
    .values({
      kind,
      state: 'uploaded',
      columns: JSON.stringify(head.columns),
      sample: JSON.stringify(head.sample),
      warnings: JSON.stringify(head.warnings),
      mapping: JSON.stringify(head.mapping),
      mode: null,
      options: JSON.stringify({ source }),
      forecast: null,
      ...actorColumns(scope),
      created_at: scope.now.toISOString(),
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type Chunk = { position: number; rows: SheetRow[] };

export async function insertChunks(db: Db, id: number, chunks: readonly Chunk[]): Promise<void> {
  const values = chunks.map(({ position, rows }) => ({
    import_id: id,
    position,
    rows: JSON.stringify(rows),
  }));
  await db.insertInto('import_chunks').values(values).execute();
}

export const findImport = (db: Db, id: number): Promise<ImportRow | undefined> =>
  db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();

/** Reads an import and locks it until the transaction ends. */
export const lockImport = (tx: Db, id: number): Promise<ImportRow | undefined> =>
  lockRows(tx, tx.selectFrom('imports').selectAll().where('id', '=', id)).executeTakeFirst();

/** @throws notFound (404) */
export async function lockExisting({ tx }: Scope, id: number): Promise<ImportRow> {
  const row = await lockImport(tx, id);
  if (!row) throw notFound(IMPORT_MESSAGES.notFound);
  return row;
}

/** Some chunks of an import from a position on, in order, with their rows in the encoding in use. */
export async function readChunks(
  db: Db,
  { id, options }: Pick<ImportRow, 'id' | 'options'>,
  from: number,
  limit: number,
): Promise<Chunk[]> {
  const read = await readerOf(optionsOf({ options }).source);
  const chunks = await keptChunks(db, id, from, limit);
  return chunks.map(({ position, rows }) => ({ position, rows: readRows(rows, read) }));
}

/** The first rows of an import as they are kept. */
export async function firstRows(db: Db, id: number): Promise<SheetRow[]> {
  // A chunk has at least one row.
  const chunks = await keptChunks(db, id, 0, IMPORT_SAMPLE_ROWS);
  return chunks.flatMap(({ rows }) => rows).slice(0, IMPORT_SAMPLE_ROWS);
}

async function keptChunks(db: Db, id: number, from: number, limit: number): Promise<Chunk[]> {
  const rows = await db
    .selectFrom('import_chunks')
    .select(['position', 'rows'])
    .where('import_id', '=', id)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((chunk) => ({ position: chunk.position, rows: JSON.parse(chunk.rows) as SheetRow[] }));
}

export async function updateImport(
  db: Db,
  id: number,
  values: Partial<Omit<ImportRow, 'id' | 'kind'>>,
): Promise<void> {
  await db.updateTable('imports').set(values).where('id', '=', id).execute();
}

/** The counters of an import whose check or run begins, and the actor who started it. */
export const atItsStart = (scope: Scope) => ({
  done: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  findings: '[]',
  next_position: 0,
  ...actorColumns(scope),
});

export async function deleteErrors(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('import_errors').where('import_id', '=', id).execute();
}

/** An error with the position of its row's chunk, and a number that only it has among the errors of its row. */
export type StoredError = ImportError & { position: number; part: number };

export async function insertErrors(tx: Db, id: number, errors: readonly StoredError[]): Promise<void> {
  const values = errors.map((error) => ({ import_id: id, ...error }));
  for (let start = 0; start < values.length; start += ERRORS_AT_ONCE) {
    await tx
      .insertInto('import_errors')
      .values(values.slice(start, start + ERRORS_AT_ONCE))
      .execute();
  }
}

/** Errors after a given row, in the order of the rows; the errors of one row are together. */
export const listErrors = (db: Db, id: number, afterRow: number, limit: number) =>
  db
    .selectFrom('import_errors')
    .select(['row', 'field', 'message', 'code', 'position'])
    .where('import_id', '=', id)
    .where('row', '>', afterRow)
    .orderBy('row')
    .orderBy('part')
    .limit(limit)
    .execute();

/** The outcomes so far, with the first errors. */
async function countsOf(db: Db, row: ImportRow) {
  const errors = await listErrors(db, row.id, 0, IMPORT_ERRORS_SHOWN);
  const { total } = await db
    .selectFrom('import_errors')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('import_id', '=', row.id)
    .executeTakeFirstOrThrow();
  return {
    unchanged: row.unchanged,
    errors: errors.map(({ row: number, field, message, code }) => ({ row: number, field, message, code })),
    rows_with_errors: row.failed,
    errors_total: total,
  };
}

/**
 * The result of a finished check.
 * @param orders the order of each column of days
 * @param newClients how many clients the run will make
 */
export async function forecastOf(
  db: Db,
  row: ImportRow,
  orders: FoundOrders,
  newClients: number,
): Promise<ImportForecast> {
  return {
    to_create: row.created,
    to_update: row.updated,
    new_clients: newClients,
    ...ordersInAnswer(orders),
    ...findingsInAnswer(JSON.parse(row.findings)),
    ...(await countsOf(db, row)),
  };
}

/** The states before the run, in which the counters are the check's. */
const BEFORE_RUN = ['uploaded', 'checking', 'checked'];

/** The states in which an import may have stored rows and can be undone. */
export const UNDOABLE: readonly ImportState[] = ['done', 'cancelled', 'failed'];

/** A stored forecast; one of an earlier version has no findings, no orders of days, and errors without a code. */
export function readForecast(text: string): ImportForecast {
  const stored = JSON.parse(text) as ImportForecast;
  return {
    ...{ new_clients: 0, date_orders: {}, date_orders_assumed: [], date_orders_mixed: [] },
    ...findingsInAnswer([]),
    ...stored,
    errors: stored.errors.map((error) => ({ ...error, code: error.code ?? 'invalid' })),
  };
}

/** How the file is read, for an answer: with the columns and the first rows in each encoding to choose from. */
export async function readingInAnswer(
  kind: ImportKind,
  source: ImportSource | undefined,
  rows: () => Promise<readonly SheetRow[]>,
): Promise<Pick<ImportProgress, 'encoding' | 'encodings' | 'sheets' | 'sheet'>> {
  if (!source) return { encoding: null, encodings: [], sheets: [], sheet: null };
  const { encoding, choices, headers, sheets, sheet } = source;
  const first = choices.length > 0 ? await rows() : [];
  const encodings = choices.map(async (choice) => {
    const read = await readerOf(source, choice.encoding);
    const { columns, sample } = headOf(kind, headers.map(read), readRows(first, read));
    return { ...choice, columns, rows: sample };
  });
  return { encoding, encodings: await Promise.all(encodings), sheets, sheet };
}

/** The answer about an import. */
export async function toProgress(db: Db, row: ImportRow): Promise<ImportProgress> {
  const hasRun = !BEFORE_RUN.includes(row.state);
  return {
    id: row.id,
    kind: row.kind,
    columns: JSON.parse(row.columns),
    sample: JSON.parse(row.sample),
    rows: row.total,
    mapping: JSON.parse(row.mapping),
    warnings: JSON.parse(row.warnings),
    ...(await readingInAnswer(row.kind, optionsOf(row).source, () => firstRows(db, row.id))),
    state: row.state,
    mode: row.mode,
    chosen: chosenInAnswer(row),
    total: row.total,
    done: row.done,
    check: row.forecast === null ? null : readForecast(row.forecast),
    result: hasRun
      ? {
          created: row.created,
          updated: row.updated,
          new_clients: newClientsIn(JSON.parse(row.findings)),
          ...(await countsOf(db, row)),
        }
      : null,
    created_at: row.created_at,
    finished_at: row.finished_at,
    undo_until: UNDOABLE.includes(row.state) && row.created + row.updated > 0 ? row.undo_until : null,
    undo_asked_at: row.undo_asked_at,
  };
}

/** Deletes imports {@link IMPORT_KEPT_DAYS} days after their end, or after the upload if they were never run. */
export async function deletePastImports(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - IMPORT_KEPT_DAYS * DAY_MS).toISOString();
  await db
    .deleteFrom('imports')
    .where('created_at', '<', limit)
    .where((eb) => eb.or([eb('finished_at', '<', limit), eb('state', 'in', ['uploaded', 'checked'])]))
    .execute();
}
