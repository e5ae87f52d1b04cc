import { setImmediate as letOthersRun } from 'node:timers/promises';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES, type ImportError, type ImportMode } from '../../../contract/imports/imports.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import type { Db, ImportRow } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { toAppError } from '../../http/error-handler.ts';
import type { JobLog } from '../../jobs/define-job.ts';
import type { Scope } from '../../scope.ts';
import { clientRows } from './client-rows.ts';
import { DateOrders, type FoundOrders, withOrders } from './date-orders.ts';
import { addFindings, type Findings } from './findings.ts';
import type { ChangeLog } from './import-changes.ts';
import { fileKindOf, optionsOf } from './import-options.ts';
import { readChunks } from './imports.queries.ts';
import { licenseRows } from './license-rows.ts';
import { findLikelyDuplicates } from './likely-duplicates.ts';
import type { SheetRow } from './read-sheet.ts';
import type { LookedUp, RowKind } from './row-kind.ts';
import { addFinding, type Reading, ROW_MESSAGES, type RowValues, readingOf, readRow } from './row-values.ts';
import { softwareRows } from './software-rows.ts';
import { leaveUnchanged, withWrittenKeys } from './unchanged-cells.ts';

/** The part that is the same in the check and the run of an import: how rows are processed. */

const ROW_KINDS: Record<ImportKind, RowKind> = {
  clients: clientRows,
  software: softwareRows,
  licenses: licenseRows,
};

/** How to run an import: the caller's choices, and facts about the whole file. */
export type Plan = {
  kind: ImportKind;
  mode: ImportMode;
  notify: boolean;
  reading: Reading;
  /** The order in which each column of days is read. */
  orders: FoundOrders;
  /** Whether licences make their missing clients (INPUT-20). */
  createClients: boolean;
  /** Whether clients get the phones of their country that were meant (INPUT-02). */
  fixPhones: boolean;
  /** Whether the check tells which clients may exist already (INPUT-19). */
  findDuplicates: boolean;
  /** The rows whose key already occurs in an earlier row, each with the number of that row. */
  repeats: ReadonlyMap<number, number>;
};

/** The outcome of some rows. */
export type Outcome = {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  errors: ImportError[];
  findings: Findings;
};

/** Chunks that are read at a time in the search for repeated keys. */
const CHUNKS_AT_ONCE = 20;

/**
 * The plan of an import. The whole file is read once to find keys that occur twice, and the order of days in each
 * column. Without repeated keys no row depends on another, so each can be processed alone.
 */
export async function planOf(db: Db, row: ImportRow): Promise<Plan> {
  const mapping = JSON.parse(row.mapping) as ImportMapping;
  const columns = JSON.parse(row.columns) as string[];
  const {
    date_orders,
    values,
    create_clients = false,
    fix_phones = true,
    find_duplicates = false,
  } = optionsOf(row);
  const reading = readingOf(row.kind, fileKindOf(row), columns, mapping, values);
  const orders = new DateOrders(columns, reading, date_orders);
  const { keyOf } = ROW_KINDS[row.kind];
  const keyFields = IMPORT_FIELDS[row.kind].filter(({ key }) => key);
  const ofKeys: Reading = {
    ...reading,
    columns: Number.POSITIVE_INFINITY,
    filled: reading.filled.filter(({ field }) => keyFields.includes(field)),
    constants: reading.constants.filter(({ field }) => keyFields.includes(field)),
  };
  const firstRows = new Map<string, number>();
  const repeats = new Map<number, number>();
  for (let from = 0; from < row.total; ) {
    const chunks = await readChunks(db, row, from, CHUNKS_AT_ONCE);
    for (const sheetRow of chunks.flatMap(({ rows }) => rows)) {
      orders.add(sheetRow);
      const key = keyOf(readRow(ofKeys, sheetRow));
      const first = key === null ? undefined : firstRows.get(key);
      if (first !== undefined) repeats.set(sheetRow[0], first);
      else if (key !== null) firstRows.set(key, sheetRow[0]);
      from += 1;
    }
    // There are no chunks if the import was deleted meanwhile.
    if (chunks.length === 0) break;
    await letOthersRun();
  }
  const found = orders.found();
  return {
    ...{ kind: row.kind, mode: row.mode ?? 'create', notify: row.notify, repeats },
    reading: withOrders(reading, columns, found),
    orders: found,
    createClients: create_clients && row.kind === 'licenses',
    fixPhones: fix_phones,
    findDuplicates: find_duplicates,
  };
}

type ReadRow = { number: number; row: RowValues; cells: SheetRow };

/** Collects the outcomes of rows. */
class Tally {
  readonly outcome: Outcome = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], findings: [] };
  readonly #kind: ImportKind;
  readonly #log: Pick<JobLog, 'error'>;

  constructor(kind: ImportKind, log: Pick<JobLog, 'error'>) {
    this.#kind = kind;
    this.#log = log;
  }

  /**
   * Records the error of a row.
   * @throws the database's error when it cannot be reached
   */
  fail(number: number, error: unknown): void {
    const known = toAppError(error);
    if (known.status === 503) throw error;
    if (known.status >= 500) this.#log.error({ err: error, kind: this.#kind, row: number }, 'una fila falló');
    this.outcome.failed += 1;
    const faults = known.faults ?? { '': [{ code: known.code, message: known.message }] };
    for (const [field, found] of Object.entries(faults)) {
      for (const { code, message } of found) {
        this.outcome.errors.push({ row: number, field: field || null, message, code });
      }
    }
  }
}

/**
 * The id of the record that a row changes, undefined for a new record.
 * @throws invalid (400) if the mode does not allow the row
 */
function recordOf({ keyField, keyOf, unknown }: RowKind, mode: ImportMode, known: LookedUp, row: RowValues) {
  // A new record whose key is taken is refused later, by the rules of its kind.
  if (mode === 'create') return undefined;
  const hasKey = keyOf(row) !== null;
  if (!hasKey && mode === 'update')
    throw invalid({ [keyField]: [fault('required', ROW_MESSAGES.keyMissing)], ...row.errors });
  const id = hasKey ? known.find(row) : undefined;
  if (id === undefined && mode === 'update')
    throw invalid({ [keyField]: [fault('unknown_reference', unknown)] });
  return id;
}

/**
 * Creates the records of rows with a few statements for all. If the database refuses these, each row is created
 * separately.
 */
async function createRows(
  scope: Scope,
  { notify }: Pick<Plan, 'notify'>,
  known: LookedUp,
  fresh: ReadRow[],
  tally: Tally,
  changes: ChangeLog | undefined,
): Promise<void> {
  if (fresh.length === 0) return;
  try {
    const made = await inSavepoint(scope.tx, () =>
      known.createAll(
        fresh.map(({ row }) => row),
        { notify },
      ),
    );
    for (const [index, one] of made.entries()) {
      const { number, row } = fresh[index]!;
      if (one instanceof AppError) tally.fail(number, one);
      else {
        tally.outcome.created += 1;
        // Before its licence, so that an undo deletes the licence first.
        if (row.newClient !== undefined) changes?.wrote(number, row.newClient, 'clients');
        changes?.wrote(number, one);
      }
    }
  } catch (error) {
    const [first, ...others] = fresh;
    if (others.length === 0) return tally.fail(first!.number, error);
    if (toAppError(error).status === 503) throw error;
    for (const one of fresh) await createRows(scope, { notify }, known, [one], tally, changes);
  }
}

/** Creates the records of rows. A check also tells of those that it could store which client each may be. */
async function createFresh(
  scope: Scope,
  plan: Plan,
  known: LookedUp,
  fresh: ReadRow[],
  tally: Tally,
  changes: ChangeLog | undefined,
): Promise<void> {
  const rows = changes || !plan.findDuplicates ? [] : fresh.map(({ row }) => row);
  const likely = await findLikelyDuplicates(scope.tx, plan.kind, known, rows);
  await createRows(scope, plan, known, fresh, tally, changes);
  const failed = new Set(tally.outcome.errors.map(({ row }) => row));
  for (const { number, row } of fresh) {
    const duplicate = failed.has(number) ? undefined : likely.get(row);
    if (duplicate) addFinding(row, duplicate);
  }
}

/**
 * Stores rows. A row that fails changes nothing and does not stop the others. No row depends on another, so changed
 * records are stored first, and then all new ones together.
 * @param changes gets what is written; absent where it is taken back
 * @throws the database's error when it cannot be reached
 */
export async function importRows(
  scope: Scope,
  plan: Plan,
  rows: readonly SheetRow[],
  log: Pick<JobLog, 'error'>,
  changes?: ChangeLog,
): Promise<Outcome> {
  const { kind, mode, reading, repeats } = plan;
  const rowKind = ROW_KINDS[kind];
  const tally = new Tally(kind, log);
  const read: ReadRow[] = [];
  const readable: ReadRow[] = [];
  for (const sheetRow of rows) {
    const [number] = sheetRow;
    try {
      const row = withWrittenKeys(kind, reading, readRow(reading, sheetRow), sheetRow);
      const one = { number, row, cells: sheetRow };
      read.push(one);
      const first = repeats.get(number);
      if (first !== undefined)
        throw invalid({ [rowKind.keyField]: [fault('taken', IMPORT_MESSAGES.repeated(first))] });
      readable.push(one);
    } catch (error) {
      tally.fail(number, error);
    }
  }
  const known = await rowKind.lookUp(
    scope,
    readable.map(({ row }) => row),
    plan,
  );
  const fresh: ReadRow[] = [];
  const existing: (ReadRow & { id: number })[] = [];
  for (const one of readable) {
    try {
      const id = recordOf(rowKind, mode, known, one.row);
      if (id === undefined) fresh.push(one);
      else existing.push({ ...one, id });
    } catch (error) {
      tally.fail(one.number, error);
    }
  }
  await leaveUnchanged(scope, kind, reading, existing);
  await changes?.remember(existing.map(({ id }) => id));
  for (const { number, row, id } of existing) {
    try {
      const isChanged = await inSavepoint(scope.tx, () => known.update(id, row));
      tally.outcome[isChanged ? 'updated' : 'unchanged'] += 1;
      if (row.newClient !== undefined) changes?.wrote(number, row.newClient, 'clients');
      if (isChanged) changes?.wrote(number, id);
    } catch (error) {
      tally.fail(number, error);
    }
  }
  await createFresh(scope, plan, known, fresh, tally, changes);
  tally.outcome.errors.sort((a, b) => a.row - b.row);
  // Storing a row may find something too: a missing phone, a client that was made.
  for (const { number, row } of read) addFindings(tally.outcome.findings, number, row.findings);
  return tally.outcome;
}
