import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { License } from '../../../contract/licenses.ts';
import { useOffers } from '../../api/offers.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { actions as words } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { actionItems, type LicenseDeed } from './license-action-items.ts';
import { LicenseDeedDialog } from './license-deed-dialog.tsx';

/**
 * 'Más acciones' of a licence: those that its state and one's permissions allow, each in a dialog (LIFE-05), and its
 * certificate (LIFE-12).
 */
export function LicenseActions({ license }: { license: License }) {
  const [open, setOpen] = useState(false);
  const [deed, setDeed] = useState<LicenseDeed | null>(null);
  const navigate = useNavigate();
  const items = actionItems(license, useOffers(), setDeed, navigate);
  const buttonRef = useRef<HTMLButtonElement>(null);
  if (items.length === 0) return null;
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
      <DialogPlace open={deed !== null}>
        {deed !== null && (
          <LicenseDeedDialog
            license={license}
            deed={deed}
            onClose={() => setDeed(null)}
            finalFocus={() => buttonRef.current}
          />
        )}
      </DialogPlace>
    </>
  );
}
