import type { LicenseAnswer, LicenseVerb } from '../../../contract/licenses/license-can.ts';
import type { LicenseQuestion } from './licenses-search.ts';
import { expiryUrgency } from './urgency-level.ts';

/** The next action on a licence: a value of its `can`. */
export type NextAction = Extract<LicenseVerb, 'renew' | 'reinstate' | 'resend_email'>;

/** The name in the address of each action's dialog. */
export const QUESTION_OF = {
  renew: 'renovar',
  reinstate: 'reactivar',
  release: 'liberar',
  suspend: 'suspender',
  adjust: 'consumo',
  charge: 'cobrar',
} as const satisfies Partial<
  Record<NextAction | 'release' | 'suspend' | 'adjust' | 'charge', LicenseQuestion>
>;

type ActionLicense = Pick<LicenseAnswer, 'can' | 'status' | 'expiry_date' | 'email_status'>;

/**
 * The most important action for a licence's state, shown as the filled button of its details. Reasons that stop its
 * programs come before those that only concern its client. A licence whose seats are all taken is full as it was sold,
 * so nothing is wrong with it (decision 143).
 * @returns null if no action is needed or allowed
 */
export function nextAction({ can, ...license }: ActionLicense, now: Date): NextAction | null {
  const { status, email_status } = license;
  const isDue = status === 'expired' || expiryUrgency(license, now) !== 'none';
  if (status === 'suspended' && can.includes('reinstate')) return 'reinstate';
  if (isDue && can.includes('renew')) return 'renew';
  return email_status === 'failed' && can.includes('resend_email') ? 'resend_email' : null;
}
