import { queryOptions, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Printer } from 'lucide-react';
import { receiptMessage } from '../../../contract/clients/whatsapp.ts';
import type { PayReceipt } from '../../../contract/payments/pay-page.ts';
import type { PaymentRequestDetails } from '../../../contract/payments/payment-requests.ts';
import { RECEIPT_PARAMETER, RECEIPT_PATH } from '../../../contract/payments/payment-words.ts';
import { request } from '../../api/http.ts';
import { useMay } from '../../api/permissions.ts';
import { KEYS } from '../../api/query-keys.ts';
import { WhatsAppLink } from '../../components/client/whatsapp-link.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordId, useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { ReceiptSheet } from '../../portal/pay/receipt-sheet.tsx';
import { apiOf } from '../../record-kinds.ts';
import { receiptTexts } from '../../text/es-pay.ts';
import { staffReceiptTexts as texts } from '../../text/es-transfers.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { readReceiptSearch } from './payments-search.ts';

type Found = { asked: PaymentRequestDetails; receipt: PayReceipt };

/** A receipt as staff see it: with the client's name and tax id (MONEY-12). */
const receiptQuery = (id: number, payment: number | undefined) =>
  queryOptions({
    queryKey: [KEYS.payment_requests, 'receipt', id, payment],
    queryFn: async ({ signal }): Promise<Found> => {
      const asked = await request<PaymentRequestDetails>('GET', apiOf('payment_requests', id), { signal });
      const code = asked.url.split('/').at(-1);
      const receipt = await request<PayReceipt>('GET', `/licenses/api/pay/${code}/receipt/`, {
        query: { payment },
        signal,
      });
      return { asked, receipt };
    },
    staleTime: 0,
  });

/** 'Recibo': the receipt of a payment to print, and to send by WhatsApp. */
export function ReceiptPage() {
  const id = useRecordId();
  const { payment } = useSearch(readReceiptSearch);
  const query = useQuery(receiptQuery(id, payment));
  return (
    <div className="mx-auto max-w-3xl space-y-6 print:max-w-none print:space-y-0">
      <div className="flex flex-wrap items-center justify-between gap-3" data-print="hidden">
        <Link
          to={PATHS.paymentRequest}
          params={{ id: String(id) }}
          preload={false}
          className={buttonClass('secondary', 'md')}
        >
          <ArrowLeft aria-hidden className="size-4" />
          {texts.back}
        </Link>
        <div className="flex flex-wrap gap-2">
          {query.data !== undefined && <SendReceipt {...query.data} />}
          <Button
            variant="primary"
            icon={Printer}
            disabled={query.data === undefined}
            onClick={() => window.print()}
          >
            {receiptTexts.print}
          </Button>
        </div>
      </div>
      <RecordState query={query} texts={texts.record}>
        {({ receipt }) => <ReceiptSheet receipt={receipt} />}
      </RecordState>
    </div>
  );
}

/** A chat with the client, with the address under which it sees the receipt. */
function SendReceipt({ asked, receipt }: Found) {
  const mayRead = useMay()('clients:read');
  const { data: client } = useQuery({ ...clientQuery(asked.client.id), enabled: mayRead });
  const url = `${asked.url}/${RECEIPT_PATH}?${RECEIPT_PARAMETER}=${receipt.payment}`;
  return (
    client !== undefined && (
      <WhatsAppLink
        phone={client.phone}
        client={client}
        text={receiptMessage(asked.client.name, receipt.number, url)}
      />
    )
  );
}
