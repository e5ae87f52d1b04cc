import { MailWarning } from 'lucide-react';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { textButtonClass } from '../../ui/text-button.tsx';

/** The warning above texts about mail if there is no mail server; else nothing. */
export function NoMailServer() {
  const isOffered = useOffers();
  if (!useMailIsStored()) return null;
  const mayConfigure = isOffered('mail_server.save');
  return (
    <Banner
      tone="warning"
      icon={MailWarning}
      title={outboxTexts.title}
      action={
        mayConfigure && (
          <Link to={PATHS.mails} search={{ servidor: '1' }} className={textButtonClass()}>
            {outboxTexts.configure}
          </Link>
        )
      }
    >
      {mayConfigure ? outboxTexts.text : `${outboxTexts.text} ${outboxTexts.ask}`}
    </Banner>
  );
}
