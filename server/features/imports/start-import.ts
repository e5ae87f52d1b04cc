import type { FieldFault } from '../../../contract/base/field-errors.ts';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import {
  type ImportMapping,
  missingFields,
  suggestMapping,
} from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES, IMPORT_ROWS_AT_ONCE, type ImportMode } from '../../../contract/imports/imports.ts';
import type { ImportRow } from '../../db/tables.ts';
import { conflict, fault, invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { importJob } from './import-job.ts';
import { atItsStart, deleteErrors, lockExisting, UNDOABLE, updateImport } from './imports.queries.ts';
import { labelOf } from './read-sheet.ts';
import { finishRun } from './work-through.ts';

const isOver = ({ state }: ImportRow) => state === 'undone' || UNDOABLE.includes(state);

/** The errors in a mapping; empty if it can be used. */
function mappingFaults(
  kind: ImportKind,
  columns: readonly string[],
  mapping: ImportMapping,
  mode: ImportMode,
): FieldFault[] {
  const fields = Object.values(mapping).filter((field) => field !== null);
  const times = Map.groupBy(fields, (field) => field);
  const headers = new Set(columns);
  const known = new Set(IMPORT_FIELDS[kind].map(({ name }) => name));
  const faults = Object.keys(mapping)
    .filter((column) => !headers.has(column))
    .map((column) => fault('unknown_reference', IMPORT_MESSAGES.unknownColumn(column)));
  for (const [field, named] of times) {
    if (!known.has(field)) {
      faults.push(fault('unknown_reference', IMPORT_MESSAGES.unknownField(field)));
    } else if (named.length > 1) {
      faults.push(fault('not_allowed', IMPORT_MESSAGES.fieldTwice(labelOf(kind, field))));
    }
  }
  const missing = missingFields(kind, mapping, mode).map(({ label }) => label);
  if (missing.length > 0) faults.push(fault('required', IMPORT_MESSAGES.noField(missing.join(', '))));
  return faults;
}

/**
 * Begins the check of an import: of a small file at once in the call, of a larger one by a job. Without a mapping in
 * the call, the mapping that the upload suggested is used, even if an earlier check used another (D138).
 * @returns whether a job does it
 * @throws notFound (404), invalid (400) with `errors.mapping`, conflict (409) for an import that is running or has
 * ended
 */
export async function startCheck(
  scope: Scope,
  id: number,
  { mapping: sent, mode }: { mapping?: ImportMapping | undefined; mode: ImportMode },
): Promise<{ byJob: boolean }> {
  const row = await lockExisting(scope, id);
  if (isOver(row)) throw conflict(IMPORT_MESSAGES.isOver);
  if (row.state !== 'uploaded' && row.state !== 'checked') throw conflict(IMPORT_MESSAGES.isBusy);
  const columns = JSON.parse(row.columns) as string[];
  const mapping = sent ?? suggestMapping(row.kind, columns, JSON.parse(row.sample) as string[][]);
  const faults = mappingFaults(row.kind, columns, mapping, mode);
  if (faults.length > 0) throw invalid({ mapping: faults });
  await deleteErrors(scope.tx, id);
  // The stored mapping contains every column, in the order of the file.
  const whole = Object.fromEntries(columns.map((column) => [column, mapping[column] ?? null]));
  await updateImport(scope.tx, id, {
    ...atItsStart(scope),
    state: 'checking',
    mapping: JSON.stringify(whole),
    mode,
    notify: false,
    forecast: null,
  });
  const byJob = row.total > IMPORT_ROWS_AT_ONCE;
  if (byJob) await importJob.enqueue(scope, { import: id });
  return { byJob };
}

/**
 * Begins the run of a checked import. A repeated call for an import that runs or has run changes nothing.
 * @throws notFound (404), conflict (409) for one that is not checked or was cancelled
 */
export async function startRun(scope: Scope, id: number, { notify }: { notify: boolean }): Promise<void> {
  const row = await lockExisting(scope, id);
  if (row.state === 'waiting' || row.state === 'running' || row.state === 'done') return;
  if (isOver(row)) throw conflict(IMPORT_MESSAGES.isOver);
  if (row.state !== 'checked') throw conflict(IMPORT_MESSAGES.notChecked);
  await deleteErrors(scope.tx, id);
  await updateImport(scope.tx, id, { ...atItsStart(scope), state: 'waiting', notify });
  await importJob.enqueue(scope, { import: id });
}

/**
 * Stops an import. Rows that were stored stay stored; a check that was stopped can begin again.
 * @throws notFound (404), conflict (409) for one that is done or failed
 */
export async function cancelImport(scope: Scope, id: number): Promise<void> {
  const row = await lockExisting(scope, id);
  if (row.state === 'cancelled') return;
  if (isOver(row) || row.undo_asked_at !== null) throw conflict(IMPORT_MESSAGES.isOver);
  if (row.state === 'checking') await updateImport(scope.tx, id, { state: 'uploaded' });
  else if (row.state === 'waiting' || row.state === 'running') await finishRun(scope, row, 'cancelled');
  else {
    await deleteErrors(scope.tx, id);
    const ended = { state: 'cancelled' as const, finished_at: scope.now.toISOString() };
    await updateImport(scope.tx, id, { ...atItsStart(scope), ...ended });
  }
}
