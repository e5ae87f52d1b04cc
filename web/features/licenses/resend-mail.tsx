import { Send } from 'lucide-react';
import type { License } from '../../../contract/licenses/licenses.ts';
import { useResendMail } from '../../components/license/use-resend-mail.ts';
import { resendTexts as texts } from '../../text/es-resend.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';

/** The button that sends the mail about the licence to its client again. */
export function ResendMail({ license, variant }: { license: License; variant: ButtonVariant }) {
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
