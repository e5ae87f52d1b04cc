import { EllipsisVertical } from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import { actions } from '../../text/es.ts';
import { IconButton } from '../../ui/button.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { codeOf, lazyComponent } from '../frame/code.tsx';

/** The menu's code is only needed on narrow screens: it is loaded when the button is pressed or focused. */
const menu = codeOf(() => import('../../ui/menu.tsx'));
const Menu = lazyComponent(menu, (module) => module.Menu);
const loadMenu = () => void menu.fetch().catch(() => undefined);

/** A menu whose items depend on the row; its code is loaded like that of the plain menu. */
export interface RowMenuContent<Row> {
  load: () => void;
  /** Whether the row has its own action. */
  hasItems: (row: Row) => boolean;
  /** With the row's plain items where the row shows no buttons for them. */
  Menu: (props: OpenMenu & { row: Row; items: readonly MenuItem[] }) => ReactNode;
}

type OpenMenu = Pick<ComponentProps<typeof Menu>, 'trigger' | 'open' | 'onOpenChange'>;

interface RowMenuProps {
  /** The menu, around its button. */
  children: (menu: OpenMenu) => ReactNode;
  /** Fetches the code of the menu. */
  load?: () => void;
  className: string;
}

/** A menu with these items and no others. */
export const plainMenu = (items: readonly MenuItem[]) => (menu: OpenMenu) => <Menu {...menu} items={items} />;

/** 'Más acciones': the actions of a row in a menu. */
export function RowMenu({ children, load = loadMenu, className }: RowMenuProps) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const trigger = (
    <IconButton
      size="sm"
      icon={EllipsisVertical}
      label={actions.more}
      tooltip={false}
      className={className}
      {...(!wanted && {
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        onPointerDown: load,
        onFocus: load,
        onClick: () => {
          setWanted(true);
          setOpen(true);
        },
      })}
    />
  );
  if (!wanted) return trigger;
  return <Suspense fallback={trigger}>{children({ trigger, open, onOpenChange: setOpen })}</Suspense>;
}
