import { Users } from 'lucide-react';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../../../contract/clients/client-words.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { useOffers } from '../../api/offers.ts';
import { chipsOf } from '../../components/list/filter-chips.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useAskedByBrowser } from '../../components/list/use-removal.ts';
import { useTurnToTab } from '../../components/list/use-tab.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { useDeleteRecord } from '../../components/record/record-calls.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useSearch } from '../../navigation/hooks.ts';
import { exportTexts, filters, KIND_NOUNS, loadErrors, toastTexts } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { FILTER_NAMES, importNumber } from '../../text/es-lists.ts';
import { CLIENT_COLUMNS, clientActions } from './client-columns.tsx';
import { READY_CLIENT_VIEWS } from './client-views-texts.ts';
import { clientsAt, narrowingOf } from './clients.api.ts';
import { readClientsSearch } from './clients-search.ts';

const form = codeOf(() => import('./clients-form.tsx'));
const details = codeOf(() => import('./clients-details.tsx'));
const moreFilters = codeOf(() => import('./clients-more-filters.tsx'));
const ClientsMoreFilters = lazyComponent(moreFilters, (module) => module.ClientsMoreFilters);
const ClientFormDialog = lazyComponent(form, (module) => module.ClientFormDialog);
const ClientEditDialog = lazyComponent(form, (module) => module.ClientEditDialog);
const ClientDetailsDialog = lazyComponent(details, (module) => module.ClientDetailsDialog);

const CLIENTS = defineListScreen({
  kind: 'clients',
  query: clientsAt,
  record: clientQuery,
  filters: ['status', 'type', 'country', 'tag', 'import'],
  narrowing: narrowingOf,
  exports: { failure: exportTexts.clients, fileName: 'clientes.csv' },
  bulk: {
    noun: KIND_NOUNS.clients,
    nameOf: ({ name }) => name,
    statuses: choicesOf(CLIENT_STATUS_LABELS).map((status) => ({
      label: CLIENT_STATUS_LABELS[status],
      fields: { status },
    })),
  },
  views: { screen: 'clients', ready: READY_CLIENT_VIEWS },
  code: [form, details, moreFilters],
  sizes: { form: 'lg', details: 'place' },
  texts: clientTexts,
  loadFailed: loadErrors.clients,
  icon: Users,
  paging: { kind: 'count-above', noun: KIND_NOUNS.clients },
});

/** /clients (SEED-2.6-01 to -27). */
export function ClientsPage() {
  const screen = useListScreen(CLIENTS, useSearch(readClientsSearch));
  const { search, page, headingRef } = screen;
  const turnToTab = useTurnToTab();
  const removal = useAskedByBrowser(clientTexts.confirmDelete, {
    nameOf: ({ name }: Client) => name,
    texts: toastTexts.clients,
    run: useDeleteRecord('clients').mutateAsync,
    headingRef,
  });
  return (
    <ListScreen
      screen={screen}
      columns={CLIENT_COLUMNS}
      actions={clientActions(useOffers()('licenses.create'))}
      selects={{
        status: {
          name: FILTER_NAMES.status,
          label: clientTexts.statusFilter,
          all: filters.allStatuses,
          choices: CLIENT_STATUS_LABELS,
        },
        type: {
          name: FILTER_NAMES.type,
          label: clientTexts.typeFilter,
          all: filters.allTypes,
          choices: CLIENT_TYPE_LABELS,
        },
      }}
      moreFilters={(given) => (
        <ClientsMoreFilters search={search} onNarrow={screen.narrow} onClear={screen.clear} {...given} />
      )}
      chips={chipsOf(FILTER_NAMES, {
        country: search.country,
        tag: search.tag,
        import: importNumber(search.import),
      })}
      printed={[
        page && clientTexts.printedPage(page.page, page.totalPages),
        search.q && `Búsqueda: ${search.q}`,
        search.status && `Estado: ${CLIENT_STATUS_LABELS[search.status]}`,
        search.type && `Tipo: ${CLIENT_TYPE_LABELS[search.type]}`,
        search.country && `País: ${search.country}`,
        search.tag && `Etiquetas: ${search.tag}`,
      ]}
      removal={removal}
      dialogs={{
        new: (given) => <ClientFormDialog client={null} {...given} />,
        edit: (given) => <ClientEditDialog {...given} />,
        details: (given) => (
          <ClientDetailsDialog tab={search.tab ?? 'resumen'} onTab={turnToTab} {...given} />
        ),
      }}
    />
  );
}
