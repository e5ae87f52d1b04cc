import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ACTOR_KINDS } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { isLostRace, readsInProcess } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { unavailable } from '../../errors.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { inScope, type Scope } from '../../scope.ts';
import { clientsOf, mergeClients, requireMergeable } from './merge-clients.ts';
import { isBegun } from './merge-refusal.ts';
import { countRows, MovedMeanwhile, PARTS, type Pair } from './move-records.ts';

/**
 * The merge of a client that has much (MERGE-01, docs/decisions/169): its records move in parts, each a short
 * transaction, and the last one ends it. If the call dies in between, a job goes on.
 */

/** A client with more rows of a kind moves in parts. */
const AT_ONCE_MAX = 100;
/** How long a part should take, in milliseconds: others who write wait for it. */
const PART_MS = 15;
const PART = { first: 20, least: 5, most: 500 } as const;
/** When the job looks whether the call has ended, in milliseconds: later than any call. */
const LOOKED_AT_AFTER_MS = 30_000;
const TRIES_MAX = 5;
const RETRY_MS = 20;

type InTransaction = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>;

/** Whether the client's records move in parts. */
export async function movesInParts(db: Db, from: number): Promise<boolean> {
  for (const table of ['licenses', 'payment_requests', 'payments', 'notes', 'outbox'] as const) {
    if ((await countRows(db, table, from, AT_ONCE_MAX + 1)) > AT_ONCE_MAX) return true;
  }
  return false;
}

/**
 * Does work again that met a change of others, or was ended for theirs.
 * @throws unavailable (503) if it does so each time
 */
export async function tryAgain<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MovedMeanwhile) && !isLostRace(error)) throw error;
      if (tries === TRIES_MAX) throw unavailable();
      await sleep(tries * RETRY_MS);
    }
  }
}

/**
 * Checks a merge and moves the client's records in parts; {@link mergeClients} then ends it. From here on the merge is
 * not refused any more. A second call for the same two clients joins the first.
 * @throws as {@link clientsOf} and {@link requireMergeable}
 */
export async function moveAhead(context: AppContext, inTransaction: InTransaction, pair: Pair) {
  await inTransaction(async (scope) => {
    const both = await clientsOf(scope.tx, pair, true);
    if (await isBegun(scope.tx, pair)) return;
    await requireMergeable(scope, both);
    const { id, from } = pair;
    await scope.tx
      .insertInto('client_merges')
      .values({ from_id: from, into_id: id, started_at: scope.now.toISOString(), merged_at: null })
      .execute();
    const at = new Date(scope.now.getTime() + LOOKED_AT_AFTER_MS);
    await endMergeJob.enqueue(scope, { id, from, actor: scope.actor, origin: scope.origin }, { at });
  });
  await moveParts(context, inTransaction, pair);
}

async function moveParts({ db }: AppContext, inTransaction: InTransaction, pair: Pair): Promise<void> {
  for (const part of PARTS) {
    let size: number = PART.first;
    for (;;) {
      const started = performance.now();
      const moved = await tryAgain(() => inTransaction((scope) => part(scope, pair, size)));
      if (moved === 0) break;
      const took = performance.now() - started;
      size = Math.min(PART.most, Math.max(PART.least, Math.round((size * PART_MS) / took)));
      // On SQLite a part holds everybody, so others get as much time.
      if (readsInProcess(db)) await sleep(took);
    }
  }
}

/** Ends a merge whose call did not. */
export const endMergeJob = defineJob({
  kind: 'client_merge',
  label: 'Terminar de fusionar clientes',
  payload: z.object({
    id: z.number(),
    from: z.number(),
    actor: z.object({ kind: z.enum(ACTOR_KINDS), id: z.number().nullable(), name: z.string() }),
    origin: z.object({ ip: z.string().nullable(), requestId: z.string().nullable() }),
  }),
  atOnce: 1,
  triesMax: 20,
  run: async (context, { id, from, actor, origin }) => {
    const pair = { id, from };
    if (!(await isBegun(context.db, pair))) return;
    const inTransaction: InTransaction = (work) => inScope(context, { actor, origin }, work);
    await moveParts(context, inTransaction, pair);
    await tryAgain(() => inTransaction((scope) => mergeClients(scope, pair)));
  },
});
