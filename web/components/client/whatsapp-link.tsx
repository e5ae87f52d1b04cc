import { MessageCircle } from 'lucide-react';
import {
  keyMessage,
  reminderMessage,
  renewalMessage,
  whatsappLink,
} from '../../../contract/clients/whatsapp.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { whatsappTexts } from '../../text/es-mail.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { type ButtonSize, buttonClass, iconButtonClass } from '../../ui/button.tsx';
import type { ToastLink } from '../../ui/toasts.ts';

interface WhatsAppLinkProps {
  phone: string;
  text: string;
  /** `icon`: only the icon, beside a key; `text`: a plain link, beside a line of text. */
  look?: 'button' | 'icon' | 'text';
  size?: ButtonSize;
  /** The accessible name, if a page has several of these links. It begins with the visible text. */
  label?: string;
}

/**
 * 'Enviar por WhatsApp': opens a chat with this text. Renders nothing if the phone number cannot be used (LIFE-11).
 */
export function WhatsAppLink({
  phone,
  text,
  look = 'button',
  size = 'md',
  label = whatsappTexts.send,
}: WhatsAppLinkProps) {
  const href = whatsappLink(phone, text);
  if (href === null) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={label}
      data-print="hidden"
      data-tooltip={look === 'icon' ? label : undefined}
      className={
        {
          button: buttonClass('secondary', size),
          icon: iconButtonClass('quiet', 'sm'),
          text: 'inline-flex min-h-6 items-center gap-1.5 rounded-sm text-brand-text underline-offset-2 hover:underline',
        }[look]
      }
    >
      <MessageCircle aria-hidden className={look === 'icon' ? 'size-4.5' : 'size-4 shrink-0'} />
      {look !== 'icon' && whatsappTexts.send}
    </a>
  );
}

interface OfLicenseProps {
  license: LicenseRow;
  look?: WhatsAppLinkProps['look'];
}

/** A link that sends the licence key to the client. */
export const WhatsAppKey = ({ license, look }: OfLicenseProps) => (
  <WhatsAppLink
    phone={license.client_phone}
    text={keyMessage(license, businessTimeZoneInUse(), new Date())}
    {...(look && { look })}
  />
);

const renewalText = (license: LicenseRow) => renewalMessage(license, businessTimeZoneInUse(), new Date());

/**
 * The chats for a licence: its key, its end if that is near, its last renewal. Empty if the phone number cannot be
 * used.
 */
export function whatsappChats(
  license: LicenseRow,
  { isDue, isRenewed }: { isDue: boolean; isRenewed: boolean },
): { label: string; href: string }[] {
  const [zone, now] = [businessTimeZoneInUse(), new Date()];
  const texts = [
    [whatsappTexts.key, keyMessage(license, zone, now)],
    [whatsappTexts.reminder, isDue ? reminderMessage(license, zone, now) : null],
    [whatsappTexts.renewal, isRenewed ? renewalText(license) : null],
  ] as const;
  return texts.flatMap(([label, text]) => {
    const href = text === null ? null : whatsappLink(license.client_phone, text);
    return href === null ? [] : [{ label, href }];
  });
}

/**
 * The link to a chat about a renewal, for the toast after the renewal. Undefined if the phone number cannot be used.
 */
export function whatsappOfRenewal(license: LicenseRow): ToastLink | undefined {
  const href = whatsappLink(license.client_phone, renewalText(license));
  return href === null ? undefined : { label: whatsappTexts.send, href };
}
