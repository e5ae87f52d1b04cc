import { type NotNull, sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { lockFreeRows } from '../../db/dialect.ts';
import { defineRepeatedJob } from '../../jobs/define-job.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import { startedAt, storeStart } from './start-license.ts';

/** Licences in one transaction: few, so that other requests do not wait for it. */
const BATCH = 100;

/**
 * Starts the licences that nobody activated until `activate_by`, as of that moment, in any status except cancelled
 * (SELL-01). A partial index contains those that wait.
 */
export const startOverdueJob = defineRepeatedJob({
  kind: 'license-start',
  label: 'Iniciar licencias sin activar',
  every: 30_000,
  run: async (context, { signal }) => {
    while (!signal.aborted && (await startOverdue(context))) {
      // The loop continues with the next batch.
    }
  },
});

/**
 * Starts one batch.
 * @returns whether there may be more
 */
const startOverdue = (context: AppContext): Promise<boolean> =>
  inScope(context, { actor: SYSTEM }, async (scope) => {
    const { tx, now, timeZone } = scope;
    // A licence that another transaction has locked is left to a later run.
    const locked = await lockFreeRows(
      tx,
      tx
        .selectFrom('licenses')
        .select(['id', 'license_key', 'client_id', 'software_id', 'updated_at'])
        .select(['activate_by', 'issued_date', 'expiry_date', 'expiry_days', 'expiry_months'])
        .select(['updates_until', 'pending_updates_days'])
        .where('activate_by', 'is not', null)
        .$narrowType<{ activate_by: NotNull }>()
        .where('activate_by', '<', now.toISOString())
        // A literal, because the partial index contains only licences with this condition.
        .where('status', '<>', sql.lit('cancelled'))
        .orderBy('activate_by')
        .orderBy('id')
        .limit(BATCH),
    ).execute();
    for (const license of locked) {
      const { name } = await tx
        .selectFrom('clients')
        .select('name')
        .where('id', '=', license.client_id)
        .executeTakeFirstOrThrow();
      const from = license.activate_by;
      const started = startedAt(license, from, timeZone);
      await storeStart(scope, { ...license, client_name: name }, { from, started });
    }
    return locked.length > 0;
  });
