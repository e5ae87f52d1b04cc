import type { ComponentProps } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { actionItems, type LicenseDeed } from './license-action-items.ts';

interface LicenseRowMenuProps extends Omit<ComponentProps<typeof Menu>, 'items'> {
  row: LicenseRow;
  /** The row's plain actions, where it shows no buttons for them. */
  items: readonly MenuItem[];
  onAct: (license: LicenseRow, deed: LicenseDeed) => void;
}

/** 'Más acciones' of a licence in the list: those that its state allows (LIFE-05), and its certificate. */
export function LicenseRowMenu({ row, items, onAct, ...menu }: LicenseRowMenuProps) {
  const possible = actionItems(row, useOffers(), (deed) => onAct(row, deed), useNavigate());
  const removal = items.filter(({ tone }) => tone === 'danger');
  const plain = items.filter((item) => !removal.includes(item));
  return <Menu {...menu} items={[...plain, ...possible, ...removal]} />;
}
