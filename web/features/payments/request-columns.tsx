import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { dateColumn, NAME_LINK, statusColumn } from '../../components/list/columns.tsx';
import { isPartial } from '../../components/payment/partial.ts';
import { RequestBadge } from '../../components/payment/request-badge.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { paymentTexts } from '../../text/es-payments.ts';
import { formatPrice } from '../../text/format.ts';
import type { Column } from '../../ui/table-columns.ts';
import { requestTexts as texts } from './payments-texts.ts';

const { columns } = texts;

/** The columns of the requests. */
export const REQUEST_COLUMNS: readonly Column<PaymentRequest>[] = [
  {
    key: 'client',
    phone: 'title',
    header: columns.client,
    min: 9,
    cell: ({ id, client }) => (
      <>
        <Link
          to={PATHS.paymentRequest}
          params={{ id: String(id) }}
          search={true}
          state={OVER_LIST}
          preload={false}
          className={NAME_LINK}
        >
          <bdi>{client.name}</bdi>
        </Link>
        <p className="text-xs text-muted @max-[36rem]/data-table:hidden">{texts.nameOf(id)}</p>
      </>
    ),
  },
  {
    key: 'what',
    phone: 'left',
    header: columns.what,
    min: 9,
    fold: 2,
    cell: ({ lines }) => (
      <p className="line-clamp-2 wrap-anywhere @max-[36rem]/data-table:line-clamp-1">
        {texts.linesOf(lines[0]?.description ?? '', lines.length - 1)}
      </p>
    ),
  },
  {
    key: 'amount',
    phone: 'right',
    header: columns.amount,
    align: 'end',
    min: 8.5,
    cell: (request) => (
      <>
        <span className="whitespace-nowrap">{formatPrice(request.amount, request.currency)}</span>
        {isPartial(request) && (
          <p className="text-xs whitespace-nowrap text-muted @max-[36rem]/data-table:whitespace-normal">
            {paymentTexts.left(formatPrice(request.due, request.currency))}
          </p>
        )}
      </>
    ),
  },
  statusColumn({
    header: columns.state,
    min: 7.5,
    badge: (request) => (
      <>
        <div className="flex flex-wrap gap-1">
          <RequestBadge request={request} />
        </div>
        {request.state === 'open' && request.pending && (
          <p className="text-xs text-muted">{paymentTexts.pending}</p>
        )}
        {request.transfer_notice !== null && <p className="text-xs text-muted">{paymentTexts.notified}</p>}
      </>
    ),
  }),
  dateColumn({
    key: 'expires',
    phone: 'hidden',
    header: columns.expires,
    min: 7.5,
    fold: 3,
    // The expiry is shown only while the request can be paid and has one.
    value: (request) => (request.state === 'open' && !isPartial(request) ? request.expires_at : null),
    fallback: '—',
  }),
  dateColumn({
    key: 'created',
    phone: 'third',
    header: columns.created,
    min: 7.5,
    fold: 1,
    value: ({ created_at }) => created_at,
  }),
];
