import { KeyRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Client } from '../../../contract/clients/clients.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';

interface ClientRowMenuProps extends Omit<ComponentProps<typeof Menu>, 'items'> {
  row: Client;
  /** The row's common actions, if the row shows no buttons for them. */
  items: readonly MenuItem[];
}

/** 'Más acciones' of a client in the list. It adds a new licence, whose form is prefilled with the client. */
export function ClientRowMenu({ row, items, ...menu }: ClientRowMenuProps) {
  const navigate = useNavigate();
  const newLicense: MenuItem = {
    label: clientTexts.newLicense,
    icon: KeyRound,
    onChoose: () => void navigate({ to: PATHS.licenses, search: { nuevo: '1', cliente: row.id } }),
  };
  const removal = items.filter(({ tone }) => tone === 'danger');
  const plain = items.filter((item) => !removal.includes(item));
  return <Menu {...menu} items={[...plain, newLicense, ...removal]} />;
}
