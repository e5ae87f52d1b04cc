import type { Release } from '../../../contract/programs/installations.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { type LockedLicense, ownSeat } from './activate-installation.ts';
import { returnSeat } from './return-seat.ts';
import type { Decided } from './signed-answers.ts';

/**
 * A program releases the seat of its machine (PROG-05, PROG-06). A floating seat can always be released. A fixed seat
 * can be released if the licence allows it, and only a limited number of times in a local month. The licence need not
 * be usable, so a machine can leave a licence that has ended.
 * @throws ProgramRefusal wrong_software, not_activated; AppError 403 release_not_allowed, 409 release_limit, 409
 * file_issued
 */
export async function releaseOwnSeat(scope: Scope, asked: Release, license: LockedLicense): Promise<Decided> {
  const seat = await ownSeat(scope, asked, license);
  if (license.lease_minutes === null && !license.self_release) throw new AppError(403, 'release_not_allowed');
  const machine = { ...scope, actor: { ...scope.actor, name: seat.machine_name } };
  await returnSeat(machine, license, seat, { perMonth: license.releases_per_month });
  return { verdict: { license, reason: 'not_activated', hasSeat: false }, checked: license };
}
