import type { LicenseAnswer, LicenseVerb } from '../../../contract/licenses/license-can.ts';
import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { expiryUrgency } from '../../components/license/urgency-level.ts';

/** What is done next with a licence: a call that its `can` names, or giving a machine's seat back. */
export type NextAction = Extract<LicenseVerb, 'renew' | 'reinstate' | 'resend_email' | 'update'> | 'release';

/** What an address asks, by the action. */
export const QUESTION_OF = {
  renew: 'renovar',
  reinstate: 'reactivar',
  release: 'liberar',
  suspend: 'suspender',
  adjust: 'consumo',
  charge: 'cobrar',
} as const satisfies Partial<Record<NextAction | 'suspend' | 'adjust' | 'charge', LicenseQuestion>>;

type Judged = Pick<
  LicenseAnswer,
  'can' | 'status' | 'expiry_date' | 'email_status' | 'remaining_installations' | 'current_installations'
>;

/**
 * The one thing that the state of a licence asks for, and so the filled button of its details: what stops its programs
 * comes before what only its client misses.
 * @param mayRelease whether the person may give seats back, which `can` does not say
 * @returns null where nothing may be done
 */
export function nextAction(license: Judged, mayRelease: boolean, now: Date): NextAction | null {
  const { can, status, email_status, current_installations, remaining_installations } = license;
  const isDue = status === 'expired' || expiryUrgency(license, now) !== 'none';
  const isFull = remaining_installations <= 0 && current_installations > 0 && status !== 'cancelled';
  if (status === 'suspended' && can.includes('reinstate')) return 'reinstate';
  if (isDue && can.includes('renew')) return 'renew';
  if (email_status === 'failed' && can.includes('resend_email')) return 'resend_email';
  if (isFull && mayRelease) return 'release';
  return can.includes('update') ? 'update' : null;
}
