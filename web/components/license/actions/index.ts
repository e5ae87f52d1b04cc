import type { LicenseAction } from '../../../../contract/licenses/verbs/index.ts';
import type { ActionDefinition } from './action-definition.ts';
import { addSeats } from './add-seats.tsx';
import { extend } from './extend.tsx';
import { reinstate } from './reinstate.tsx';
import { renew } from './renew.tsx';
import { transfer } from './transfer.tsx';

const NONE: ActionDefinition = { blank: {}, body: () => ({}) };

/** The verbs with fields of their own. */
const OWN_FIELDS: Partial<Record<LicenseAction, ActionDefinition>> = {
  renew,
  add_seats: addSeats,
  extend,
  reinstate,
  transfer,
};

/** The own fields of a verb. */
export const ownFields = (action: LicenseAction): ActionDefinition => OWN_FIELDS[action] ?? NONE;
