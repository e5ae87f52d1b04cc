import { Mail, Phone } from 'lucide-react';
import { recordPageTexts as texts } from '../../text/es-record.ts';
import { buttonClass } from '../../ui/button.tsx';

interface ContactLinksProps {
  phone: string;
  email: string;
  /** The address as people read it, if it differs. */
  emailShown?: string | undefined;
}

/** 'Llamar' and 'Correo': what one does first with a client (DESK-05). */
export const ContactLinks = ({ phone, email, emailShown = email }: ContactLinksProps) => (
  <>
    {phone !== '' && (
      <a href={`tel:${phone}`} aria-label={texts.callTo(phone)} className={LOOK}>
        <Phone aria-hidden className="size-4 shrink-0" />
        {texts.call}
      </a>
    )}
    {email !== '' && (
      <a href={`mailto:${email}`} aria-label={texts.writeTo(emailShown)} className={LOOK}>
        <Mail aria-hidden className="size-4 shrink-0" />
        {texts.write}
      </a>
    )}
  </>
);

const LOOK = buttonClass('secondary', 'sm', 'gap-2');
