import type { ComponentProps } from 'react';
import { ACTIONS } from './actions/index.ts';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import type { LicenseDeed } from './license-deeds.ts';
import { LicenseFileDialog } from './license-file-dialog.tsx';

/** The dialog of what the menu of a licence offers. */
export const LicenseDeedDialog = ({
  deed,
  ...dialog
}: ComponentProps<typeof LicenseFileDialog> & { deed: LicenseDeed }) =>
  deed === 'file' ? (
    <LicenseFileDialog {...dialog} />
  ) : (
    <LicenseActionDialog {...dialog} action={ACTIONS[deed]} />
  );
