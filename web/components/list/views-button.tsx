import { Bookmark } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ViewScreen } from '../../../contract/base/views.ts';
import { viewsTitle } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';

/** The panel's code is rarely used, so it is loaded when the button gets the pointer or the focus. */
const menu = codeOf(() => import('./views-menu.tsx'));
const ViewsMenu = lazyComponent(menu, (module) => module.ViewsMenu);
const loadMenu = () => void menu.fetch().catch(() => undefined);

export interface ListViews {
  screen: ViewScreen;
  ready: readonly { name: string; query: string }[];
}

interface ViewsButtonProps extends ListViews {
  current: string;
  onChoose: (query: string) => void;
}

/** The button 'Vistas' of a list's toolbar (LIST-03). */
export function ViewsButton(views: ViewsButtonProps) {
  const [open, setOpen] = useState(false);
  const [requested, setRequested] = useState(false);
  const trigger = (
    <Button
      icon={Bookmark}
      {...(!requested && {
        'aria-haspopup': 'dialog',
        'aria-expanded': false,
        onPointerEnter: loadMenu,
        onFocus: loadMenu,
        onClick: () => {
          setRequested(true);
          setOpen(true);
        },
      })}
    >
      {viewsTitle}
    </Button>
  );
  if (!requested) return trigger;
  return (
    <Suspense fallback={trigger}>
      <ViewsMenu {...views} trigger={trigger} open={open} onOpenChange={setOpen} />
    </Suspense>
  );
}
