import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { License } from '../../../contract/licenses.ts';
import { useOffers } from '../../api/offers.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { DialogCode } from '../../components/frame/dialog-code.tsx';
import { useNavigate } from '../../navigation/hooks.ts';
import { actions as words } from '../../text/es.ts';
import { fileTexts } from '../../text/es-signing.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import { actionItems, type LicenseDeed } from './license-action-items.ts';

const LicenseFileDialog = lazyComponent(
  codeOf(() => import('./license-file-dialog.tsx')),
  (module) => module.LicenseFileDialog,
);

/**
 * 'Más acciones' of a licence: those that its state and one's permissions allow, each in a dialog (LIFE-05), and its
 * certificate (LIFE-12).
 */
export function LicenseActions({ license }: { license: License }) {
  const [open, setOpen] = useState(false);
  const [action, setAction] = useState<LicenseDeed | null>(null);
  const navigate = useNavigate();
  const items = actionItems(license, useOffers(), setAction, navigate);
  const buttonRef = useRef<HTMLButtonElement>(null);
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
        {action === 'file' && (
          <DialogCode title={fileTexts.title} size="md" onClose={close}>
            <LicenseFileDialog license={license} onClose={close} finalFocus={() => buttonRef.current} />
          </DialogCode>
        )}
        {action !== null && action !== 'file' && (
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
