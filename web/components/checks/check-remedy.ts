import { isExpired } from '../../../contract/base/time.ts';
import { licenseRefusal } from '../../../contract/licenses/license-state.ts';
import type { Refusal } from '../../../contract/licenses/license-verdict.ts';
import type { License } from '../../../contract/licenses/licenses.ts';

/**
 * What helps a program that was refused. 'settled': the licence, as it is now, gives that reason no more. The others are
 * actions on the licence, but 'new' (another licence), 'key' (the key, to be typed there) and 'others' (the client's
 * other licences, one of which has the right key).
 */
export type CheckRemedy = 'renew' | 'reinstate' | 'release' | 'update' | 'new' | 'key' | 'others' | 'settled';

export type CheckedLicense = Pick<
  License,
  | 'id'
  | 'license_key'
  | 'status'
  | 'expiry_date'
  | 'grace_days'
  | 'remaining_installations'
  | 'current_installations'
  | 'installations'
  | 'client'
>;

/** What mends each refusal while the licence still gives it; those of the licence itself come first of all guards. */
const OF_STATE: Partial<Record<Refusal, CheckRemedy>> = {
  suspended: 'reinstate',
  expired: 'renew',
  inactive: 'update',
  cancelled: 'new',
};

const isFull = ({ remaining_installations, current_installations }: CheckedLicense) =>
  remaining_installations <= 0 && current_installations > 0;

/** @returns null where nothing helps that the console knows */
export function remedyOf(
  { reason, machine_id }: { reason: Refusal | null; machine_id: string },
  license: CheckedLicense,
  now: Date,
  timeZone: string,
): CheckRemedy | null {
  if (reason === null) return null;
  if (reason === 'wrong_software') return 'others';
  const holdsSeat = license.installations?.some((machine) => machine.machine_id === machine_id) ?? false;
  if (reason === 'installation_limit') return isFull(license) && !holdsSeat ? 'release' : 'settled';
  if (reason === 'not_activated') return holdsSeat ? 'settled' : isFull(license) ? 'release' : 'key';
  return ofState(reason, license, licenseRefusal(license, now, timeZone), now);
}

/** The state may have gone on since: what helps is what the present one asks for. */
function ofState(
  reason: Refusal,
  license: CheckedLicense,
  refusal: Refusal | null,
  now: Date,
): CheckRemedy | null {
  // How far its updates must reach, only the program knows: the day is in the form.
  if (reason === 'updates_ended' && refusal === null) return 'update';
  if (reason !== 'updates_ended' && OF_STATE[reason] === undefined) return null;
  // In its grace it works again, but not for long.
  const present = refusal ?? (reason === 'expired' && isExpired(license.expiry_date, now) ? 'expired' : null);
  return present === null ? 'settled' : (OF_STATE[present] ?? null);
}
