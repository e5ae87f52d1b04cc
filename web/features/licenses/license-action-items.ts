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
import type { Can } from '../../../contract/licenses/license-can.ts';
import type { Navigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { LICENSE_ACTION_TEXTS, licenseMenuTexts } from '../../text/es-lifecycle.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { deedsOf, type LicenseDeed } from './license-deeds.ts';

const ICONS: Record<LicenseDeed, LucideIcon> = {
  renew: RefreshCw,
  extend: CalendarPlus,
  suspend: CirclePause,
  reinstate: CirclePlay,
  cancel: Ban,
  transfer: ArrowRightLeft,
  replace_key: KeyRound,
  file: FileDown,
};

/**
 * What the server lets one do with a licence, as items of a menu (LIFE-05). A licence with any of them has its certificate
 * too (LIFE-12).
 */
export function actionItems(
  license: Can & { id: number },
  onAct: (deed: LicenseDeed) => void,
  navigate: Navigate,
): MenuItem[] {
  const deeds = deedsOf(license);
  if (deeds.length === 0) return [];
  return [
    ...deeds.map((deed) => ({
      label: deed === 'file' ? licenseMenuTexts.file : LICENSE_ACTION_TEXTS[deed].label,
      icon: ICONS[deed],
      ...(deed === 'cancel' && { tone: 'danger' as const }),
      onChoose: () => onAct(deed),
    })),
    {
      label: licenseMenuTexts.certificate,
      icon: FileBadge,
      onChoose: () => void navigate({ to: PATHS.certificate, params: { id: String(license.id) } }),
    },
  ];
}
