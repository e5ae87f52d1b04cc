import type { LicenseAnswer, LicenseVerb } from '../../../contract/licenses/license-can.ts';
import type { LicenseQuestion } from '../../components/license/licenses-search.ts';
import { expiryUrgency } from '../../components/license/urgency-level.ts';

/** The next action on a licence: a value of its `can`, or releasing a machine's seat. */
export type NextAction = Extract<LicenseVerb, 'renew' | 'reinstate' | 'resend_email' | 'update'> | 'release';

/** The name in the address of each action's dialog. */
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
 * The most important action for a licence's state, shown as the filled button of its details. Reasons that stop its
 * programs come before those that only concern its client.
 * @param mayRelease whether the person may release seats, which `can` does not contain
 * @returns null if no action is needed or allowed
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
