import { IMPORT_FIELDS, type ImportKind } from '../../../contract/import-fields.ts';
import type { ImportMapping } from '../../../contract/import-mapping.ts';
import { IMPORT_MESSAGES, type ImportError, type ImportMode } from '../../../contract/imports.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import type { Db, ImportRow } from '../../db/tables.ts';
import { fault, invalid } from '../../errors.ts';
import { toAppError } from '../../http/error-handler.ts';
import type { JobLog } from '../../jobs/define-job.ts';
import type { Scope } from '../../scope.ts';
import { clientRows } from './client-rows.ts';
import { readChunks } from './imports.queries.ts';
import { licenseRows } from './license-rows.ts';
import type { SheetRow } from './read-sheet.ts';
import type { RowKind } from './row-kind.ts';
import { type Reading, ROW_MESSAGES, readingOf, readRow } from './row-values.ts';
import { softwareRows } from './software-rows.ts';

/** What the check and the run do alike with the rows of a file. */

const ROW_KINDS: Record<ImportKind, RowKind> = {
  clients: clientRows,
  software: softwareRows,
  licenses: licenseRows,
};

/** How an import is done: as it was asked for, and what is known of the whole file. */
export type Plan = {
  kind: ImportKind;
  mode: ImportMode;
  notify: boolean;
  reading: Reading;
  /** The rows whose key an earlier row has, each with the number of that row. */
  repeats: ReadonlyMap<number, number>;
};

/** What became of some rows. */
export type Outcome = {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  errors: ImportError[];
};

/** Chunks that are read at a time while repeated keys are looked for. */
const CHUNKS_AT_ONCE = 20;

/**
 * The plan of an import. The file is read once for keys that it has twice: then no row depends on another one, and
 * each can be tried alone.
 */
export async function planOf(db: Db, row: ImportRow): Promise<Plan> {
  const mapping = JSON.parse(row.mapping) as ImportMapping;
  const reading = readingOf(row.kind, JSON.parse(row.columns) as string[], mapping);
  const { keyOf } = ROW_KINDS[row.kind];
  const keyFields = IMPORT_FIELDS[row.kind].filter(({ key }) => key);
  const ofKeys: Reading = {
    columns: Number.POSITIVE_INFINITY,
    filled: reading.filled.filter(({ field }) => keyFields.includes(field)),
  };
  const firstRows = new Map<string, number>();
  const repeats = new Map<number, number>();
  for (let from = 0; from < row.total; ) {
    const chunks = await readChunks(db, row.id, from, CHUNKS_AT_ONCE);
    for (const sheetRow of chunks.flatMap(({ rows }) => rows)) {
      const key = keyOf(readRow(ofKeys, sheetRow));
      const first = key === null ? undefined : firstRows.get(key);
      if (first !== undefined) repeats.set(sheetRow[0], first);
      else if (key !== null) firstRows.set(key, sheetRow[0]);
      from += 1;
    }
    // An import that was deleted meanwhile has no rows.
    if (chunks.length === 0) break;
  }
  return { kind: row.kind, mode: row.mode ?? 'create', notify: row.notify, reading, repeats };
}

/** Stores one row. @throws AppError naming what is wrong with it */
async function importRow(
  scope: Scope,
  { kind, mode, notify, reading, repeats }: Plan,
  sheetRow: SheetRow,
): Promise<'created' | 'updated' | 'unchanged'> {
  const rows = ROW_KINDS[kind];
  const row = readRow(reading, sheetRow);
  const first = repeats.get(sheetRow[0]);
  if (first !== undefined)
    throw invalid({ [rows.keyField]: [fault('taken', IMPORT_MESSAGES.repeated(first))] });
  // A new record is refused by its own call where its key is taken.
  if (mode !== 'create') {
    const hasKey = rows.keyOf(row) !== null;
    if (!hasKey && mode === 'update') {
      throw invalid({ [rows.keyField]: [fault('required', ROW_MESSAGES.keyMissing)], ...row.errors });
    }
    const id = hasKey ? await rows.find(scope, row) : undefined;
    if (id !== undefined) return (await rows.update(scope, id, row)) ? 'updated' : 'unchanged';
    if (mode === 'update') throw invalid({ [rows.keyField]: [fault('unknown_reference', rows.unknown)] });
  }
  await rows.create(scope, row, { notify });
  return 'created';
}

/**
 * Stores rows, each for itself: one that fails changes nothing and stops no other.
 * @throws the database's error when it cannot be reached
 */
export async function importRows(
  scope: Scope,
  plan: Plan,
  rows: readonly SheetRow[],
  log: Pick<JobLog, 'error'>,
): Promise<Outcome> {
  const outcome: Outcome = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] };
  for (const sheetRow of rows) {
    try {
      const did = await inSavepoint(scope.tx, () => importRow(scope, plan, sheetRow));
      outcome[did] += 1;
    } catch (error) {
      const known = toAppError(error);
      if (known.status === 503) throw error;
      if (known.status >= 500) log.error({ err: error, kind: plan.kind, row: sheetRow[0] }, 'una fila falló');
      outcome.failed += 1;
      const { errors = { '': [known.message] } } = known.toBody();
      for (const [field, messages] of Object.entries(errors)) {
        for (const message of messages)
          outcome.errors.push({ row: sheetRow[0], field: field || null, message });
      }
    }
  }
  return outcome;
}
