import type { LicenseAction } from '../../../../contract/licenses/verbs/index.ts';
import type { ActionDefinition } from './action-definition.ts';
import { cancel } from './cancel.ts';
import { extend } from './extend.tsx';
import { reinstate } from './reinstate.tsx';
import { renew } from './renew.tsx';
import { replaceKey } from './replace-key.ts';
import { suspend } from './suspend.ts';
import { transfer } from './transfer.tsx';

/** The actions on a licence; menu, dialogs and bulk bar read this list. A missing action is a compile error. */
export const ACTIONS: Record<LicenseAction, ActionDefinition> = {
  renew,
  extend,
  suspend,
  reinstate,
  cancel,
  transfer,
  replace_key: replaceKey,
};
