import { localDay } from '../../../contract/base/time.ts';
import type { AppContext } from '../../context.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { mailJob } from '../mail/mail-job.ts';
import { removePastBodies } from '../mail/outbox.queries.ts';
import { hasSettings, readSettings, writeSettings } from '../settings/settings.queries.ts';
import { sampleActions } from './sample-actions.ts';
import { beatHearts } from './sample-machines.ts';
import { staffOf } from './sample-staff.ts';
import { offerTrials } from './sample-trials.ts';
import { fillMeters } from './sample-usage.ts';

/**
 * Fills an empty database with the sample data of demo mode, in one transaction: a vendor after a year of use. Every
 * action runs through the same function as a real one, at the time when it happened, so that history, terms, figures
 * and mails are consistent. No mail is sent: the messages are marked as delivered.
 */
export async function insertDemoData(context: AppContext): Promise<void> {
  await inScope(context, { actor: SYSTEM }, async (scope) => {
    const { tx, now } = scope;
    if (await tx.selectFrom('clients').select('id').limit(1).executeTakeFirst()) return;
    if (await tx.selectFrom('software').select('id').limit(1).executeTakeFirst()) return;

    // Reminders are off, so that the sample clients get none unless somebody enables them (LIFE-08).
    if (!(await hasSettings(tx))) await writeSettings(tx, { reminders_enabled: false }, now.toISOString());

    const lastJob = await tx
      .selectFrom('jobs')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const today = localDay(now, scope.timeZone);
    const staff = await staffOf(tx);
    for (const { at, by, run } of sampleActions(today, scope.timeZone, staff)) {
      await run({ ...scope, actor: by, now: at, afterCommit: () => {} });
    }
    await beatHearts(tx, now);
    await fillMeters(scope);
    await offerTrials(tx);
    await countAsSent(scope, lastJob?.id ?? 0);
    await forgetOldBodies(scope);
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes the content of old mails, as the retention job would have done in a year of use, so that it has nothing to
 * do after the first start. Content that becomes due within the first day is removed too, because the job runs every
 * hour.
 */
async function forgetOldBodies({ tx, now }: Scope): Promise<void> {
  const { mail_retention_days: days } = await readSettings(tx);
  const before = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString();
  await removePastBodies(tx, before, Number.MAX_SAFE_INTEGER);
}

/** A message that the recipient's server refused, as an example on the screens about mail. */
const REFUSED = {
  to: 'losarcos@example.com',
  error: '550 5.1.1 La casilla del destinatario no existe',
};

/**
 * Marks the mails of the sample licences as delivered when they were written, and removes their jobs.
 * @param lastJob the id of the last job before the sample data
 */
async function countAsSent({ tx }: Scope, lastJob: number): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', '=', mailJob.kind).where('id', '>', lastJob).execute();
  const ofSamples = () =>
    tx.updateTable('outbox').where('license_id', 'is not', null).where('status', '=', 'queued');
  await ofSamples()
    .where('to_address', '=', REFUSED.to)
    .set({ status: 'failed', attempts: 1, last_error: REFUSED.error, sealed: null })
    .execute();
  await ofSamples()
    .set((eb) => ({ status: 'sent' as const, attempts: 1, sent_at: eb.ref('created_at'), sealed: null }))
    .execute();
}
