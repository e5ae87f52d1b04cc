import { MailWarning } from 'lucide-react';
import { useMailIsStored } from '../../api/email-transport.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';

/** Above what speaks of mail: that there is no mail server. Nothing where there is one. */
export const NoMailServer = () =>
  useMailIsStored() ? (
    <Banner tone="warning" icon={MailWarning} title={outboxTexts.title}>
      {outboxTexts.text}
    </Banner>
  ) : null;
