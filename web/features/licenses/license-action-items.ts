import {
  ArrowRightLeft,
  Ban,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  FileBadge,
  FileDown,
  KeyRound,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import type { LicenseAction } from '../../../contract/licenses/license-lifecycle.ts';
import { licenseRefusal } from '../../../contract/licenses/license-state.ts';
import type { SeatMode } from '../../../contract/licenses/seats.ts';
import type { Offer } from '../../api/offers.ts';
import type { Navigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { LICENSE_ACTION_TEXTS, licenseMenuTexts } from '../../text/es-lifecycle.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
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

/** What is done with a licence in a dialog: its actions, and the file for a computer without network (PROG-02). */
export type LicenseDeed = LicenseAction | 'file';

/** What an offer of the file depends on. */
type FileState = LicenseState & { grace_days: number; seat_mode?: SeatMode };

/** A file is offered for a licence that programs may use now; floating seats have none (PROG-05). */
const isFileOffered = (license: FileState, isOffered: (offer: Offer) => boolean) =>
  license.seat_mode !== 'floating' &&
  isOffered('licenses.file') &&
  licenseRefusal(license, new Date(), businessTimeZoneInUse()) === null;

/**
 * The possible actions of a licence, as items of a menu; those that would be refused are left out (LIFE-05). A licence
 * with any of them has its certificate too (LIFE-12).
 */
export function actionItems(
  license: FileState & { id: number },
  isOffered: (offer: Offer) => boolean,
  onAct: (deed: LicenseDeed) => void,
  navigate: Navigate,
): MenuItem[] {
  const possible = possibleActions(license, isOffered);
  if (possible.length === 0 && !isFileOffered(license, isOffered)) return [];
  return [
    ...possible.map((action) => ({
      label: LICENSE_ACTION_TEXTS[action].label,
      icon: ICONS[action],
      ...(action === 'cancel' && { tone: 'danger' as const }),
      onChoose: () => onAct(action),
    })),
    ...(isFileOffered(license, isOffered)
      ? [{ label: licenseMenuTexts.file, icon: FileDown, onChoose: () => onAct('file') }]
      : []),
    {
      label: licenseMenuTexts.certificate,
      icon: FileBadge,
      onChoose: () => void navigate({ to: PATHS.certificate, params: { id: String(license.id) } }),
    },
  ];
}
