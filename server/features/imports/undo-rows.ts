import { inSavepoint } from '../../db/savepoint.ts';
import type { ImportRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { toAppError } from '../../http/error-handler.ts';
import type { JobLog } from '../../jobs/define-job.ts';
import type { Scope } from '../../scope.ts';
import { type Change, deleteChanges, listChanges } from './import-changes.ts';
import type { StoredError } from './imports.queries.ts';
import { type Hindrance, hindrancesOf } from './undo-hindrances.ts';
import { UNDO_KINDS } from './undo-kinds.ts';

/** Undoes what an import wrote: created records are deleted, changed ones get their earlier values (INPUT-07). */

/** Records that are undone in one transaction; on SQLite all requests wait for it. */
const UNDONE_AT_ONCE = 25;

/**
 * What became of some records: how many were tried, deleted and restored, and why others stay as they are.
 * `clientsDeleted` are clients that licences made.
 */
type Undone = {
  tried: number;
  deleted: number;
  restored: number;
  clientsDeleted: number;
  rowsKept: number;
  errors: StoredError[];
};

/**
 * Undoes the last records that an import wrote and that are not undone yet. In this order, each finds the database as
 * the import left it: an external id that a later row took is free again. A record that changed after the look stays.
 * @returns undefined if none is left
 * @throws the database's error when it cannot be reached
 */
export async function undoSome(
  scope: Scope,
  { id, kind }: ImportRow,
  log: Pick<JobLog, 'error'>,
): Promise<Undone | undefined> {
  const { tx } = scope;
  const changes = await listChanges(tx, id, Number.MAX_SAFE_INTEGER, UNDONE_AT_ONCE);
  if (changes.length === 0) return undefined;
  for (const name of new Set(changes.map((change) => change.kind))) {
    const ids = changes.filter((change) => change.kind === name).map((change) => change.id);
    await UNDO_KINDS[name].lock(tx, ids);
  }
  const found = await hindrancesOf(tx, id, changes, scope.now);
  const undone: Undone = {
    ...{ tried: changes.length, deleted: 0, restored: 0, clientsDeleted: 0, rowsKept: 0 },
    errors: [],
  };
  const keep = ({ row, position, part }: Change, why: Hindrance) =>
    undone.errors.push({ row, position, part, ...why });
  for (const change of changes) {
    const hindrance = found.get(change.part);
    if (hindrance) {
      keep(change, hindrance);
      continue;
    }
    try {
      await inSavepoint(tx, () => undoOne(scope, change));
      if (change.kind !== kind) undone.clientsDeleted += 1;
      else undone[change.before ? 'restored' : 'deleted'] += 1;
    } catch (error) {
      const { status, code, message } = toAppError(error);
      if (status === 503) throw error;
      if (status >= 500) log.error({ err: error, import: id, row: change.row }, 'una fila no se deshizo');
      keep(change, { field: null, code, message });
    }
  }
  undone.rowsKept = new Set(undone.errors.map(({ row }) => row)).size;
  await deleteChanges(
    tx,
    id,
    changes.map(({ part }) => part),
  );
  return undone;
}

async function undoOne(scope: Scope, { kind, id, before }: Change): Promise<void> {
  const { remove, restore } = UNDO_KINDS[kind];
  if (before) return restore(scope, id, before);
  try {
    await remove(scope, id);
  } catch (error) {
    // Somebody has deleted it already.
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
}
