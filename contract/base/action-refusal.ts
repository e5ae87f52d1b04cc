import {
  type ActionRefusalCode,
  type LicenseAction,
  refusalCode,
  type TransitionState,
} from '../licenses/license-transitions.ts';
import type { LicenseStatus } from '../licenses/licenses.ts';

/** Why an action is not possible: a code and a text that says what to do first. */
export type ActionRefusal = { code: ActionRefusalCode; message: string };

/**
 * The guard of an action with its words; the list of licences, which only offers what is possible, does not load them.
 * @returns null when the action is possible
 */
export function actionRefusal(action: LicenseAction, state: TransitionState): ActionRefusal | null {
  const code = refusalCode(action, state);
  if (code === null) return null;
  if (code === 'not_renewable') return { code, message: 'La licencia no vence: no hay nada que renovar' };
  return { code, message: refusalText(action, state.status) };
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
