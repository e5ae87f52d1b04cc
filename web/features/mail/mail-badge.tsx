import type { MailRow, MailStatus } from '../../../contract/mail/mails.ts';
import { useWasStored } from '../../api/email-transport.ts';
import { MAIL_STATUS_LABELS } from '../../text/es-mail.ts';
import { mailStates } from '../../text/es-outbox.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<MailStatus, BadgeTone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  cancelled: 'secondary',
};

/** The delivery status of a mail. */
export function MailStatusBadge({
  mail: { status, transport },
}: {
  mail: Pick<MailRow, 'status' | 'transport'>;
}) {
  const isStored = useWasStored(transport);
  return (
    <Badge tone={isStored && status === 'sent' ? 'warning' : TONES[status]}>
      {mailStates(MAIL_STATUS_LABELS, isStored)[status]}
    </Badge>
  );
}
