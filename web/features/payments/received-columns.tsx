import { Eye, Undo2 } from 'lucide-react';
import { PAYMENT_METHOD_LABELS, PAYMENT_PROVIDER_LABELS } from '../../../contract/payments/payment-words.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { Absent, dateColumn, menuColumn, NAME_LINK, statusColumn } from '../../components/list/columns.tsx';
import { formatPaid } from '../../components/payment/paid-amount.ts';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import type { Column } from '../../ui/table-columns.ts';
import { isRefundable } from './amounts.ts';
import { PaymentBadge } from './payment-badge.tsx';
import { refundTexts, receivedTexts as texts } from './payments-texts.ts';

const { columns } = texts;

interface ReceivedActions {
  /** Null for people who may not refund. */
  refund: ((payment: Payment) => void) | null;
  see: (payment: Payment) => void;
}

/** The columns of the payments. */
export const receivedColumns = ({ refund, see }: ReceivedActions): readonly Column<Payment>[] => [
  {
    key: 'client',
    phone: 'title',
    header: columns.client,
    min: 9,
    cell: ({ client, payment_request: id }) => (
      <>
        <Link
          to={PATHS.paymentRequest}
          params={{ id: String(id) }}
          state={OVER_LIST}
          preload={false}
          className={NAME_LINK}
        >
          <bdi>{client.name}</bdi>
        </Link>
        <p className="text-xs text-muted @max-[36rem]/data-table:hidden">{texts.requestOf(id)}</p>
      </>
    ),
  },
  {
    key: 'amount',
    phone: 'right',
    header: columns.amount,
    align: 'end',
    min: 8.5,
    cell: ({ amount, refunded_amount, currency }) => (
      <>
        <p className="whitespace-nowrap">{formatPaid(amount, currency)}</p>
        {refunded_amount > 0 && (
          <p className="text-xs text-muted">{texts.refundedPart(formatPaid(refunded_amount, currency))}</p>
        )}
      </>
    ),
  },
  statusColumn({
    header: columns.state,
    min: 7.5,
    badge: (payment) => (
      <div className="flex flex-wrap gap-1">
        <PaymentBadge payment={payment} />
      </div>
    ),
  }),
  {
    key: 'how',
    phone: 'left',
    header: columns.how,
    min: 8,
    fold: 2,
    cell: ({ provider, method }) => (
      <>
        <p>{PAYMENT_PROVIDER_LABELS[provider]}</p>
        {method !== null && <p className="text-xs text-muted">{PAYMENT_METHOD_LABELS[method]}</p>}
      </>
    ),
  },
  {
    key: 'reference',
    phone: 'hidden',
    header: columns.reference,
    min: 8,
    fold: 3,
    cell: ({ reference, provider_id }) => {
      const text = reference || provider_id;
      return text ? <span className="line-clamp-2 text-xs wrap-anywhere">{text}</span> : <Absent />;
    },
  },
  dateColumn({
    key: 'date',
    phone: 'third',
    header: columns.date,
    min: 7.5,
    fold: 1,
    value: ({ paid_at, created_at }) => paid_at ?? created_at,
  }),
  menuColumn(columns.actions, (payment) => [
    { label: paymentTexts.see_one, icon: Eye, onChoose: () => see(payment) },
    ...(refund !== null && isRefundable(payment)
      ? [
          {
            label: refundTexts.action,
            icon: Undo2,
            tone: 'danger' as const,
            onChoose: () => refund(payment),
          },
        ]
      : []),
  ]),
];
