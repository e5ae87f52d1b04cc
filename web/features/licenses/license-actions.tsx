import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import type { LicenseAnswer } from '../../../contract/licenses/license-can.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { actions as words } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { actionItems } from './license-action-items.ts';
import type { MenuVerb } from './license-menu-verbs.ts';
import { LicenseVerbDialog } from './license-verb-dialog.tsx';

interface LicenseActionsProps {
  license: LicenseAnswer;
  /** Whether the address asks for the renewal; where that is not possible, nothing opens. */
  renews: boolean;
  /** Called once the question of the address is closed. */
  onRenewed: () => void;
}

/**
 * 'Más acciones' of a licence: those that the server allows, each in a dialog (LIFE-05), and its
 * certificate (LIFE-12).
 */
export function LicenseActions({ license, renews, onRenewed }: LicenseActionsProps) {
  const [open, setOpen] = useState(false);
  const [chosen, setVerb] = useState<MenuVerb | null>(null);
  const navigate = useNavigate();
  const items = actionItems(license, setVerb, navigate);
  const asked = renews && license.can.includes('renew') ? 'renew' : null;
  const verb = chosen ?? asked;
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
      <DialogPlace open={verb !== null}>
        {verb !== null && (
          <LicenseVerbDialog
            license={license}
            verb={verb}
            onClose={() => {
              setVerb(null);
              if (asked !== null) onRenewed();
            }}
            finalFocus={() => buttonRef.current}
          />
        )}
      </DialogPlace>
    </>
  );
}
