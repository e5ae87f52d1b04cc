import type { PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import type { PortalState } from '../text/es-portal-licenses.ts';

type Stated = Pick<PortalLicenseRow, 'status' | 'pending_start' | 'in_grace' | 'is_expired'>;

/** The state that a client sees: a status that a person set takes precedence, then the date decides. */
export function portalState({ status, pending_start, in_grace, is_expired }: Stated): PortalState {
  if (status === 'suspended' || status === 'cancelled' || status === 'inactive') return status;
  if (pending_start) return 'pending';
  if (in_grace) return 'grace';
  if (is_expired || status === 'expired') return 'expired';
  return status;
}

/** True if the licence should be renewed now: it has ended, or ends within a month. */
export const isRenewalDue = (license: Stated & Pick<PortalLicenseRow, 'days_remaining'>): boolean => {
  const state = portalState(license);
  if (state === 'grace' || state === 'expired') return true;
  return (state === 'active' || state === 'trial') && (license.days_remaining ?? Infinity) <= 30;
};
