import { licenseRefusal, type Usable } from '../../../contract/licenses/license-state.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';
import { startNow } from './start-license.ts';

type Judged = Usable &
  Pick<LicenseRecord, 'lease_minutes' | 'activate_by' | 'issued_date' | 'expiry_days' | 'updates_until'>;

/**
 * Why no offline file can be issued for a licence now, for any machine; null if one can. `can` of staff and of the
 * portal and the call itself ask it.
 */
export function fileRefusal(
  license: Judged,
  moment: Pick<Scope, 'now' | 'timeZone'>,
): ReturnType<typeof licenseRefusal> | 'not_available' {
  // The lease of its seat would end while the computer works without network (PROG-05).
  if (license.lease_minutes !== null) return 'not_available';
  // The file starts a waiting licence. One that should already have started may have ended since.
  const start = startNow({ ...license, pending_updates_days: null }, moment);
  return licenseRefusal({ ...license, ...start?.started }, moment.now, moment.timeZone);
}
