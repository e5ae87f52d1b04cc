import {
  actionRefusal,
  LICENSE_ACTIONS,
  type LicenseAction,
} from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { Offer } from '../../api/offers.ts';

export type LicenseState = Pick<LicenseRow, 'status' | 'expiry_date'>;

/** The actions that a licence's state and the person's permissions allow (LIFE-05, PEOPLE-02). */
export const possibleActions = (
  license: LicenseState,
  isOffered: (offer: Offer) => boolean,
): LicenseAction[] =>
  LICENSE_ACTIONS.filter(
    (action) => isOffered(`licenses.${action}`) && actionRefusal(action, license) === null,
  );
