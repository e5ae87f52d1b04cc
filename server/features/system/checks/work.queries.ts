import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { BACKUP_JOB } from '../copies/backup-plan.ts';

/**
 * The number of failed jobs, and of jobs that have waited since before `before` and that no process runs. Jobs that
 * make copies are not counted, because not every server runs them; another check reports on copies.
 */
export async function jobsAtWork(db: Db, before: Date, now: Date): Promise<{ failed: number; late: number }> {
  return db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.count<number>('failed_at').as('failed'),
      eb.fn
        .coalesce(
          eb.fn.sum<number>(
            eb
              .case()
              .when(
                eb.and([
                  eb('failed_at', 'is', null),
                  eb('kind', '<>', BACKUP_JOB),
                  eb('run_at', '<', before.toISOString()),
                  eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now.toISOString())]),
                ]),
              )
              .then(1)
              .else(0)
              .end(),
          ),
          eb.lit(0),
        )
        .as('late'),
    ])
    .executeTakeFirstOrThrow();
}

/** The number of mails that failed since a moment, and of mails that have waited since before another. */
export async function mailsAtWork(
  db: Db,
  { since, before }: { since: Date; before: Date },
): Promise<{ failed: number; late: number }> {
  const count = (status: 'failed' | 'queued') =>
    db
      .selectFrom('outbox')
      // A literal, because SQLite uses the partial index only then.
      .where('status', '=', sql.lit(status))
      .select((eb) => eb.fn.countAll<number>().as('n'));
  const [failed, late] = await Promise.all([
    count('failed').where('created_at', '>=', since.toISOString()).executeTakeFirstOrThrow(),
    count('queued').where('created_at', '<', before.toISOString()).executeTakeFirstOrThrow(),
  ]);
  return { failed: failed.n, late: late.n };
}

/** The number of webhooks that the server disabled, and of active webhooks whose receiver fails. */
export async function webhooksAtWork(db: Db): Promise<{ disabled: number; failing: number }> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['is_active', 'disabled_reason', 'failing_since'])
    .execute();
  return {
    disabled: rows.filter(({ is_active, disabled_reason }) => !is_active && disabled_reason !== null).length,
    failing: rows.filter(({ is_active, failing_since }) => is_active && failing_since !== null).length,
  };
}
