import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { LicenseAction } from '../../../contract/license-transitions.ts';
import type { License } from '../../../contract/licenses.ts';
import { actions as words } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import { actionItems } from './license-action-items.ts';

/** 'Más acciones' of a licence: those that its state allows, each in a dialog (LIFE-05). */
export function LicenseActions({ license }: { license: License }) {
  const [open, setOpen] = useState(false);
  const [action, setAction] = useState<LicenseAction | null>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const items = actionItems(license, setAction);
  if (items.length === 0) return null;
  const close = () => setAction(null);
  return (
    <>
      <Menu
        trigger={
          <Button ref={buttonRef} size="sm" icon={Ellipsis}>
            {words.more}
          </Button>
        }
        items={items}
        open={open}
        onOpenChange={setOpen}
      />
      <DialogPlace open={action !== null}>
        {action !== null && (
          <LicenseActionDialog
            license={license}
            action={action}
            onClose={close}
            finalFocus={() => buttonRef.current}
          />
        )}
      </DialogPlace>
    </>
  );
}
