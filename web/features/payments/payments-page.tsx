import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { PAYMENT_REQUEST_STATE_LABELS } from '../../../contract/payments/payment-words.ts';
import { useMay } from '../../api/permissions.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { NoPermission } from '../../components/frame/no-permission.tsx';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { clientNameQuery } from '../../components/record/catalogue-queries.ts';
import { useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { readKey } from '../../search-fields.ts';
import { Banner } from '../../ui/banner.tsx';
import { PaymentTabs } from './payment-tabs.tsx';
import { requestQuery, requestsAt, reviewsQuery } from './payments.api.ts';
import { type RequestsSearch, readRequestsSearch } from './payments-search.ts';
import { requestTexts as texts } from './payments-texts.ts';
import { REQUEST_COLUMNS } from './request-columns.tsx';

const details = codeOf(() => import('./request-details.tsx'));
const RequestDetailsDialog = lazyComponent(details, (module) => module.RequestDetailsDialog);

const REQUESTS = defineListScreen({
  kind: 'payment_requests',
  query: requestsAt,
  record: requestQuery,
  filters: ['state', 'client', 'license'],
  code: [details],
  sizes: { details: 'place' },
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
  return (
    <ListScreen
      screen={screen}
      columns={REQUEST_COLUMNS}
      selects={{ state: { ...texts.stateFilter, choices: PAYMENT_REQUEST_STATE_LABELS } }}
      chips={useRecordChips(screen.search)}
      notice={
        <>
          <PaymentTabs current="requests" />
          {screen.search.state !== 'review' && <Reviews />}
        </>
      }
      dialogs={{ details: (given) => <RequestDetailsDialog key={given.id} {...given} /> }}
    />
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
