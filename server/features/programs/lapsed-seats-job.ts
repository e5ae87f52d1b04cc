import { z } from 'zod';
import type { AppContext } from '../../context.ts';
import { isAmong, lockRows } from '../../db/dialect.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { inScope, SYSTEM } from '../../scope.ts';
import { hasLapsedUnder, releaseLapsed } from './lapsed-seats.ts';

/** Licences in one statement, and seats in one transaction: few, so that other requests do not wait long. */
const LICENSES = 500;
const SEATS = 200;

/**
 * Releases floating seats whose lease has ended, so that lists and figures count only valid seats. It does not affect
 * who can take a seat, because an activation releases what it needs (decisions/047-floating-seats.md).
 */
export const lapsedSeatsJob = defineJob({
  kind: 'lapsed-seats',
  label: 'Liberar lugares flotantes',
  payload: z.object({}),
  atOnce: 1,
  every: 60_000,
  triesMax: Number.POSITIVE_INFINITY,
  run: async (context, _payload, { signal }) => {
    let after = 0;
    while (!signal.aborted) {
      const licenses = await lendersAfter(context, after);
      for (const id of await lapsedAmong(context, licenses)) {
        while (!signal.aborted && (await freeSeats(context, id))) {
          // The loop continues with the licence's next seats.
        }
      }
      const last = licenses.at(-1);
      if (licenses.length < LICENSES || !last) return;
      after = last.id;
    }
  },
});

/** The next licences with floating seats; a partial index contains only these. */
const lendersAfter = ({ db }: AppContext, after: number) =>
  db
    .selectFrom('licenses')
    .where('seat_mode', '=', 'floating')
    .where('id', '>', after)
    .where('current_installations', '>', 0)
    .orderBy('id')
    .limit(LICENSES)
    .select(['id', 'lease_minutes'])
    .$narrowType<{ lease_minutes: number }>()
    .execute();

/**
 * The ids of those licences that have a seat whose lease has ended. It runs one query for each length of lease; there
 * are few lengths.
 */
async function lapsedAmong({ db, now }: AppContext, licenses: { id: number; lease_minutes: number }[]) {
  const ids: number[] = [];
  for (const [lease, alike] of Map.groupBy(licenses, ({ lease_minutes }) => lease_minutes)) {
    const among = alike.map(({ id }) => id);
    const rows = await db
      .selectFrom('installations')
      .where((eb) => isAmong(db, eb.ref('license_id'), among))
      .where(hasLapsedUnder(lease, now()))
      .select('license_id')
      .distinct()
      .execute();
    ids.push(...rows.map(({ license_id }) => license_id));
  }
  return ids;
}

/**
 * Releases some of a licence's seats: those whose lease has ended.
 * @returns whether there may be more
 */
function freeSeats(context: AppContext, id: number): Promise<boolean> {
  return inScope(context, { actor: SYSTEM }, async (scope) => {
    const { tx } = scope;
    const license = await lockRows(
      tx,
      tx.selectFrom('licenses').select('lease_minutes').where('id', '=', id),
    ).executeTakeFirst();
    // The licence may have been deleted, or its seats may have become fixed.
    const lease_minutes = license?.lease_minutes ?? null;
    if (lease_minutes === null) return false;
    return (await releaseLapsed(scope, { id, lease_minutes }, { upTo: SEATS })) === SEATS;
  });
}
