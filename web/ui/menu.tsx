import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { cx } from './cx.ts';

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  tone?: 'quiet' | 'danger';
  onChoose?: () => void;
  /** If set, the item is a link that opens another page in a new window. */
  href?: string;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A menu of actions beside its button: arrow keys and letters move, Enter chooses, Escape closes. */
export function Menu({ trigger, items, open, onOpenChange }: MenuProps) {
  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align="end" sideOffset={4} collisionPadding={16} className="z-45">
          <BaseMenu.Popup className="max-w-[calc(100vw-2rem)] min-w-44 rounded-xl border border-border bg-raised p-1 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {items.map(({ label, icon: Icon, tone, onChoose, href }) => {
              const look = cx(
                'flex min-h-9 items-center gap-2.5 rounded-lg px-2.5 outline-none select-none data-highlighted:bg-sunken pointer-coarse:min-h-11',
                tone === 'danger' && 'text-critical-text',
              );
              const content = (
                <>
                  <Icon aria-hidden className="size-4 shrink-0" />
                  {label}
                </>
              );
              return href === undefined ? (
                <BaseMenu.Item key={label} onClick={onChoose} className={look}>
                  {content}
                </BaseMenu.Item>
              ) : (
                <BaseMenu.LinkItem
                  key={label}
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  closeOnClick
                  className={look}
                >
                  {content}
                </BaseMenu.LinkItem>
              );
            })}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
