import { useState } from 'react';
import type { PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import { payInWords, portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import { Failure } from '../ui/banner.tsx';
import { Button, type ButtonVariant } from '../ui/button.tsx';
import { RequestQuestion } from './ask-request.tsx';
import { dueActionOf } from './license-state.ts';
import { refusalOf } from './refusal.ts';
import { useSession } from './session.ts';
import { usePayment } from './use-payment.ts';

interface DueActionProps {
  license: PortalLicenseRow;
  /** Not filled where several licences have such a button. */
  variant?: ButtonVariant;
  /** Describes the button where the licence is not its page: the name of the licence. */
  of?: string;
  /** Called with a message after a request was sent. */
  onDone: (said: string) => void;
}

/**
 * The one button of a licence that has ended or soon ends: to pay, or to ask for its renewal (DESK-08, decision 145).
 * Nothing for other licences, and where neither is offered.
 */
export function DueAction({ license, ...rest }: DueActionProps) {
  const action = dueActionOf(license);
  if (action === 'pay') return <PayButton license={license} {...rest} />;
  return action === 'request' && <RenewalButton license={license} {...rest} />;
}

const nameOf = (label: string, of: string | undefined) => (of === undefined ? undefined : `${label}: ${of}`);

function PayButton({ license, variant = 'primary', of }: DueActionProps) {
  const { readOnly } = useSession();
  const { busy, error, pay } = usePayment(license.id);
  const label = payInWords(license.pay);
  return (
    <>
      {license.pay?.sold && <p className="mb-2 font-medium text-warning-text">{texts.unpaid}</p>}
      <Button
        size="lg"
        variant={variant}
        busy={busy}
        busyLabel={texts.opening}
        disabled={readOnly}
        aria-label={nameOf(label, of)}
        onClick={pay}
        className="max-sm:w-full"
      >
        {label}
      </Button>
      <Failure text={error && refusalOf(error)} />
    </>
  );
}

function RenewalButton({ license, variant = 'primary', of, onDone }: DueActionProps) {
  const { readOnly } = useSession();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        size="lg"
        variant={variant}
        disabled={readOnly}
        aria-label={nameOf(texts.renew, of)}
        onClick={() => setOpen(true)}
        className="max-sm:w-full"
      >
        {texts.renew}
      </Button>
      {isOpen && (
        <RequestQuestion
          license={license}
          first="renewal"
          onClose={close}
          onDone={(said) => {
            close();
            onDone(said);
          }}
        />
      )}
    </>
  );
}
