import { keepZone, keptZone } from '../server/features/settings/business-zone.queries.ts';
import { moveEnds } from '../server/features/settings/move-ends.ts';
import type { CheckContext } from '../server/features/system/checks/check.ts';
import { writeDeliveries } from '../server/features/webhooks/write-deliveries.ts';
import { record } from '../server/records/record-event.ts';
import { inScope } from '../server/scope.ts';
import { COMMAND_LINE, NO_SECRETS } from './command-line.ts';

/**
 * Moves the stored ends to the days of the configured zone and keeps it, with one event (INPUT-17).
 * @returns how many ends were moved
 */
export async function changeZone({ db, config, now }: CheckContext): Promise<number> {
  const { timeZone } = config;
  const kept = (await keptZone(db)) ?? timeZone;
  if (kept === timeZone) return 0;
  const count = await moveEnds(db, { from: kept, to: timeZone }, now());
  await inScope(
    { db, config, now, secrets: NO_SECRETS, publish: writeDeliveries, nudgeJobs: () => {} },
    { actor: COMMAND_LINE },
    async (scope) => {
      await keepZone(scope.tx, timeZone);
      await record(scope, {
        type: 'settings.updated',
        subject: { id: null, name: 'Configuración' },
        changes: { business_timezone: { before: kept, after: timeZone } },
      });
    },
  );
  return count;
}
