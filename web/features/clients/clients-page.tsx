import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { Client } from '../../../contract/clients.ts';
import { clientQuery } from '../../components/catalogue-queries.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { useAskedByBrowser } from '../../components/list/use-removal.ts';
import { type ClientTab, PATHS } from '../../paths.ts';
import {
  CLIENT_STATUS_LABELS,
  CLIENT_TYPE_LABELS,
  exportTexts,
  loadErrors,
  toastTexts,
} from '../../text/es.ts';
import { clientCount, clientTexts } from '../../text/es-clients.ts';
import { CLIENTS_PATH, clientsAt, narrowingOf, useDeleteClient } from './clients.api.ts';
import { ClientsFilters } from './clients-filters.tsx';
import { ClientsTable } from './clients-table.tsx';

const route = getRouteApi('/app/clients');

const form = codeOf(() => import('./clients-form.tsx'));
const details = codeOf(() => import('./clients-details.tsx'));
const ClientFormDialog = lazyComponent(form, (module) => module.ClientFormDialog);
const ClientEditDialog = lazyComponent(form, (module) => module.ClientEditDialog);
const ClientDetailsDialog = lazyComponent(details, (module) => module.ClientDetailsDialog);

const CLIENTS = defineListScreen({
  path: PATHS.clients,
  recordPath: PATHS.client,
  query: clientsAt,
  record: clientQuery,
  filters: ['status', 'type'],
  code: [form, details],
  sizes: { form: 'lg', details: 'xl' },
  texts: clientTexts,
  loadFailed: loadErrors.clients,
  icon: Users,
  layout: 'table',
  paging: { kind: 'count-above', count: clientCount },
});

/** /clients and /clients/{id} (SEED-2.6-01 to -27, D024). */
export function ClientsPage() {
  const screen = useListScreen(CLIENTS, route.useSearch());
  const { search, page, headingRef } = screen;
  const removal = useAskedByBrowser(clientTexts.confirmDelete, {
    nameOf: ({ name }: Client) => name,
    texts: toastTexts.client,
    run: useDeleteClient().mutateAsync,
    headingRef,
  });
  const navigate = useNavigate();
  const turnToTab = (tab: ClientTab) =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, tab: tab === 'resumen' ? undefined : tab }),
      state: true,
      replace: true,
    });
  return (
    <ListScreen
      screen={screen}
      filters={<ClientsFilters search={search} onNarrow={screen.narrow} />}
      exports={{
        path: `${CLIENTS_PATH}export/`,
        query: narrowingOf(search),
        failure: exportTexts.clients,
        fileName: 'clientes.csv',
      }}
      printed={[
        page && clientTexts.printedPage(page.page, page.totalPages),
        search.q && `Búsqueda: ${search.q}`,
        search.status && `Estado: ${CLIENT_STATUS_LABELS[search.status]}`,
        search.type && `Tipo: ${CLIENT_TYPE_LABELS[search.type]}`,
      ]}
      notice={null}
      removal={removal}
      dialogs={{
        new: (given) => <ClientFormDialog client={null} {...given} />,
        edit: (given) => <ClientEditDialog {...given} />,
        details: (given) => (
          <ClientDetailsDialog tab={search.tab ?? 'resumen'} onTab={turnToTab} {...given} />
        ),
      }}
      passing={null}
    >
      {(list) => <ClientsTable list={list} />}
    </ListScreen>
  );
}
