import type { LicenseStatus } from './licenses.ts';

/** Which actions a licence admits. Without schemas: the list of licences loads it with its row menus. */

/** The actions on a licence after its issue (LIFE-02 to LIFE-04). */
export const LICENSE_ACTIONS = [
  'renew',
  'extend',
  'suspend',
  'reinstate',
  'cancel',
  'transfer',
  'replace_key',
] as const;
export type LicenseAction = (typeof LICENSE_ACTIONS)[number];

/** From which stored statuses each action is possible. A PUT may still set any status (SEED-4-10). */
export const TRANSITIONS: Record<LicenseAction, readonly LicenseStatus[]> = {
  renew: ['active', 'expired', 'inactive', 'trial'],
  extend: ['active', 'expired', 'trial'],
  suspend: ['active', 'trial'],
  reinstate: ['suspended'],
  cancel: ['active', 'expired', 'suspended', 'inactive', 'trial'],
  transfer: ['active', 'expired', 'suspended', 'inactive', 'trial'],
  replace_key: ['active', 'expired', 'suspended', 'inactive', 'trial'],
};

/** Actions that count from an end, and are not possible without one. */
const NEEDS_AN_END: readonly LicenseAction[] = ['renew', 'extend'];

/** Why an action is not possible. */
export type ActionRefusalCode = 'invalid_transition' | 'not_renewable';

/** What decides about the actions of a licence. */
export type TransitionState = { status: LicenseStatus; expiry_date: string | null };

/**
 * The guard of an action, used by both sides (LIFE-03, LIFE-05); action-refusal.ts has its words.
 * @returns null when the action is possible
 */
export function refusalCode(
  action: LicenseAction,
  { status, expiry_date }: TransitionState,
): ActionRefusalCode | null {
  if (!TRANSITIONS[action].includes(status)) return 'invalid_transition';
  return NEEDS_AN_END.includes(action) && expiry_date === null ? 'not_renewable' : null;
}
