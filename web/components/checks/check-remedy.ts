import { isExpired } from '../../../contract/base/time.ts';
import { licenseRefusal, type Refusal, type StateRefusal } from '../../../contract/licenses/license-state.ts';
import type { License } from '../../../contract/licenses/licenses.ts';

/**
 * What helps a program that was refused. 'settled': the licence's current state is no longer a reason to refuse. Most
 * values are actions on the licence. The others are: 'new' (issue another licence), 'key' (show the key, to be typed
 * in the program again) and 'others' (show the client's other licences, one of which has the right key).
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

/** The remedy for each refusal while the licence still causes it. */
const OF_STATE: Record<StateRefusal, CheckRemedy> = {
  suspended: 'reinstate',
  expired: 'renew',
  inactive: 'update',
  cancelled: 'new',
};

const isFull = ({ remaining_installations, current_installations }: CheckedLicense) =>
  remaining_installations <= 0 && current_installations > 0;

/** @returns null if the console knows no remedy */
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

/** The remedy for the licence's current state, which may have changed since the refusal. */
function ofState(
  reason: Refusal,
  license: CheckedLicense,
  refusal: StateRefusal | null,
  now: Date,
): CheckRemedy | null {
  // The console does not know until which day the updates must last, so the person enters the day in the form.
  if (reason === 'updates_ended' && refusal === null) return 'update';
  if (reason !== 'updates_ended' && !(reason in OF_STATE)) return null;
  // A licence in its grace works again, but only for a few days, so it still needs a renewal.
  const present = refusal ?? (reason === 'expired' && isExpired(license.expiry_date, now) ? 'expired' : null);
  return present === null ? 'settled' : OF_STATE[present];
}
