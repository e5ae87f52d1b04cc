import { EllipsisVertical } from 'lucide-react';
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { actions } from '../../text/es.ts';
import { IconButton } from '../../ui/button.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';

/** The menu is needed only on narrow screens, so its code is loaded when the button is pressed or focused. */
const menu = codeOf(() => import('../../ui/menu.tsx'));
const Menu = lazyComponent(menu, (module) => module.Menu);
const loadMenu = () => void menu.fetch().catch(() => undefined);

/** A menu whose items depend on the row. Its code is loaded like that of the plain menu. */
export interface RowMenuContent<Row> {
  load: () => void;
  /** True if the row has a special action. */
  hasItems: (row: Row) => boolean;
  /** The menu. It also gets the row's common items if the row shows no buttons for them. */
  Menu: (props: OpenMenu & { row: Row; items: readonly MenuItem[] }) => ReactNode;
}

type OpenMenu = Pick<ComponentProps<typeof Menu>, 'trigger' | 'open' | 'onOpenChange'>;

interface RowMenuProps {
  /** The menu, which wraps its button. */
  children: (menu: OpenMenu) => ReactNode;
  /** Loads the code of the menu. */
  load?: () => void;
  className?: string;
  /** Another button than that of a row. */
  button?: ReactElement<ComponentProps<'button'>>;
}

/** A menu with these items and no others. */
export const plainMenu = (items: readonly MenuItem[]) => (menu: OpenMenu) => <Menu {...menu} items={items} />;

/** 'Más acciones': the actions of a row in a menu. */
export function RowMenu({ children, load = loadMenu, className, button }: RowMenuProps) {
  const [open, setOpen] = useState(false);
  const [requested, setRequested] = useState(false);
  const untilLoaded = requested
    ? {}
    : ({
        'aria-haspopup': 'menu',
        'aria-expanded': false,
        onPointerDown: load,
        onFocus: load,
        onClick: () => {
          setRequested(true);
          setOpen(true);
        },
      } as const);
  const trigger = button ? (
    cloneElement(button, untilLoaded)
  ) : (
    <IconButton
      size="sm"
      icon={EllipsisVertical}
      label={actions.more}
      tooltip={false}
      className={className}
      {...untilLoaded}
    />
  );
  if (!requested) return trigger;
  return <Suspense fallback={trigger}>{children({ trigger, open, onOpenChange: setOpen })}</Suspense>;
}
