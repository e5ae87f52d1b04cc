import { setTimeout as sleep } from 'node:timers/promises';
import type { RowError } from '../../../contract/base/errors.ts';
import { IMPORT_ERRORS_SHOWN, IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { AppContext } from '../../context.ts';
import { readsInProcess } from '../../db/dialect.ts';
import type { ImportRow } from '../../db/tables.ts';
import { AppError, conflict, forbidden } from '../../errors.ts';
import { actorColumns, type Scope } from '../../scope.ts';
import { type Change, countChanges, listChanges } from './import-changes.ts';
import { importJob } from './import-job.ts';
import { deleteErrors, lockExisting, UNDOABLE, updateImport } from './imports.queries.ts';
import { type Hindrance, hindrancesOf } from './undo-hindrances.ts';

/** Begins to undo an import (INPUT-07). */

/** Records that are looked at in one step, in the call. */
const LOOKED_AT_ONCE = 100;
/**
 * Whether an import is to be undone.
 * @returns false if it is undone already, or about to be
 * @throws conflict (409) before its end, AppError 409 not_undoable when it ended too long ago
 */
function isToUndo({ state, undo_asked_at, undo_until }: ImportRow, now: Date): boolean {
  if (undo_asked_at !== null) return false;
  if (!UNDOABLE.includes(state)) throw conflict(IMPORT_MESSAGES.notOver);
  if (undo_until === null || undo_until <= now.toISOString()) {
    throw new AppError(409, 'not_undoable', { message: IMPORT_MESSAGES.undoTooLate, rows: [] });
  }
  return true;
}

/**
 * Looks at everything that an import wrote, in steps, before it is undone.
 * @throws forbidden (403) to who may not delete what it created, or write what it changed; AppError 409 not_undoable
 * with the first rows that prevent it; and as {@link isToUndo}
 */
export async function lookBeforeUndo(
  context: AppContext,
  row: ImportRow,
  permissions: ReadonlySet<Permission>,
): Promise<void> {
  const { db } = context;
  if (!isToUndo(row, context.now())) return;
  const rows: RowError[] = [];
  let count = 0;
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const started = performance.now();
    const changes = await listChanges(db, row.id, below, LOOKED_AT_ONCE);
    if (changes.length === 0) break;
    below = changes.at(-1)!.part;
    const isForbidden = ({ kind, before }: Change) =>
      !permissions.has(`${kind}:${before ? 'write' : 'delete'}`);
    if (changes.some(isForbidden)) throw forbidden();
    const own = changes.filter(({ kind }) => kind === row.kind);
    const found = await hindrancesOf(db, row.id, own, context.now());
    count += found.size;
    // From the last to the first, so the ones to show are the last that are found.
    rows.push(...own.flatMap((change) => errorsOf(change, found.get(change.part))));
    rows.splice(0, rows.length - IMPORT_ERRORS_SHOWN);
    if (readsInProcess(db)) await sleep(performance.now() - started);
  }
  if (count > 0) {
    const first = rows.toSorted((one, other) => one.row - other.row);
    throw new AppError(409, 'not_undoable', { message: IMPORT_MESSAGES.cannotUndo(count), rows: first });
  }
}

const errorsOf = ({ row }: Change, found: Hindrance | undefined): RowError[] =>
  found ? [{ row, ...found }] : [];

/**
 * Begins to undo an import that was looked at. A repeated call changes nothing.
 * @throws notFound (404), and as {@link isToUndo}
 */
export async function startUndo(scope: Scope, id: number): Promise<void> {
  const row = await lockExisting(scope, id);
  if (!isToUndo(row, scope.now)) return;
  await deleteErrors(scope.tx, id);
  await updateImport(scope.tx, id, {
    ...actorColumns(scope),
    state: 'waiting',
    done: Math.max(0, row.total - (await countChanges(scope.tx, id))),
    failed: 0,
    next_position: 0,
    finished_at: null,
    undo_asked_at: scope.now.toISOString(),
  });
  await importJob.enqueue(scope, { import: id });
}
