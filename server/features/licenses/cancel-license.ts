import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { Scope } from '../../scope.ts';
import { cancelRequestOf, cancelSales } from '../payment-requests/close-request.ts';
import { actOnLicense, REFUSED_WITH_REQUEST, type Verb } from './license-actions.ts';
import { setStatus } from './suspend-license.ts';

/**
 * Cancels a licence permanently: no other action is possible afterwards (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function cancelLicense(
  scope: Scope,
  id: number,
  { reason, notify }: ActionFields<'cancel'>,
): Promise<License> {
  return actOnLicense(scope, id, 'cancel', { reason, notify }, async (row, version) => {
    await cancelRequestOf(scope, id);
    await cancelSales(scope, ['license_id', id]);
    await setStatus(scope, row, 'cancelled', version);
  });
}

export const cancelVerb: Verb<'cancel'> = {
  summary: 'Cancelar una licencia',
  refused: REFUSED_WITH_REQUEST,
  event: {
    when: '',
    changes: '`status`',
  },
  run: cancelLicense,
};
