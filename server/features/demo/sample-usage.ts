import { meterSpan } from '../../../contract/licenses/meter-period.ts';
import { readMeters } from '../../db/features.ts';
import type { Scope } from '../../scope.ts';
import { addLocked } from '../usage/write-counts.queries.ts';

/** How much licences with meters have used this month, in percent of their limits; one is close to its limit. */
const USED = [82, 34, 57, 12];

/** Adds usage to the monthly meters. */
export async function fillMeters({ tx, now, timeZone }: Scope): Promise<void> {
  const licenses = await tx
    .selectFrom('licenses')
    .select(['id', 'issued_date', 'meters'])
    .where('meters', '!=', '{}')
    .orderBy('id')
    .execute();
  const counts = licenses.flatMap(({ id, issued_date: issuedDate, meters }, index) =>
    Object.entries(readMeters(meters)).map(([code, { limit, period }]) => {
      const span = meterSpan(period, now.toISOString(), { issuedDate, terms: [], timeZone });
      const added = Math.round(((limit ?? 0) * USED[index % USED.length]!) / 100);
      const state = { resets_at: span.resetsAt, reached_at: null };
      return { license_id: id, code, period: span.key, added, base: added, ...state };
    }),
  );
  await addLocked(tx, counts, [], now);
}
