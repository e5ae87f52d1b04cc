import { Send } from 'lucide-react';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { resendTexts as texts } from '../../text/es-resend.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';
import { useResendMail } from './use-resend-mail.ts';

/** The button that sends the mail about the licence to its client again. */
export function ResendMail({ license, variant }: { license: LicenseRow; variant: ButtonVariant }) {
  const [send, sending] = useResendMail(license);
  return (
    <Button
      size="sm"
      variant={variant}
      icon={Send}
      busy={sending}
      busyLabel={texts.resending}
      onClick={() => void send()}
    >
      {texts.resend}
    </Button>
  );
}
