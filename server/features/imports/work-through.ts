import { setTimeout as sleep } from 'node:timers/promises';
import { LABELS } from '../../../contract/base/labels.ts';
import { IMPORT_UNDO_HOURS, isImportBusy } from '../../../contract/imports/imports.ts';
import type { AppContext } from '../../context.ts';
import { readsInProcess } from '../../db/dialect.ts';
import type { ImportRow } from '../../db/tables.ts';
import type { JobLog, JobRun } from '../../jobs/define-job.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Scope, storedActor } from '../../scope.ts';
import { countNewClients } from './count-new-clients.ts';
import { mergeFindings, withoutNewClients } from './findings.ts';
import { ChangeLog } from './import-changes.ts';
import { importRows, type Outcome, type Plan, planOf } from './import-rows.ts';
import {
  type Chunk,
  findImport,
  forecastOf,
  insertErrors,
  lockImport,
  readChunks,
  updateImport,
} from './imports.queries.ts';
import { undoSome } from './undo-rows.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Processes an import, some rows in each transaction, until it is done or cancelled. The changes and the position are
 * stored in the same transaction. So after a crash it continues from there, and two processes never store the same
 * row twice.
 */
export async function workThrough(
  context: AppContext,
  id: number,
  { log, signal, progressed }: { log: JobLog } & Partial<Pick<JobRun, 'signal' | 'progressed'>>,
): Promise<void> {
  let row = await findImport(context.db, id);
  if (!row || !isUnderWay(row)) return;
  const { request_id: asked } = row;
  const doPart = await partsOf(context, row, log);
  for (;;) {
    const started = performance.now();
    if (!(await doPart(row))) return;
    await progressed?.();
    if (signal?.aborted) throw new Error('El servidor se detuvo; la importación continúa después.');
    // A pause as long as the rows took, so that requests of this process, which waited for them, can run.
    if (readsInProcess(context.db)) await sleep(performance.now() - started);
    row = await findImport(context.db, id);
    // If the check was stopped and begun again, another job now does it.
    if (!row || !isUnderWay(row) || row.request_id !== asked) return;
  }
}

const isUnderWay = ({ state }: ImportRow) => isImportBusy(state);

/**
 * How the next part of an import is done: of its check, its run or its undo.
 * @returns a function that does it, and answers false when nothing is left to do
 */
async function partsOf(
  context: AppContext,
  atStart: ImportRow,
  log: JobLog,
): Promise<(row: ImportRow) => Promise<boolean>> {
  if (atStart.undo_asked_at !== null) return (row) => undoPart(context, row, log);
  const doChunk = atStart.state === 'checking' ? checkChunk : runChunk;
  const plan = await planOf(context.db, atStart);
  return async (row) => {
    const [chunk] = await readChunks(context.db, row, row.next_position, 1);
    return doChunk(context, row, plan, chunk, log);
  };
}

/**
 * Locks the import if its state and position are unchanged; undefined if another process or a cancellation came
 * first.
 */
async function lockAt(scope: Scope, row: ImportRow): Promise<ImportRow | undefined> {
  const locked = await lockImport(scope.tx, row.id);
  const isSame = (['state', 'next_position', 'request_id'] as const).every(
    (name) => locked?.[name] === row[name],
  );
  return isSame ? locked : undefined;
}

/** Stores the outcome of a chunk, and the new position. */
async function storeOutcome(
  { tx }: Scope,
  row: ImportRow,
  { position, rows }: Chunk,
  outcome: Outcome,
  state: ImportRow['state'],
): Promise<void> {
  const errors = outcome.errors.map((error, part) => ({ ...error, part, position }));
  await insertErrors(tx, row.id, errors);
  await updateImport(tx, row.id, {
    state,
    done: row.done + rows.length,
    created: row.created + outcome.created,
    updated: row.updated + outcome.updated,
    unchanged: row.unchanged + outcome.unchanged,
    failed: row.failed + outcome.failed,
    findings: JSON.stringify(mergeFindings(JSON.parse(row.findings), outcome.findings)),
    next_position: position + rows.length,
  });
}

class TakenBack extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('The check takes its rows back.');
    this.outcome = outcome;
  }
}

/** Processes the rows of a chunk as the run would, and rolls everything back. */
async function rehearse(
  context: AppContext,
  row: ImportRow,
  plan: Plan,
  { rows }: Chunk,
  log: JobLog,
): Promise<Outcome> {
  try {
    return await inScope(context, storedActor(row), async (scope) => {
      throw new TakenBack(await importRows(scope, { ...plan, notify: false }, rows, log));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.outcome;
    throw error;
  }
}

/** @returns false when the check is done, or another process continued it */
async function checkChunk(
  context: AppContext,
  row: ImportRow,
  plan: Plan,
  chunk: Chunk | undefined,
  log: JobLog,
): Promise<boolean> {
  const outcome = chunk && (await rehearse(context, row, plan, chunk, log));
  const newClients = chunk ? 0 : await countNewClients(context.db, row, plan);
  return inScope(context, storedActor(row), async (scope) => {
    const locked = await lockAt(scope, row);
    if (!locked) return true;
    if (chunk && outcome) {
      await storeOutcome(scope, locked, chunk, outcome, 'checking');
      return true;
    }
    const forecast = JSON.stringify(await forecastOf(scope.tx, locked, plan.orders, newClients));
    await updateImport(scope.tx, row.id, { state: 'checked', forecast });
    return false;
  });
}

/** @returns false when the run is done, or another process continued it */
async function runChunk(
  context: AppContext,
  row: ImportRow,
  plan: Plan,
  chunk: Chunk | undefined,
  log: JobLog,
): Promise<boolean> {
  return inScope(context, storedActor(row), async (scope) => {
    const locked = await lockAt(scope, row);
    if (!locked) return true;
    if (chunk) {
      const changes = new ChangeLog(scope.tx, plan.kind);
      await storeOutcome(
        scope,
        locked,
        chunk,
        await importRows(scope, plan, chunk.rows, log, changes),
        'running',
      );
      await changes.store(row.id, chunk.position);
      return true;
    }
    await finishRun(scope, locked, 'done');
    return false;
  });
}

/** @returns false when everything is undone, or another process continued it */
async function undoPart(context: AppContext, row: ImportRow, log: JobLog): Promise<boolean> {
  return inScope(context, storedActor(row), async (scope) => {
    const locked = await lockAt(scope, row);
    if (!locked) return true;
    const part = await undoSome(scope, locked, log);
    if (!part) {
      await finishRun(scope, locked, 'undone');
      return false;
    }
    await insertErrors(scope.tx, row.id, part.errors);
    await updateImport(scope.tx, row.id, {
      state: 'running',
      done: locked.done + part.tried,
      created: locked.created - part.deleted,
      updated: locked.updated - part.restored,
      failed: locked.failed + part.rowsKept,
      findings: JSON.stringify(withoutNewClients(JSON.parse(locked.findings), part.clientsDeleted)),
      next_position: locked.next_position + part.tried,
    });
    return true;
  });
}

/** The names of the kinds in the history of events. */
const KIND_NAMES: Record<ImportRow['kind'], string> = {
  clients: LABELS.clients,
  software: LABELS.software,
  licenses: LABELS.licenses,
};

/** What the event of the end says of it, apart from the counters. */
const END_REASONS = {
  done: null,
  cancelled: 'Se canceló',
  failed: 'Se interrumpió por un error',
  undone: 'Se deshizo',
};

/**
 * Ends a locked run or undo, with a single event that contains its counters. An undo that failed may be asked for
 * again, as long as that was possible before.
 */
export async function finishRun(
  scope: Scope,
  row: ImportRow,
  state: 'done' | 'cancelled' | 'failed' | 'undone',
): Promise<void> {
  const lastMoment = new Date(scope.now.getTime() + IMPORT_UNDO_HOURS * HOUR_MS);
  await updateImport(scope.tx, row.id, {
    state,
    finished_at: scope.now.toISOString(),
    undo_until: row.undo_until ?? lastMoment.toISOString(),
    ...(state === 'failed' && { undo_asked_at: null }),
  });
  const counts = { created: row.created, updated: row.updated, unchanged: row.unchanged, failed: row.failed };
  await record(scope, {
    type: 'import.finished',
    subject: { id: row.id, name: KIND_NAMES[row.kind] },
    changes: Object.fromEntries(
      Object.entries(counts).map(([field, after]) => [field, { before: null, after }]),
    ),
    reason: END_REASONS[state],
  });
}

/**
 * Ends an import that cannot continue.
 * @param options.forGood true: its check cannot begin again either
 */
export async function giveUp(
  context: AppContext,
  id: number,
  { forGood = false }: { forGood?: boolean } = {},
): Promise<void> {
  const row = await findImport(context.db, id);
  if (!row) return;
  await inScope(context, storedActor(row), async (scope) => {
    const locked = await lockImport(scope.tx, id);
    if (!locked || !isUnderWay(locked)) return;
    if (locked.state === 'checking' && !forGood) await updateImport(scope.tx, id, { state: 'uploaded' });
    else await finishRun(scope, locked, 'failed');
  });
}
