import {
  licenseRefusal,
  STATE_REFUSALS,
  type StateRefusal,
  type Usable,
} from '../../../contract/licenses/license-state.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';
import { endNow } from './start-license.ts';

/** The reasons of a refused file, for the document of the API. */
export const FILE_REFUSED = `La licencia no se puede usar (${STATE_REFUSALS.join(', ')}), no quedan lugares (installation_limit), o sus lugares son flotantes (not_available)`;

type FileLicense = Usable &
  Pick<
    LicenseRecord,
    'lease_minutes' | 'activate_by' | 'issued_date' | 'expiry_days' | 'expiry_months' | 'updates_until'
  >;

/**
 * Why no offline file can be issued for a licence now, for any machine; null if one can. `can` of staff and of the
 * portal and the call itself ask it.
 */
export function fileRefusal(
  license: FileLicense,
  moment: Pick<Scope, 'now' | 'timeZone'>,
): StateRefusal | 'not_available' | null {
  // The lease of its seat would end while the computer works without network (PROG-05).
  if (license.lease_minutes !== null) return 'not_available';
  // The file starts a waiting licence.
  return licenseRefusal({ ...license, expiry_date: endNow(license, moment) }, moment.now, moment.timeZone);
}
