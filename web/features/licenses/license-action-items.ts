import { FileBadge, FileDown, HandCoins, type LucideIcon } from 'lucide-react';
import type { Can } from '../../../contract/licenses/license-can.ts';
import type { Navigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { licenseMenuTexts } from '../../text/es-license-action.ts';
import { chargeTexts } from '../../text/es-payments.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';
import { type MenuVerb, menuVerbsOf } from './license-menu-verbs.ts';

/** Label, icon and colour of a menu item. */
function shown(verb: MenuVerb): Omit<MenuItem, 'onChoose'> {
  if (verb === 'file' || verb === 'charge') return OTHERS[verb];
  const { label, icon, isDanger } = VERB_WORDS[verb];
  return { label, icon, ...(isDanger && { tone: 'danger' as const }) };
}

/** Menu items that are not lifecycle actions. */
const OTHERS: Record<'file' | 'charge', { label: string; icon: LucideIcon }> = {
  file: { label: licenseMenuTexts.file, icon: FileDown },
  charge: { label: chargeTexts.action, icon: HandCoins },
};

/**
 * The menu items for the actions that the server allows on a licence (LIFE-05). If there are any, the link to its
 * certificate is added (LIFE-12).
 */
export function actionItems(
  license: Can & { id: number },
  onAct: (verb: MenuVerb) => void,
  navigate: Navigate,
  mayCharge: boolean,
): MenuItem[] {
  const verbs = menuVerbsOf(license, mayCharge);
  if (verbs.length === 0) return [];
  return [
    ...verbs.map((verb) => ({ ...shown(verb), onChoose: () => onAct(verb) })),
    {
      label: licenseMenuTexts.certificate,
      icon: FileBadge,
      onChoose: () => void navigate({ to: PATHS.certificate, params: { id: String(license.id) } }),
    },
  ];
}
