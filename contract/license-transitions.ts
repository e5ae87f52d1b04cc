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

/** Why an action is not possible: a code and a text that says what to do first. */
export type ActionRefusal = { code: 'invalid_transition' | 'not_renewable'; message: string };

/**
 * The guard of an action, used by both sides (LIFE-03, LIFE-05).
 * @returns null when the action is possible
 */
export function actionRefusal(
  action: LicenseAction,
  { status, expiry_date }: { status: LicenseStatus; expiry_date: string | null },
): ActionRefusal | null {
  if (!TRANSITIONS[action].includes(status)) {
    return { code: 'invalid_transition', message: refusalText(action, status) };
  }
  if (NEEDS_AN_END.includes(action) && expiry_date === null) {
    return { code: 'not_renewable', message: 'La licencia no vence: no hay nada que renovar' };
  }
  return null;
}

function refusalText(action: LicenseAction, status: LicenseStatus): string {
  if (status === 'cancelled') {
    return 'La licencia está cancelada y no admite más acciones. Emite una licencia nueva.';
  }
  switch (action) {
    case 'suspend':
      return status === 'suspended'
        ? 'La licencia ya está suspendida'
        : 'Solo se suspende una licencia activa o de prueba';
    case 'renew':
      return 'La licencia está suspendida. Reactívala antes de renovarla.';
    case 'extend':
      return status === 'suspended'
        ? 'La licencia está suspendida. Reactívala antes de dar una prórroga.'
        : 'La licencia está inactiva. Renuévala en lugar de dar una prórroga.';
    default:
      // Reinstatement: the others are refused for cancelled licences alone.
      return 'La licencia no está suspendida';
  }
}
