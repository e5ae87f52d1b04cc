import type { ComponentProps } from 'react';
import type { Can } from '../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { LicenseActionDialog } from '../../components/license/license-action-dialog.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { LicenseFileDialog } from './license-file-dialog.tsx';
import type { MenuVerb } from './license-menu-verbs.ts';
import { PaidNotice } from './paid-notice.tsx';

const ChargeDialog = lazyComponent(
  codeOf(() => import('../../components/charge/charge-dialog.tsx')),
  (module) => module.ChargeDialog,
);

interface LicenseVerbDialogProps extends ComponentProps<typeof LicenseFileDialog> {
  license: LicenseRow & Can;
  verb: MenuVerb | 'paid';
  /** Opens the dialog of another item instead. */
  onAct?: (license: LicenseRow & Can, verb: MenuVerb) => void;
}

/** The dialog of an item in a licence's menu. */
export const LicenseVerbDialog = ({ verb, onAct, ...dialog }: LicenseVerbDialogProps) => {
  if (verb === 'paid')
    return <PaidNotice {...dialog} onCancelLicense={(license) => onAct?.(license, 'cancel')} />;
  if (verb === 'file') return <LicenseFileDialog {...dialog} />;
  if (verb === 'charge') {
    const { license, ...frame } = dialog;
    return <ChargeDialog licenses={[license]} {...frame} />;
  }
  return <LicenseActionDialog {...dialog} action={verb} />;
};
