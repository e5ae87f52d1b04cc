import type { ComponentProps } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { actionItems } from './license-action-items.ts';
import type { MenuVerb } from './license-menu-verbs.ts';

interface LicenseRowMenuProps extends Omit<ComponentProps<typeof Menu>, 'items'> {
  row: LicenseRowAnswer;
  /** The row's plain actions, where it shows no buttons for them. */
  items: readonly MenuItem[];
  onAct: (license: LicenseRowAnswer, verb: MenuVerb) => void;
}

/** 'Más acciones' of a licence in the list: those that the server allows (LIFE-05), and its certificate. */
export function LicenseRowMenu({ row, items, onAct, ...menu }: LicenseRowMenuProps) {
  const possible = actionItems(row, (verb) => onAct(row, verb), useNavigate());
  const removal = items.filter(({ tone }) => tone === 'danger');
  const plain = items.filter((item) => !removal.includes(item));
  return <Menu {...menu} items={[...plain, ...possible, ...removal]} />;
}
