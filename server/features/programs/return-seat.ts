import { localDay } from '../../../contract/base/time.ts';
import { INSTALLATION_MESSAGES } from '../../../contract/programs/installations.ts';
import { lockRows } from '../../db/dialect.ts';
import { AppError, notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutInstallation } from './about-installation.ts';
import type { LockedLicense, Seat } from './activate-installation.ts';
import { resetLastSignal } from './last-signals.ts';
import {
  LEFT,
  type ReleasedSeat,
  type ReleaseRefusal,
  requireReleasable,
  storeReleasedSeats,
} from './released-seats.ts';

/**
 * The release of a seat by its user: a program releases its own seat, a client in the portal releases a machine's
 * (PROG-06, PORTAL-05).
 */

/**
 * Releases a seat of a locked licence.
 * @param perMonth how many fixed seats programs and clients together may release in a local month; null for no limit.
 * Floating seats do not count
 * @param reason the reason in the event
 * @throws AppError 409 release_limit, 409 file_issued
 */
export async function returnSeat(
  scope: Scope,
  license: LockedLicense,
  seat: Seat,
  { perMonth, reason = null }: { perMonth: number | null; reason?: string | null },
): Promise<void> {
  const { tx } = scope;
  // Read again and locked: a heartbeat, which locks no licence, may have given a later token.
  const own = tx.selectFrom('installations').select(LEFT).where('id', '=', seat.id);
  const left = await lockRows(tx, own).executeTakeFirst();
  if (!left) throw notFound(INSTALLATION_MESSAGES.notFound);
  const counted = license.lease_minutes === null ? await countedRelease(scope, license, left, perMonth) : {};
  await record(scope, {
    type: 'installation.released',
    ...aboutInstallation({ ...license, ...seat }, license),
    reason,
  });
  await tx.deleteFrom('installations').where('id', '=', seat.id).execute();
  await storeReleasedSeats(scope, license, [left]);
  await resetLastSignal(tx, license.id);
  await tx
    .updateTable('licenses')
    .set((eb) => ({ current_installations: eb('current_installations', '-', 1), ...counted }))
    .where('id', '=', license.id)
    .execute();
}

type Counters = Pick<LockedLicense, 'released_month' | 'released_in_month'>;
type Moment = Pick<Scope, 'now' | 'timeZone'>;

const monthOf = ({ now, timeZone }: Moment) => localDay(now, timeZone).slice(0, 7);
const releasedIn = (month: string, { released_month, released_in_month }: Counters) =>
  released_month === month ? released_in_month : 0;

/** Why no further fixed seat may be released in this month; null if one may. */
export function monthRefusal(
  license: Counters,
  perMonth: number | null,
  moment: Moment,
): ReleaseRefusal | null {
  const month = monthOf(moment);
  if (perMonth === null || releasedIn(month, license) < perMonth) return null;
  return { code: 'release_limit', availableFrom: `${nextMonth(month)}-01` };
}

/**
 * The number of releases in this month, including this one. The licence is locked, so concurrent releases are counted
 * correctly.
 * @throws AppError 409 release_limit, 409 file_issued
 */
async function countedRelease(
  scope: Scope,
  license: LockedLicense,
  seat: ReleasedSeat,
  perMonth: number | null,
) {
  const refusal = monthRefusal(license, perMonth, scope);
  if (refusal) throw new AppError(409, refusal.code, refusal);
  await requireReleasable(scope, license, seat);
  const month = monthOf(scope);
  return { released_month: month, released_in_month: releasedIn(month, license) + 1 };
}

/** The next month; both are texts such as 2026-11. */
const nextMonth = (month: string): string => {
  const next = new Date(`${month}-01T00:00:00.000Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 7);
};
