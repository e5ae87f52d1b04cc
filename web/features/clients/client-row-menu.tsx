import { KeyRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Client } from '../../../contract/clients/clients.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';

interface ClientRowMenuProps extends Omit<ComponentProps<typeof Menu>, 'items'> {
  row: Client;
  /** The row's plain actions, where it shows no buttons for them. */
  items: readonly MenuItem[];
}

/** 'Más acciones' of a client in the list: also a new licence, whose form names the client. */
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
