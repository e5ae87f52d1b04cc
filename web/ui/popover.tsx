import { Popover as BasePopover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';

interface PopoverProps {
  /** The button that opens the panel: a `Button` or an `IconButton`. */
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  /** True: the panel may be higher, for a form. */
  tall?: boolean;
  align?: 'start' | 'center' | 'end';
  /** If set, the caller controls the state, so that a link inside can close the panel. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A small panel beside its button. Escape, a click outside or leaving it with Tab closes it. */
export function Popover({
  trigger,
  title,
  children,
  align = 'end',
  tall = false,
  open,
  onOpenChange,
}: PopoverProps) {
  return (
    <BasePopover.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner align={align} sideOffset={8} collisionPadding={16} className="z-45">
          <BasePopover.Popup className="w-88 max-w-(--available-width) rounded-xl border border-border bg-raised shadow-float transition-opacity outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
            <BasePopover.Title className="border-b border-border px-4 py-3 text-sm font-semibold">
              {title}
            </BasePopover.Title>
            <div
              className={cx(
                'overflow-y-auto p-2',
                tall
                  ? 'max-h-[max(12rem,min(36rem,var(--available-height)-4rem))]'
                  : // On a phone the rest of the window is reserved for toasts.
                    'max-h-72 sm:max-h-96',
              )}
            >
              {children}
            </div>
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
