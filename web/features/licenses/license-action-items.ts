import {
  ArrowRightLeft,
  Ban,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  FileBadge,
  KeyRound,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import type { LicenseAction } from '../../../contract/license-transitions.ts';
import type { Offer } from '../../api/offers.ts';
import type { Navigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { certificateTexts } from '../../text/es-certificate.ts';
import { LICENSE_ACTION_TEXTS } from '../../text/es-lifecycle.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { type LicenseState, possibleActions } from './possible-actions.ts';

const ICONS: Record<LicenseAction, LucideIcon> = {
  renew: RefreshCw,
  extend: CalendarPlus,
  suspend: CirclePause,
  reinstate: CirclePlay,
  cancel: Ban,
  transfer: ArrowRightLeft,
  replace_key: KeyRound,
};

/**
 * The possible actions of a licence, as items of a menu; those that would be refused are left out (LIFE-05). A licence
 * with any of them has its certificate too (LIFE-12).
 */
export function actionItems(
  license: LicenseState & { id: number },
  isOffered: (offer: Offer) => boolean,
  onAct: (action: LicenseAction) => void,
  navigate: Navigate,
): MenuItem[] {
  const possible = possibleActions(license, isOffered);
  if (possible.length === 0) return [];
  return [
    ...possible.map((action) => ({
      label: LICENSE_ACTION_TEXTS[action].label,
      icon: ICONS[action],
      ...(action === 'cancel' && { tone: 'danger' as const }),
      onChoose: () => onAct(action),
    })),
    {
      label: certificateTexts.label,
      icon: FileBadge,
      onChoose: () => void navigate({ to: PATHS.certificate, params: { id: String(license.id) } }),
    },
  ];
}
