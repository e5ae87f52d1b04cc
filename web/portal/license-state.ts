import type { PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import { PORTAL_LIMITS } from '../../contract/portal/portal-words.ts';
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
  return (
    (state === 'active' || state === 'trial') && (license.days_remaining ?? Infinity) <= PORTAL_LIMITS.dueDays
  );
};

/**
 * What a client who comes for a licence wants: to pay what was sold and is not paid (MONEY-05); near its end to pay, else
 * to ask for the renewal; null if none of it.
 */
export function dueActionOf(
  license: Stated & Pick<PortalLicenseRow, 'days_remaining' | 'can'> & Partial<Pick<PortalLicenseRow, 'pay'>>,
): 'pay' | 'request' | null {
  if (license.pay?.sold && license.can.includes('pay')) return 'pay';
  if (!isRenewalDue(license)) return null;
  if (license.can.includes('pay')) return 'pay';
  return license.can.includes('request') ? 'request' : null;
}

/** Whether the program accepts the licence, so that its key can be written there. */
export const isUsable = (license: Stated): boolean =>
  ['active', 'trial', 'pending', 'grace'].includes(portalState(license));
