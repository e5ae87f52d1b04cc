import { hasLapsed } from '../../../contract/licenses/seats.ts';
import type { Release } from '../../../contract/programs/installations.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { isOwnSoftware } from '../software/asked-software.ts';
import { findSeat, lockTypedLicense } from './activate-installation.ts';
import { giveBackSeat } from './give-back-seat.ts';
import type { Admission } from './license-key-guard.ts';
import { noSeat, ProgramRefusal, unknownKey } from './signed-answers.ts';
import type { TokenLicense } from './signing/license-claims.ts';

/**
 * A program releases the seat of its machine (PROG-05, PROG-06). A floating seat can always be released. A fixed seat
 * can be released if the licence allows it, and only a limited number of times in a local month. The licence need not
 * be usable, so a machine can leave a licence that has ended.
 * @param admit called with the licence before any other check; may throw
 * @returns the licence, for the signed answer
 * @throws ProgramRefusal 404 license_not_found, 403 wrong_software, 404 not_found without a seat; AppError 403
 * release_not_allowed, 409 release_limit, 409 file_issued
 */
export async function releaseOwnSeat(
  scope: Scope,
  { license_key, machine_id, software }: Release,
  admit: Admission['known'],
): Promise<TokenLicense> {
  const { tx, now, actor } = scope;
  const license = await lockTypedLicense(tx, license_key);
  if (!license) throw unknownKey();
  admit(license, false);
  if (software !== undefined && !(await isOwnSoftware(tx, software, license))) {
    throw new ProgramRefusal(403, 'wrong_software', { license, reason: 'wrong_software' });
  }
  const [seat] = await findSeat(tx, { licenseId: license.id, machineId: machine_id });
  if (!seat || hasLapsed(license, seat, now)) throw noSeat(license);

  if (license.lease_minutes === null && !license.self_release) throw new AppError(403, 'release_not_allowed');
  const machine = { ...scope, actor: { ...actor, name: seat.machine_name } };
  await giveBackSeat(machine, license, seat, { perMonth: license.releases_per_month });
  return license;
}
