import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { AppContext } from '../../../context.ts';
import type { Db } from '../../../db/tables.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { deletePastEvents } from '../../events/events.queries.ts';
import { removePastBodies } from '../../mail/outbox.queries.ts';
import { readSettings } from '../../settings/settings.queries.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Rows in one transaction; other requests can write between two of them. */
const BATCH = 1000;

type RetentionOptions = { signal: AbortSignal; batch?: number };

/**
 * Deletes events that are older than `event_retention_days`, and the content of finished mails that are older than
 * `mail_retention_days` (EVENT-06, MAIL-04). Each batch is a separate transaction and reads the settings again. So a
 * run after a kill continues, and a longer retention that somebody sets meanwhile is effective at once.
 */
export async function applyRetention(
  context: AppContext,
  { signal, batch = BATCH }: RetentionOptions,
): Promise<{ events: number; mails: number }> {
  const agoFrom = (days: number) => new Date(context.now().getTime() - days * DAY_MS).toISOString();
  const inBatches = async (work: (tx: Db) => Promise<number>): Promise<number> => {
    for (let total = 0; ; ) {
      const done = await context.forLongWork.transaction().execute(work);
      total += done;
      if (done < batch || signal.aborted) return total;
      await yieldToRequests();
    }
  };
  const events = await inBatches(async (tx) => {
    const { event_retention_days: days } = await readSettings(tx);
    return days === null ? 0 : deletePastEvents(tx, agoFrom(days), batch);
  });
  const mails = await inBatches(async (tx) => {
    const { mail_retention_days: days } = await readSettings(tx);
    return removePastBodies(tx, agoFrom(days), batch);
  });
  return { events, mails };
}

/** Runs {@link applyRetention} every hour. */
export const retentionJob = defineRepeatedJob({
  kind: 'retention',
  label: 'Borrar registros antiguos',
  every: 60 * 60_000,
  run: async (context, { signal, log }) => {
    const { events, mails } = await applyRetention(context, { signal });
    if (events + mails > 0) log.info({ events, mails }, 'registros antiguos eliminados');
  },
});
