import { Send } from 'lucide-react';
import type { License } from '../../../contract/licenses/licenses.ts';
import { errorMessage } from '../../api/api-error.ts';
import { mailIsStored } from '../../api/email-transport.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useResendEmail } from './licenses.api.ts';

/** Sends the licence's mail to its client again. */
export function ResendMail({ license, variant }: { license: License; variant: ButtonVariant }) {
  const { email: texts } = licenseRecordTexts;
  const resend = useResendEmail();
  const [send, sending] = useOneAtATime(async () => {
    try {
      await resend.mutateAsync(license.id);
      toasts.success(
        texts.resent,
        mailIsStored() ? outboxTexts.stored : texts.resentText(license.client_email),
      );
    } catch (error) {
      toasts.error(texts.resendFailed, errorMessage(error));
    }
  });
  return (
    <Button size="sm" variant={variant} icon={Send} busy={sending} busyLabel={texts.resending} onClick={send}>
      {texts.resend}
    </Button>
  );
}
