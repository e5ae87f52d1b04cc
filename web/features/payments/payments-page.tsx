import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PaymentRequest, RequestedPaymentSum } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_REQUEST_STATE_LABELS } from '../../../contract/payments/payment-words.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import type { PassingDialog } from '../../components/list/list-dialogs.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useMayRegister } from '../../components/payment/may-register.ts';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { orToast } from '../../components/record/use-action.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { NoPermission } from '../../components/screen/no-permission.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { readKey } from '../../search-fields.ts';
import { registerTexts } from '../../text/es-charges.ts';
import { Banner } from '../../ui/banner.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { toasts } from '../../ui/toasts.ts';
import { PaymentLists, PaymentTabs } from './payment-tabs.tsx';
import { requestQuery, requestsAt, reviewsQuery, useRemind } from './payments.api.ts';
import { type RequestsSearch, readRequestsSearch } from './payments-search.ts';
import { requestTexts as texts } from './payments-texts.ts';
import { REQUEST_COLUMNS } from './request-columns.tsx';
import { requestActionsColumn } from './request-row-actions.tsx';
import { SumsLine } from './sums-line.tsx';

const details = codeOf(() => import('./request-details.tsx'));
const RequestDetailsDialog = lazyComponent(details, (module) => module.RequestDetailsDialog);
const creation = codeOf(() => import('../../components/charge/new-charge-dialog.tsx'));
const NewChargeDialog = lazyComponent(creation, (module) => module.NewChargeDialog);
const registration = codeOf(() => import('./register-payment.tsx'));
const RegisterPayment = lazyComponent(registration, (module) => module.RegisterPayment);

const REQUESTS = defineListScreen({
  kind: 'payment_requests',
  query: requestsAt,
  record: requestQuery,
  filters: ['state', 'client', 'license'],
  code: [details, creation, registration],
  sizes: { form: 'md', details: 'place' },
  texts,
  loadFailed: texts.loadFailed,
  icon: HandCoins,
  paging: { kind: 'line-below', noun: texts.noun },
});

/** /payments and /payments/{id}: payment requests, including those that need a review (PAY-01, PAY-07). */
export function PaymentsPage() {
  return useMay()('payments:read') ? <Requests /> : <NoPermission />;
}

function Requests() {
  const raw = useSearch(readRequestsSearch);
  const state = readKey(raw.state, PAYMENT_REQUEST_STATE_LABELS);
  const screen = useListScreen(REQUESTS, { ...raw, state });
  const { page, rows, createRef } = screen;
  const registering = useRegistering(rows, raw.registrar);
  const list = (
    <ListScreen
      screen={screen}
      columns={useColumns(registering.open)}
      selects={{ state: { ...texts.stateFilter, choices: PAYMENT_REQUEST_STATE_LABELS } }}
      chips={useRecordChips(screen.search)}
      notice={
        <>
          <PaymentLists current="requests" />
          {screen.search.state !== 'review' && <Reviews />}
          {/* The query says what the rows of this list sum to. */}
          {rows?.length !== 0 && <SumsLine sums={page?.sums as RequestedPaymentSum[] | null | undefined} />}
        </>
      }
      dialogs={{
        new: ({ onClose }) => (
          <NewChargeDialog clientId={raw.cliente} onClose={onClose} finalFocus={() => createRef.current} />
        ),
        details: (given) => <RequestDetailsDialog key={given.id} {...given} />,
      }}
      passing={registering.dialog}
    />
  );
  return (
    <>
      <PaymentTabs />
      {list}
    </>
  );
}

/** The dialog 'Registrar pago' over the list: for the request in the address, or the row whose button was pressed. */
function useRegistering(rows: readonly PaymentRequest[] | undefined, asked: number | undefined) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<PaymentRequest | null>(null);
  const leave = useCloseDialog(
    () =>
      void navigate({
        to: '.',
        // The cast is safe: without a dialog it is an address of the same screen.
        search: (now) => ({ ...now, registrar: undefined }) as typeof now,
        replace: true,
      }),
  );
  const id = chosen?.id ?? asked;
  const close = () => (chosen === null ? leave() : setChosen(null));
  const dialog: PassingDialog | null =
    id === undefined
      ? null
      : {
          title: registerTexts.action,
          size: 'sm',
          onClose: close,
          dialog: (
            <RegisterPayment
              key={id}
              id={id}
              row={chosen ?? rows?.find((row) => row.id === id)}
              onClose={close}
            />
          ),
        };
  return { dialog, open: setChosen };
}

/** The columns of the requests, with what the person may do with each. */
function useColumns(pay: (request: PaymentRequest) => void) {
  const navigate = useNavigate();
  const isOffered = useOffers();
  const mayPay = useMayRegister();
  const maySend = isOffered('payment_requests.send');
  const { mutateAsync: send } = useRemind();
  return useMemo(
    () => [
      ...REQUEST_COLUMNS,
      requestActionsColumn({
        see: ({ id }) =>
          void navigate({ to: PATHS.paymentRequest, params: { id: String(id) }, state: OVER_LIST }),
        receipt: ({ id }) => void navigate({ to: PATHS.receipt, params: { id: String(id) } }),
        pay: mayPay ? pay : null,
        copy: async ({ url, client }) => {
          if (await copyText(url)) toasts.success(texts.copied, client.name);
          else toasts.error(texts.copyFailed, url);
        },
        remind: maySend
          ? ({ id, client }) =>
              void orToast(texts.remindFailed, async () => {
                await send(id);
                toasts.success(texts.reminded, client.name);
              })
          : null,
      }),
    ],
    [navigate, mayPay, maySend, pay, send],
  );
}

/** The requests that need a review, above all others. */
function Reviews() {
  const { data: count = 0 } = useQuery(reviewsQuery);
  if (count === 0) return null;
  return (
    <Banner
      tone="warning"
      title={texts.reviews(count)}
      announce="note"
      action={
        <Link
          to={PATHS.payments}
          search={{ state: 'review' }}
          className="inline-flex min-h-6 items-center rounded-sm font-medium text-brand-text underline underline-offset-2"
        >
          {texts.seeReviews}
        </Link>
      }
    >
      {texts.reviewsText}
    </Banner>
  );
}

/** The client and the licence in the filters, by their names. */
function useRecordChips({ client, license }: RequestsSearch) {
  const { data } = useQuery({ ...clientNameQuery(client ?? 0), enabled: client !== undefined });
  return chipsOf(texts.filters, {
    client: client === undefined ? undefined : (data?.name ?? String(client)),
    license: license === undefined ? undefined : String(license),
  });
}
