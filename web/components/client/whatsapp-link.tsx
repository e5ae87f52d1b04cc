import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import {
  keyMessage,
  reminderMessage,
  renewalMessage,
  whatsappLink,
} from '../../../contract/clients/whatsapp.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { portal } from '../../api/portal-url.ts';
import { whatsappTexts } from '../../text/es-mail.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { type ButtonSize, type ButtonVariant, buttonClass, iconButtonClass } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { ToastLink } from '../../ui/toasts.ts';
import { type PhoneClient, useMeantPhone } from './use-meant-phone.ts';
import { loadedPhones } from './use-phones.ts';

interface WhatsAppLinkProps {
  phone: string;
  client: PhoneClient;
  text: string;
  /** `icon`: only the icon, beside a key; `text`: a plain link, beside a line of text. */
  look?: 'button' | 'icon' | 'text';
  size?: ButtonSize;
  /** Of a `button`. */
  variant?: ButtonVariant;
  /** The accessible name, if a page has several of these links. It begins with the visible text. */
  label?: string;
}

/**
 * 'Enviar por WhatsApp': opens a chat with this text. Renders nothing if the phone number cannot be used (LIFE-11). For
 * a number that does not exist it first asks, with the one that was meant (INPUT-02).
 */
export function WhatsAppLink({
  phone,
  client,
  text,
  look = 'button',
  size = 'md',
  variant = 'secondary',
  label = whatsappTexts.send,
}: WhatsAppLinkProps) {
  const [open, setOpen] = useState(false);
  const meant = useMeantPhone(phone, client);
  const href = whatsappLink(phone, text);
  if (href === null && meant === null) return null;
  const props = {
    'aria-label': label,
    'data-print': 'hidden',
    'data-tooltip': look === 'icon' ? label : undefined,
    className: {
      button: buttonClass(variant, size),
      icon: iconButtonClass('quiet', 'sm'),
      text: 'inline-flex min-h-6 items-center gap-1.5 rounded-sm text-brand-text underline-offset-2 hover:underline',
    }[look],
  };
  const content = (
    <>
      <MessageCircle aria-hidden className={look === 'icon' ? 'size-4.5' : 'size-4 shrink-0'} />
      {look !== 'icon' && whatsappTexts.send}
    </>
  );
  if (meant === null)
    return (
      <a href={href ?? undefined} target="_blank" rel="noopener noreferrer" {...props}>
        {content}
      </a>
    );
  return (
    <Menu
      trigger={
        <button type="button" {...props}>
          {content}
        </button>
      }
      items={chatsOf(phone, meant, text, whatsappTexts.chat).map((chat) => ({
        ...chat,
        icon: MessageCircle,
      }))}
      open={open}
      onOpenChange={setOpen}
    />
  );
}

/** The chats with this text: with the number that was meant, and with the stored one, which the menu names. */
function chatsOf(phone: string, meant: string | null, text: string, label: string) {
  const numbers =
    meant === null
      ? [{ number: phone, named: label }]
      : [
          { number: meant, named: whatsappTexts.to(label, meant) },
          { number: phone, named: whatsappTexts.toStored(label, phone) },
        ];
  return numbers.flatMap(({ number, named }) => {
    const href = whatsappLink(number, text);
    return href === null ? [] : [{ label: named, href }];
  });
}

interface OfLicenseProps {
  license: LicenseRow;
  look?: WhatsAppLinkProps['look'];
  variant?: ButtonVariant;
}

/** A link that sends the licence key to the client. */
export const WhatsAppKey = ({ license, look, variant }: OfLicenseProps) => (
  <WhatsAppLink
    phone={license.client_phone}
    client={license.client}
    text={keyMessage(license, businessTimeZoneInUse(), new Date(), portal.url)}
    {...(look && { look })}
    {...(variant && { variant })}
  />
);

const renewalText = (license: LicenseRow) =>
  renewalMessage(license, businessTimeZoneInUse(), new Date(), portal.url);

/**
 * The chats for a licence: its key, its end if that is near, its last renewal. Empty if the phone number cannot be
 * used.
 * @param options.meant the number that was meant instead of one that does not exist (use-meant-phone.ts)
 */
export function whatsappChats(
  license: LicenseRow,
  { isDue, isRenewed, meant }: { isDue: boolean; isRenewed: boolean; meant: string | null },
): { label: string; href: string }[] {
  const context = [businessTimeZoneInUse(), new Date(), portal.url] as const;
  const texts = [
    [whatsappTexts.key, keyMessage(license, ...context)],
    [whatsappTexts.reminder, isDue ? reminderMessage(license, ...context) : null],
    [whatsappTexts.renewal, isRenewed ? renewalText(license) : null],
  ] as const;
  return texts.flatMap(([label, text]) =>
    text === null ? [] : chatsOf(license.client_phone, meant, text, label),
  );
}

/**
 * The link to a chat about a renewal, for the toast after the renewal. Undefined if the phone number cannot be used, or
 * does not exist: the menu of the licence asks then.
 */
export function whatsappOfRenewal(license: LicenseRow): ToastLink | undefined {
  if (loadedPhones()?.isPossiblePhone(license.client_phone) === false) return undefined;
  const href = whatsappLink(license.client_phone, renewalText(license));
  return href === null ? undefined : { label: whatsappTexts.send, href };
}
