import { EllipsisVertical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { actions } from '../../text/es.ts';
import { IconButton } from '../../ui/button.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { codeOf, lazyComponent } from '../frame/code.tsx';

/** The menu's code is only needed on narrow screens: it is loaded when the button is pressed or focused. */
const menu = codeOf(() => import('../../ui/menu.tsx'));
const Menu = lazyComponent(menu, (module) => module.Menu);
const loadMenu = () => void menu.fetch().catch(() => undefined);

interface RowMenuProps {
  items: readonly MenuItem[];
  className: string;
}

/** 'Más acciones': the actions of a row in a menu. */
export function RowMenu({ items, className }: RowMenuProps) {
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
        onPointerDown: loadMenu,
        onFocus: loadMenu,
        onClick: () => {
          setWanted(true);
          setOpen(true);
        },
      })}
    />
  );
  if (!wanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <Menu trigger={trigger} items={items} open={open} onOpenChange={setOpen} />
    </Suspense>
  );
}
