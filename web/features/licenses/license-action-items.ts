import {
  ArrowRightLeft,
  Ban,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  KeyRound,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import { actionRefusal, LICENSE_ACTIONS, type LicenseAction } from '../../../contract/license-transitions.ts';
import type { LicenseRow } from '../../../contract/licenses.ts';
import { LICENSE_ACTION_TEXTS } from '../../text/es-lifecycle.ts';
import type { MenuItem } from '../../ui/menu.tsx';

const ICONS: Record<LicenseAction, LucideIcon> = {
  renew: RefreshCw,
  extend: CalendarPlus,
  suspend: CirclePause,
  reinstate: CirclePlay,
  cancel: Ban,
  transfer: ArrowRightLeft,
  replace_key: KeyRound,
};

/** The actions that a licence's state allows, as items of a menu; those that would be refused are left out (LIFE-05). */
export const actionItems = (
  license: Pick<LicenseRow, 'status' | 'expiry_date'>,
  onAct: (action: LicenseAction) => void,
): MenuItem[] =>
  LICENSE_ACTIONS.filter((action) => actionRefusal(action, license) === null).map((action) => ({
    label: LICENSE_ACTION_TEXTS[action].label,
    icon: ICONS[action],
    ...(action === 'cancel' && { tone: 'danger' as const }),
    onChoose: () => onAct(action),
  }));
