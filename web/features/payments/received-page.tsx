import { useQuery } from '@tanstack/react-query';
import { Banknote } from 'lucide-react';
import { useMemo, useState } from 'react';
import { PAYMENT_PROVIDER_LABELS, PAYMENT_STATE_LABELS } from '../../../contract/payments/payment-words.ts';
import type { Payment, PaymentSum } from '../../../contract/payments/payments.ts';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import type { PassingDialog } from '../../components/list/list-dialogs.tsx';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { NoPermission } from '../../components/screen/no-permission.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { readKey } from '../../search-fields.ts';
import { formatDate } from '../../text/format.ts';
import { PaymentLists, PaymentTabs } from './payment-tabs.tsx';
import { receivedAt, receivedNarrowing } from './payments.api.ts';
import { type ReceivedSearch, readReceivedSearch } from './payments-search.ts';
import { refundTexts, sumTexts, receivedTexts as texts } from './payments-texts.ts';
import { receivedColumns } from './received-columns.tsx';
import { SumsLine } from './sums-line.tsx';

const filters = codeOf(() => import('./received-filters.tsx'));
const ReceivedFilters = lazyComponent(filters, (module) => module.ReceivedFilters);
const refund = codeOf(() => import('./refund-dialog.tsx'));
const RefundDialog = lazyComponent(refund, (module) => module.RefundDialog);

const RECEIVED = defineListScreen({
  kind: 'payments',
  query: receivedAt,
  filters: ['provider', 'state', 'client', 'from', 'to'],
  narrowing: receivedNarrowing,
  exports: { failure: texts.exportFailure, fileName: 'pagos.csv' },
  code: [filters, refund],
  texts,
  loadFailed: texts.loadFailed,
  icon: Banknote,
  paging: { kind: 'line-below', noun: texts.noun },
});

/** /payments/pagos: received payments, from providers or recorded by a person (PAY-06). */
export function ReceivedPage() {
  return useMay()('payments:read') ? <Received /> : <NoPermission />;
}

function Received() {
  const raw = useSearch(readReceivedSearch);
  const screen = useListScreen(RECEIVED, {
    ...raw,
    state: readKey(raw.state, PAYMENT_STATE_LABELS),
    provider: readKey(raw.provider, PAYMENT_PROVIDER_LABELS),
  });
  const navigate = useNavigate();
  const mayRefund = useOffers()('payments.refund');
  const [refunded, setRefunded] = useState<Payment | null>(null);
  const columns = useMemo(
    () =>
      receivedColumns({
        refund: mayRefund ? setRefunded : null,
        see: ({ payment_request: id }) =>
          void navigate({ to: PATHS.paymentRequest, params: { id: String(id) }, state: OVER_LIST }),
      }),
    [mayRefund, navigate],
  );
  const close = () => setRefunded(null);
  const passing: PassingDialog | null = refunded && {
    title: refundTexts.title,
    size: 'sm',
    onClose: close,
    dialog: <RefundDialog payment={refunded} onClose={close} />,
  };
  const list = (
    <ListScreen
      screen={screen}
      columns={columns}
      selects={{
        state: { ...texts.stateFilter, choices: PAYMENT_STATE_LABELS },
        provider: { ...texts.providerFilter, choices: PAYMENT_PROVIDER_LABELS },
      }}
      moreFilters={(given) => (
        <ReceivedFilters search={screen.search} onNarrow={screen.narrow} onClear={screen.clear} {...given} />
      )}
      chips={useChips(screen.search)}
      notice={
        <>
          <PaymentLists current="received" />
          {screen.rows?.length !== 0 && (
            <SumsLine
              sums={screen.page?.sums as PaymentSum[] | null | undefined}
              note={screen.search.state === undefined ? sumTexts.allStates : undefined}
            />
          )}
        </>
      }
      passing={passing}
    />
  );
  return (
    <>
      <PaymentTabs />
      {list}
    </>
  );
}

/** The active filters of the dialog, as texts. */
function useChips({ client, from, to }: ReceivedSearch) {
  const { data } = useQuery({ ...clientNameQuery(client ?? 0), enabled: client !== undefined });
  return chipsOf(texts.filters, {
    client: client === undefined ? undefined : (data?.name ?? String(client)),
    from: from && formatDate(from),
    to: to && formatDate(to),
  });
}
