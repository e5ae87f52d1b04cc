import { FileBadge, FileDown } from 'lucide-react';
import type { Can } from '../../../contract/licenses/license-can.ts';
import type { Navigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { LICENSE_ACTION_TEXTS, licenseMenuTexts } from '../../text/es-lifecycle.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { ACTIONS } from './actions/index.ts';
import { deedsOf, type LicenseDeed } from './license-deeds.ts';

/** How the menu shows something that it offers. */
const shown = (deed: LicenseDeed) =>
  deed === 'file'
    ? { label: licenseMenuTexts.file, icon: FileDown }
    : {
        label: LICENSE_ACTION_TEXTS[deed].label,
        icon: ACTIONS[deed].icon,
        ...(ACTIONS[deed].isDanger && { tone: 'danger' as const }),
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
    ...deeds.map((deed) => ({ ...shown(deed), onChoose: () => onAct(deed) })),
    {
      label: licenseMenuTexts.certificate,
      icon: FileBadge,
      onChoose: () => void navigate({ to: PATHS.certificate, params: { id: String(license.id) } }),
    },
  ];
}
