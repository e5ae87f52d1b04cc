import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import type { AppContext } from '../../context.ts';
import { lockFreeRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { defineRepeatedJob } from '../../jobs/define-job.ts';
import { record } from '../../records/record-event.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';

/** Licences in one transaction: few, so that other requests do not wait for it. */
const BATCH = 100;

/**
 * Writes `license.expired` once for each licence and end that has passed (LIFE-07). The status is not changed.
 * Triggers insert each coming end into `license_expiries` when the licence changes, so a run reads only the licences
 * that have just ended (docs/decisions/034-expiry-and-reminders.md).
 */
export const expiryJob = defineRepeatedJob({
  kind: 'license-expiry',
  label: 'Vencer licencias',
  every: 30_000,
  run: async (context, { signal }) => {
    while (!signal.aborted && (await recordExpired(context))) {
      // The loop continues with the next batch.
    }
  },
});

/**
 * Writes the events of one batch.
 * @returns whether there may be more
 */
function recordExpired(context: AppContext): Promise<boolean> {
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    const awaited = await awaitedEnds(scope.tx, scope.now);
    if (awaited.length === 0) return false;
    // The licence is locked first, as in all its other changes, to prevent deadlocks.
    const ids = awaited.map((row) => row.license_id).sort((a, b) => a - b);
    const locked = await lockFreeRows(
      scope.tx,
      scope.tx
        .selectFrom('licenses')
        .where('id', 'in', ids)
        .where('status', 'in', HOLDING_STATUSES)
        .where('expiry_date', '<', scope.now.toISOString())
        .select('id')
        .orderBy('id'),
    ).execute();
    for (const { id } of locked) await recordExpiry(scope, id);
    // A licence that another transaction has locked is left to a later run.
    return locked.length > 0;
  });
}

const awaitedEnds = (db: Db, now: Date) =>
  db
    .selectFrom('license_expiries')
    .where('noted_at', 'is', null)
    .where('ends', '<', now.toISOString())
    .select('license_id')
    .orderBy('ends')
    .orderBy('license_id')
    .limit(BATCH)
    .execute();

async function recordExpiry(scope: Scope, id: number): Promise<void> {
  const { tx, now } = scope;
  const updated = await tx
    .updateTable('license_expiries')
    .set({ noted_at: now.toISOString() })
    .where('license_id', '=', id)
    .where('noted_at', 'is', null)
    .where('ends', '<', now.toISOString())
    .returning('license_id')
    .executeTakeFirst();
  if (!updated) return;
  const license = await tx
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .where('licenses.id', '=', id)
    .select(['licenses.license_key', 'licenses.software_id', 'clients.id as client_id', 'clients.name'])
    .executeTakeFirstOrThrow();
  await record(scope, {
    type: 'license.expired',
    subject: { id, name: license.license_key },
    client: { id: license.client_id, name: license.name },
    license: { id, license_key: license.license_key },
    software: license.software_id,
  });
}
