import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { BACKDROP_CLASS } from './dialog.tsx';
import { CLOSE } from './dialog-look.ts';

export interface SidebarDrawerProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The sidebar over the page, on narrow screens. */
export function SidebarDrawer({ open, title, onClose, children }: SidebarDrawerProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop data-locks-scroll className={cx(BACKDROP_CLASS, 'lg:hidden')} />
        <BaseDialog.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col bg-surface shadow-over transition-transform outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full lg:hidden">
          <BaseDialog.Title className="sr-only">{`Menú de ${title}`}</BaseDialog.Title>
          {children}
          <BaseDialog.Close
            aria-label={CLOSE}
            className="absolute top-2.5 right-3 flex size-9 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-text pointer-coarse:top-1.5 pointer-coarse:size-11"
          >
            <X aria-hidden className="size-4.5" />
          </BaseDialog.Close>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
