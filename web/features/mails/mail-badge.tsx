import type { MailStatus } from '../../../contract/mails.ts';
import { MAIL_STATUS_LABELS } from '../../text/es-mail.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<MailStatus, BadgeTone> = {
  queued: 'info',
  sent: 'success',
  failed: 'danger',
  cancelled: 'secondary',
};

/** Whether a mail was delivered. */
export const MailStatusBadge = ({ status }: { status: MailStatus }) => (
  <Badge tone={TONES[status]}>{MAIL_STATUS_LABELS[status]}</Badge>
);
