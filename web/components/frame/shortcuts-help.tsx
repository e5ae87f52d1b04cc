import { shortcutsTitle } from '../../text/es-layout.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { DialogCode } from '../screen/dialog-code.tsx';
import { setShortcutsOpen, useUi } from '../screen/ui-store.ts';

const ShortcutsDialog = lazyComponent(
  codeOf(() => import('../shortcuts/shortcuts-dialog.tsx')),
  (module) => module.ShortcutsDialog,
);

const close = () => setShortcutsOpen(false);

/** Renders the dialog 'Atajos de teclado' when '?' or the palette opens it. */
export function ShortcutsHelp() {
  const open = useUi((state) => state.modals.shortcuts);
  return (
    <DialogPlace open={open}>
      {open && (
        <DialogCode title={shortcutsTitle} onClose={close}>
          <ShortcutsDialog onClose={close} />
        </DialogCode>
      )}
    </DialogPlace>
  );
}
