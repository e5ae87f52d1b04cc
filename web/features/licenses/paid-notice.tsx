import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Can } from '../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { licenseQuery } from '../../components/license/licenses.api.ts';
import { actions } from '../../text/es.ts';
import { paidTexts as texts } from '../../text/es-license-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { VERB_WORDS } from '../../verbs/index.ts';

interface PaidNoticeProps {
  license: LicenseRow & Can;
  /** Called with the licence as it is now. */
  onCancelLicense: (license: LicenseRow & Can) => void;
  onClose: () => void;
  finalFocus: ComponentProps<typeof Dialog>['finalFocus'];
}

/** Why a licence that was paid is not deleted, with the way to cancel it (INPUT-18). */
export function PaidNotice({ license, onCancelLicense, onClose, finalFocus }: PaidNoticeProps) {
  // The payment may be newer than the row in the list.
  const { data: current = license, isFetching } = useQuery(licenseQuery(license.id));
  const mayCancel = current.can.includes('cancel');
  return (
    <Dialog
      open
      size="sm"
      title={texts.title}
      onClose={onClose}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant={mayCancel ? 'secondary' : 'primary'} onClick={onClose}>
            {actions.close}
          </Button>
          {mayCancel && (
            <Button variant="danger" busy={isFetching} onClick={() => onCancelLicense(current)}>
              {VERB_WORDS.cancel.label}
            </Button>
          )}
        </>
      }
    >
      <p>{texts.why}</p>
      {mayCancel && <p className="mt-2">{texts.instead}</p>}
    </Dialog>
  );
}
