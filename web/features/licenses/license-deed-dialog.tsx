import type { ComponentProps } from 'react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { FormDialog } from '../../components/record/form-dialog.tsx';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import type { LicenseDeed } from './license-deeds.ts';
import { LicenseFileDialog } from './license-file-dialog.tsx';

interface LicenseDeedDialogProps {
  license: LicenseRow;
  deed: LicenseDeed;
  onClose: () => void;
  finalFocus: ComponentProps<typeof FormDialog>['finalFocus'];
}

/** The dialog of what the menu of a licence offers. */
export const LicenseDeedDialog = ({ deed, ...dialog }: LicenseDeedDialogProps) =>
  deed === 'file' ? <LicenseFileDialog {...dialog} /> : <LicenseActionDialog {...dialog} action={deed} />;
