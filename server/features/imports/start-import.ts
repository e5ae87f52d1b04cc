import type { FieldFault, FieldFaults } from '../../../contract/base/field-errors.ts';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, missingFields } from '../../../contract/imports/import-mapping.ts';
import {
  type Encoding,
  IMPORT_MESSAGES,
  IMPORT_ROWS_AT_ONCE,
  type ImportMode,
} from '../../../contract/imports/imports.ts';
import type { ImportRow } from '../../db/tables.ts';
import { conflict, fault, invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { changeEncoding } from './change-encoding.ts';
import { byRow, type Cells, correctedCells } from './corrected-cells.ts';
import { importJob } from './import-job.ts';
import { type ImportOptions, optionsOf, withOptions } from './import-options.ts';
import { atItsStart, deleteErrors, lockExisting, UNDOABLE, updateImport } from './imports.queries.ts';
import { readCell } from './read-cell.ts';
import { labelOf } from './read-sheet.ts';
import { finishRun } from './work-through.ts';

const isOver = ({ state }: ImportRow) => state === 'undone' || UNDOABLE.includes(state);

/** The errors in a mapping; empty if it can be used. */
function mappingFaults(
  kind: ImportKind,
  columns: readonly string[],
  mapping: ImportMapping,
  mode: ImportMode,
  values: Readonly<Record<string, string>>,
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
  const missing = missingFields(kind, mapping, mode, values).map(({ label }) => label);
  if (missing.length > 0) faults.push(fault('required', IMPORT_MESSAGES.noField(missing.join(', '))));
  return faults;
}

/** The errors in the values for all rows that a call gave; empty if they can be used. */
function valueFaults(
  kind: ImportKind,
  mapping: ImportMapping,
  values: Readonly<Record<string, string>>,
): FieldFault[] {
  const mapped = new Set(Object.values(mapping));
  return Object.entries(values).flatMap(([name, text]) => {
    const field = IMPORT_FIELDS[kind].find((one) => one.name === name);
    if (!field) return fault('unknown_reference', IMPORT_MESSAGES.unknownField(name));
    const cell = readCell(field, text);
    if (cell.kind === 'left') return [];
    if (mapped.has(name)) return fault('not_allowed', IMPORT_MESSAGES.valueAndColumn(field.label));
    if (cell.kind !== 'wrong') return [];
    return fault(cell.code, IMPORT_MESSAGES.unreadableValue(field.label, cell.message));
  });
}

/** The errors in the orders of days that a call chose; empty if they can be used. */
const orderFaults = (columns: readonly string[], orders: Readonly<Record<string, unknown>>): FieldFault[] =>
  Object.keys(orders)
    .filter((column) => !columns.includes(column))
    .map((column) => fault('unknown_reference', IMPORT_MESSAGES.unknownColumn(column)));

/** @throws invalid (400) if one of the fields has errors */
function refuse(faults: FieldFaults): void {
  const wrong = Object.entries(faults).filter(([, found]) => found.length > 0);
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
}

/** What a call says about how the file is read and completed. */
export type Choices = Pick<ImportOptions, 'date_orders' | 'values' | 'create_clients' | 'fix_phones'> & {
  encoding?: Encoding | undefined;
};

/**
 * Begins the check of an import: of a small file at once in the call, of a larger one by a job. Without a mapping in
 * the call, the mapping that the upload suggested is used, even if an earlier check used another (D138).
 * @param choices.find_duplicates whether the caller may read clients
 * @returns whether a job does it
 * @throws notFound (404), invalid (400) with the choice that is wrong, conflict (409) for an import that is running or
 * has ended
 */
export async function startCheck(
  scope: Scope,
  id: number,
  {
    mapping: given,
    mode,
    encoding,
    date_orders,
    values,
    create_clients,
    fix_phones,
    cells,
    find_duplicates,
  }: {
    mapping?: ImportMapping | undefined;
    mode: ImportMode;
    cells?: Cells | undefined;
    find_duplicates: boolean;
  } & Choices,
): Promise<{ byJob: boolean }> {
  const stored = await lockExisting(scope, id);
  if (isOver(stored)) throw conflict(IMPORT_MESSAGES.isOver);
  if (stored.state !== 'uploaded' && stored.state !== 'checked') throw conflict(IMPORT_MESSAGES.isBusy);
  const { row, renamed } = await changeEncoding(scope, stored, encoding);
  const columns = JSON.parse(row.columns) as string[];
  const options = optionsOf(row);
  // An upload of an earlier version has no suggestion of its own; its mapping is the suggested one until its check.
  const mapping = given ? renamed(given) : (options.suggested ?? (JSON.parse(row.mapping) as ImportMapping));
  const orders = date_orders && renamed(date_orders);
  refuse({
    mapping: mappingFaults(row.kind, columns, mapping, mode, values ?? options.values ?? {}),
    values: valueFaults(row.kind, mapping, values ?? {}),
    date_orders: orderFaults(columns, orders ?? {}),
  });
  const corrected = cells && (await correctedCells(scope, row, columns, byRow(cells, renamed)));
  await deleteErrors(scope.tx, id);
  // The stored mapping contains every column, in the order of the file.
  const whole = Object.fromEntries(columns.map((column) => [column, mapping[column] ?? null]));
  await updateImport(scope.tx, id, {
    ...atItsStart(scope),
    state: 'checking',
    mapping: JSON.stringify(whole),
    options: withOptions(row, {
      ...{ date_orders: orders, values, create_clients, fix_phones, find_duplicates },
      cells: corrected,
    }),
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
 * @throws notFound (404), invalid (400) with `errors.encoding` or `errors.values`, conflict (409) for one that is not
 * checked or was cancelled
 */
export async function startRun(
  scope: Scope,
  id: number,
  {
    notify,
    encoding,
    values,
    create_clients,
    fix_phones,
  }: { notify: boolean } & Omit<Choices, 'date_orders'>,
): Promise<void> {
  const stored = await lockExisting(scope, id);
  if (stored.state === 'waiting' || stored.state === 'running' || stored.state === 'done') return;
  if (isOver(stored)) throw conflict(IMPORT_MESSAGES.isOver);
  if (stored.state !== 'checked') throw conflict(IMPORT_MESSAGES.notChecked);
  const { row } = await changeEncoding(scope, stored, encoding);
  const mapping = JSON.parse(row.mapping) as ImportMapping;
  const columns = JSON.parse(row.columns) as string[];
  if (values)
    refuse({
      mapping: mappingFaults(row.kind, columns, mapping, row.mode ?? 'create', values),
      values: valueFaults(row.kind, mapping, values),
    });
  await deleteErrors(scope.tx, id);
  await updateImport(scope.tx, id, {
    ...atItsStart(scope),
    state: 'waiting',
    notify,
    options: withOptions(row, { values, create_clients, fix_phones }),
  });
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
