import type { LicenseAction } from '../../../contract/licenses/verbs/index.ts';
import { addSeatsVerb } from './add-seats.ts';
import { cancelVerb } from './cancel-license.ts';
import { extendVerb } from './extend-license.ts';
import type { Verb } from './license-actions.ts';
import { reinstateVerb } from './reinstate-license.ts';
import { renewVerb } from './renew-license.ts';
import { replaceKeyVerb } from './replace-key.ts';
import { suspendVerb } from './suspend-license.ts';
import { transferVerb } from './transfer-license.ts';

/** What the server does for each verb of the contract; a missing verb is a compile error. */
export const LICENSE_VERBS: { [Action in LicenseAction]: Verb<Action> } = {
  renew: renewVerb,
  add_seats: addSeatsVerb,
  extend: extendVerb,
  suspend: suspendVerb,
  reinstate: reinstateVerb,
  cancel: cancelVerb,
  transfer: transferVerb,
  replace_key: replaceKeyVerb,
};
