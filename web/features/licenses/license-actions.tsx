import {
  ArrowRightLeft,
  Ban,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  Ellipsis,
  KeyRound,
  type LucideIcon,
  RefreshCw,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { actionRefusal, LICENSE_ACTIONS, type LicenseAction } from '../../../contract/license-lifecycle.ts';
import type { License } from '../../../contract/licenses.ts';
import { actions as words } from '../../text/es.ts';
import { LICENSE_ACTION_TEXTS } from '../../text/es-lifecycle.ts';
import { Button } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { LicenseActionDialog } from './license-action-dialog.tsx';

const ICONS: Record<LicenseAction, LucideIcon> = {
  renew: RefreshCw,
  extend: CalendarPlus,
  suspend: CirclePause,
  reinstate: CirclePlay,
  cancel: Ban,
  transfer: ArrowRightLeft,
  replace_key: KeyRound,
};

/** 'Más acciones' of a licence: those that its state allows, each in a dialog (LIFE-05). */
export function LicenseActions({ license }: { license: License }) {
  const [open, setOpen] = useState(false);
  const [action, setAction] = useState<LicenseAction | null>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const possible = LICENSE_ACTIONS.filter((name) => actionRefusal(name, license) === null);
  if (possible.length === 0) return null;
  const close = () => setAction(null);
  return (
    <>
      <Menu
        trigger={
          <Button ref={buttonRef} size="sm" icon={Ellipsis}>
            {words.more}
          </Button>
        }
        items={possible.map((name) => ({
          label: LICENSE_ACTION_TEXTS[name].label,
          icon: ICONS[name],
          ...(name === 'cancel' && { tone: 'danger' as const }),
          onChoose: () => setAction(name),
        }))}
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
