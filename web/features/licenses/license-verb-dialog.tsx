import type { ComponentProps } from 'react';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { LicenseActionDialog } from './license-action-dialog.tsx';
import { LicenseFileDialog } from './license-file-dialog.tsx';
import type { MenuVerb } from './license-menu-verbs.ts';

const ChargeDialog = lazyComponent(
  codeOf(() => import('../../components/payment/charge-dialog.tsx')),
  (module) => module.ChargeDialog,
);

/** The dialog of an item in a licence's menu. */
export const LicenseVerbDialog = ({
  verb,
  ...dialog
}: ComponentProps<typeof LicenseFileDialog> & { verb: MenuVerb }) => {
  if (verb === 'file') return <LicenseFileDialog {...dialog} />;
  if (verb === 'charge') {
    const { license, ...frame } = dialog;
    return <ChargeDialog licenses={[license]} {...frame} />;
  }
  return <LicenseActionDialog {...dialog} action={verb} />;
};
