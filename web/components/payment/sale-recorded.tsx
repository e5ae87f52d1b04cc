import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { salePaymentTexts as texts } from '../../text/es-sale-payment.ts';
import { formatPrice } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { requestOfSale } from './after-paid-sale.ts';
import { isPartial } from './partial.ts';
import { PaymentLinkButtons } from './payment-link.tsx';
import { RequestLink } from './request-link.tsx';

const saleQuery = (license: number) =>
  queryOptions({
    queryKey: [KEYS.payment_requests, 'of sale', license],
    queryFn: ({ signal }) => requestOfSale(license, signal),
    staleTime: 0,
  });

interface SaleRecordedProps {
  /** A licence that was just sold. */
  license: number;
  /** The client's phone. */
  phone: string;
}

/** After a sale: the payment that was noted with it, or the link on which the client pays (MONEY-05). */
export function SaleRecorded({ license, phone }: SaleRecordedProps) {
  const mayRead = useMay()('payments:read');
  const { data } = useQuery({ ...saleQuery(license), enabled: mayRead });
  if (!data) return null;
  const { state, currency, paid_amount, due, expires_at } = data;
  const inWords = (sum: number) => formatPrice(sum, currency);
  const isOpen = state === 'open';
  return (
    <Banner
      tone={isOpen ? 'info' : 'success'}
      title={
        isPartial(data)
          ? texts.recordedPart(inWords(paid_amount), inWords(due))
          : isOpen
            ? texts.created(inWords(due), expires_at)
            : texts.recorded(inWords(paid_amount))
      }
    >
      {isOpen ? (
        <>
          <p className="mb-2">{texts.send}</p>
          <PaymentLinkButtons request={data} phone={phone} size="sm" />
        </>
      ) : (
        <RequestLink id={data.id}>{texts.see}</RequestLink>
      )}
    </Banner>
  );
}
