import type { ComponentProps } from 'react';
import { ACTIONS } from './actions/index.ts';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import { LicenseFileDialog } from './license-file-dialog.tsx';
import type { MenuVerb } from './license-menu-verbs.ts';

/** The dialog of what the menu of a licence offers. */
export const LicenseVerbDialog = ({
  verb,
  ...dialog
}: ComponentProps<typeof LicenseFileDialog> & { verb: MenuVerb }) =>
  verb === 'file' ? (
    <LicenseFileDialog {...dialog} />
  ) : (
    <LicenseActionDialog {...dialog} action={ACTIONS[verb]} />
  );
