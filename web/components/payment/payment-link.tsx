import { paymentMessage } from '../../../contract/clients/whatsapp.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { paymentTexts as texts } from '../../text/es-payments.ts';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { WhatsAppLink } from '../client/whatsapp-link.tsx';
import { isPartial } from './partial.ts';

interface PaymentLinkProps {
  request: PaymentRequest;
  /** The client's phone. Without a usable number there is no link to a chat. */
  phone: string;
}

/** The address of the payment page, with buttons to copy it and to send it in a chat (PAY-07). */
export const PaymentLink = ({ request, phone }: PaymentLinkProps) => (
  <div className="space-y-3">
    <p translate="no" className="rounded-lg bg-sunken px-3 py-2 font-mono text-xs/5 wrap-anywhere">
      <span className="sr-only">{`${texts.link}: `}</span>
      {request.url}
    </p>
    <PaymentLinkButtons request={request} phone={phone} size="md" />
  </div>
);

/** Only the buttons of {@link PaymentLink}: copying the link, and sending it by WhatsApp. */
export const PaymentLinkButtons = ({ request, phone, size }: PaymentLinkProps & { size: 'sm' | 'md' }) => (
  <div className="flex flex-wrap gap-2">
    <CopyButton text={request.url} label={texts.copyLink} copiedLabel={texts.copied} size={size} />
    <WhatsAppLink
      phone={phone}
      client={request.client}
      text={paymentMessage(
        { ...request, expires_at: isPartial(request) ? null : request.expires_at },
        formatPrice(request.due, request.currency),
        businessTimeZoneInUse(),
      )}
      size={size}
    />
  </div>
);
