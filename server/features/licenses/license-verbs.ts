import type { ActionFields, LicenseAction } from '../../../contract/licenses/license-lifecycle.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { Scope } from '../../scope.ts';
import { extendLicense } from './extend-license.ts';
import { renewLicense } from './renew-license.ts';
import { cancelLicense, reinstateLicense, suspendLicense } from './suspend-license.ts';
import { replaceKey, transferLicense } from './transfer-license.ts';

type Verb<Fields> = {
  summary: string;
  /** The codes of a 409, if they differ from the usual ones. */
  refused?: string;
  /**
   * Events that it may write in addition to the action's own event, such as the cancellation of an open payment
   * request (PAY-01).
   */
  alsoWrites?: readonly EventType[];
  run: (scope: Scope, id: number, fields: Fields) => Promise<License>;
};

const ENDS_REQUEST = ['payment_request.cancelled'] as const;

/** A verb for each action in the contract; a missing verb is a compile error. */
export const LICENSE_VERBS: { [Action in LicenseAction]: Verb<ActionFields<Action>> } = {
  renew: { summary: 'Renovar una licencia', alsoWrites: ENDS_REQUEST, run: renewLicense },
  extend: {
    summary: 'Dar una prórroga',
    refused: 'La licencia no admite la acción (invalid_transition, not_renewable, already_extended)',
    run: extendLicense,
  },
  suspend: { summary: 'Suspender una licencia', run: suspendLicense },
  reinstate: { summary: 'Reactivar una licencia suspendida', run: reinstateLicense },
  cancel: { summary: 'Cancelar una licencia', alsoWrites: ENDS_REQUEST, run: cancelLicense },
  transfer: {
    summary: 'Transferir una licencia a otro cliente',
    alsoWrites: ENDS_REQUEST,
    run: transferLicense,
  },
  replace_key: { summary: 'Cambiar la clave de una licencia', run: replaceKey },
};
