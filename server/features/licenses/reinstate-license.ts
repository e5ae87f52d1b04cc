import { daysBetween, localDay } from '../../../contract/base/time.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { Scope } from '../../scope.ts';
import { actOnLicense, type Verb } from './license-actions.ts';
import { moveEnd } from './move-end.ts';
import { setStatus } from './suspend-license.ts';

/**
 * Ends a suspension: the licence gets its earlier status back ('active' if none is stored). `extend` adds the days of
 * the suspension to its end (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function reinstateLicense(
  scope: Scope,
  id: number,
  { extend, notify }: ActionFields<'reinstate'>,
): Promise<License> {
  const { now, timeZone } = scope;
  return actOnLicense(scope, id, 'reinstate', { notify }, async (row, version) => {
    await setStatus(scope, row, row.suspended_from ?? 'active', version);
    const { expiry_date, suspended_at } = row;
    if (extend && expiry_date !== null && suspended_at !== null) {
      const days = daysBetween(localDay(suspended_at, timeZone), localDay(now, timeZone));
      await moveEnd(scope, { ...row, expiry_date }, expiry_date, days, version);
    }
  });
}

export const reinstateVerb: Verb<'reinstate'> = {
  summary: 'Reactivar una licencia suspendida',
  event: {
    when: '',
    changes: '`status`; with `extend` also `expiry_date`, `expiry_days`',
  },
  run: reinstateLicense,
};
