import { CircleHelp } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { whyTexts } from '../../text/es-why.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { actionItems } from './license-action-items.ts';
import type { RowVerb } from './license-menu-verbs.ts';

interface LicenseRowMenuProps extends Omit<ComponentProps<typeof Menu>, 'items'> {
  row: LicenseRowAnswer;
  /** The row's common actions, if the row shows no buttons for them. */
  items: readonly MenuItem[];
  onAct: (license: LicenseRowAnswer, verb: RowVerb) => void;
}

/**
 * 'Más acciones' of a licence in the list: '¿Por qué?', the actions that the server allows (LIFE-05), and the
 * certificate.
 */
export function LicenseRowMenu({ row, items, onAct, ...menu }: LicenseRowMenuProps) {
  const mayCharge = useOffers()('payment_requests.create');
  const possible = actionItems(row, (verb) => onAct(row, verb), useNavigate(), mayCharge);
  const ask = { label: whyTexts.ask, icon: CircleHelp, onChoose: () => onAct(row, 'why') };
  const removal = items.filter(({ tone }) => tone === 'danger');
  const plain = items.filter((item) => !removal.includes(item));
  return <Menu {...menu} items={[...plain, ask, ...possible, ...removal]} />;
}
