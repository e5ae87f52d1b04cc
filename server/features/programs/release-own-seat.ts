import { localDay } from '../../../contract/base/time.ts';
import { hasLapsed } from '../../../contract/licenses/seats.ts';
import type { Release } from '../../../contract/programs/installations.ts';
import { AppError } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { isOwnSoftware } from '../software/asked-software.ts';
import { aboutInstallation } from './about-installation.ts';
import { findSeat, type LockedLicense, lockTypedLicense } from './activate-installation.ts';
import { forgetHeard } from './heard.ts';
import { noteReleased, type ReleasedSeat, requireReleasable } from './released-seats.ts';
import { noSeat, ProgramRefusal, unknownKey } from './signed-answers.ts';
import type { TokenLicense } from './signing/license-claims.ts';

/**
 * A program gives back the seat of its machine (PROG-05, PROG-06). A floating seat can always be given back; a fixed one
 * where the licence allows it, and at most so often in a local month. It need not be usable: a machine may leave a
 * licence that is over.
 * @param admit called with the licence's id and seats before any other check; may throw
 * @returns the licence, for the signed answer
 * @throws ProgramRefusal 404 license_not_found, 403 wrong_software, 404 not_found without a seat; AppError 403
 * release_not_allowed, 409 release_limit, 409 file_issued
 */
export async function releaseOwnSeat(
  scope: Scope,
  { license_key, machine_id, software }: Release,
  admit: (licenseId: number, seats: number) => void,
): Promise<TokenLicense> {
  const { tx, now, actor } = scope;
  const license = await lockTypedLicense(tx, license_key);
  if (!license) throw unknownKey();
  admit(license.id, license.max_installations);
  if (software !== undefined && !(await isOwnSoftware(tx, software, license))) {
    throw new ProgramRefusal(403, 'wrong_software', { license, reason: 'wrong_software' });
  }
  const [seat] = await findSeat(tx, { licenseId: license.id, machineId: machine_id });
  if (!seat || hasLapsed(license, seat, now)) throw noSeat(license);

  const counted = license.lease_minutes === null ? await countedRelease(scope, license, seat) : {};
  await record(
    { ...scope, actor: { ...actor, name: seat.machine_name } },
    {
      type: 'installation.released',
      ...aboutInstallation({ ...license, ...seat }, license),
    },
  );
  await tx.deleteFrom('installations').where('id', '=', seat.id).execute();
  await noteReleased(scope, license, seat);
  await forgetHeard(tx, license.id);
  await tx
    .updateTable('licenses')
    .set((eb) => ({ current_installations: eb('current_installations', '-', 1), ...counted }))
    .where('id', '=', license.id)
    .execute();
  return license;
}

/**
 * The count of releases in this month with one more. The licence is locked, so that two do not count as one.
 * @throws AppError 403 release_not_allowed, 409 release_limit, 409 file_issued
 */
async function countedRelease(scope: Scope, license: LockedLicense, seat: ReleasedSeat) {
  const { now, timeZone } = scope;
  const { self_release, releases_per_month, released_month, released_in_month } = license;
  if (!self_release) throw new AppError(403, 'release_not_allowed');
  const month = localDay(now, timeZone).slice(0, 7);
  const before = released_month === month ? released_in_month : 0;
  if (releases_per_month !== null && before >= releases_per_month)
    throw new AppError(409, 'release_limit', { availableFrom: `${nextMonth(month)}-01` });
  await requireReleasable(scope, license, seat);
  return { released_month: month, released_in_month: before + 1 };
}

/** The month after one, both as AAAA-MM. */
const nextMonth = (month: string): string => {
  const next = new Date(`${month}-01T00:00:00.000Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 7);
};
