import { MailWarning } from 'lucide-react';
import { useMailIsStored } from '../../api/email-transport.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';

/** The warning above texts about mail if there is no mail server; else nothing. */
export const NoMailServer = () =>
  useMailIsStored() ? (
    <Banner tone="warning" icon={MailWarning} title={outboxTexts.title}>
      {outboxTexts.text}
    </Banner>
  ) : null;
