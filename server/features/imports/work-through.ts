import { setTimeout as sleep } from 'node:timers/promises';
import { LABELS } from '../../../contract/base/labels.ts';
import type { AppContext } from '../../context.ts';
import { readsInProcess } from '../../db/dialect.ts';
import type { ImportRow } from '../../db/tables.ts';
import type { JobLog, JobRun } from '../../jobs/define-job.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Scope, storedActor } from '../../scope.ts';
import { countNewClients } from './count-new-clients.ts';
import { mergeFindings } from './findings.ts';
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
  const plan = await planOf(context.db, row);
  const doChunk = row.state === 'checking' ? checkChunk : runChunk;
  for (;;) {
    const started = performance.now();
    const [chunk] = await readChunks(context.db, id, row.next_position, 1);
    if (!(await doChunk(context, row, plan, chunk, log))) return;
    await progressed?.();
    if (signal?.aborted) throw new Error('El servidor se detuvo; la importación continúa después.');
    // A pause as long as the rows took, so that requests of this process, which waited for them, can run.
    if (readsInProcess(context.db)) await sleep(performance.now() - started);
    row = await findImport(context.db, id);
    // If the check was stopped and begun again, another job now does it.
    if (!row || !isUnderWay(row) || row.request_id !== asked) return;
  }
}

const isUnderWay = ({ state }: ImportRow) =>
  state === 'checking' || state === 'waiting' || state === 'running';

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
  await insertErrors(tx, row.id, position, outcome.errors);
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
      await storeOutcome(scope, locked, chunk, await importRows(scope, plan, chunk.rows, log), 'running');
      return true;
    }
    await finishRun(scope, locked, 'done');
    return false;
  });
}

/** The names of the kinds in the history of events. */
const KIND_NAMES: Record<ImportRow['kind'], string> = {
  clients: LABELS.clients,
  software: LABELS.software,
  licenses: LABELS.licenses,
};

/** Why a run ended before all its rows were tried. */
const END_REASONS = { done: null, cancelled: 'Se canceló', failed: 'Se interrumpió por un error' };

/** Ends a locked run, with a single event that contains its counters. */
export async function finishRun(
  scope: Scope,
  row: ImportRow,
  state: 'done' | 'cancelled' | 'failed',
): Promise<void> {
  await updateImport(scope.tx, row.id, { state, finished_at: scope.now.toISOString() });
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
