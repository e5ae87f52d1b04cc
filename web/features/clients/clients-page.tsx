import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Printer, Users } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../contract/limits.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { DialogCode, type DialogFrames } from '../../components/frame/dialog-code.tsx';
import { LoadError } from '../../components/frame/load-error.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import { PrintedNote } from '../../components/list/printed-note.tsx';
import { useDebouncedSearch } from '../../components/list/use-debounced-search.ts';
import { useDeleteRecord } from '../../components/list/use-delete-record.ts';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { NO_DIALOG, openDialogOf } from '../../components/record/open-dialog.ts';
import { useRecordAhead } from '../../components/record/use-record-ahead.ts';
import { useFirstGesture } from '../../components/use-first-gesture.ts';
import { type ClientsSearch, PATHS } from '../../paths.ts';
import {
  actions,
  CLIENT_STATUS_LABELS,
  CLIENT_TYPE_LABELS,
  exportTexts,
  filters,
  loadErrors,
  toastTexts,
} from '../../text/es.ts';
import { clientCount, clientTexts } from '../../text/es-clients.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSizeSelect } from '../../ui/page-size-select.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CLIENTS_PATH, clientQuery, clientsAt, narrowingOf, useDeleteClient } from './clients.api.ts';
import { ClientsFilters } from './clients-filters.tsx';
import { ClientsTable } from './clients-table.tsx';

const route = getRouteApi('/app/clients');

// The list comes first; its dialogs follow when someone reaches for it.
const form = codeOf(() => import('./clients-form.tsx'));
const details = codeOf(() => import('./clients-details.tsx'));
const ClientFormDialog = lazyComponent(form, (module) => module.ClientFormDialog);
const ClientEditDialog = lazyComponent(form, (module) => module.ClientEditDialog);
const ClientDetailsDialog = lazyComponent(details, (module) => module.ClientDetailsDialog);
const loadDialogs = () => void Promise.allSettled([form.fetch(), details.fetch()]);

const DIALOGS = {
  closed: { title: '' },
  create: { title: clientTexts.create, size: 'lg' },
  edit: { title: clientTexts.edit, size: 'lg' },
  details: { title: clientTexts.details, size: 'xl' },
} as const satisfies DialogFrames;

const CLOSED = { ...NO_DIALOG, tab: undefined } as const;

/** /clients and /clients/{id} (SEED-2.6-01 to -27, D024). What narrows the list and what is open live in the address. */
export function ClientsPage() {
  const search = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useFirstGesture(loadDialogs);
  useRecordAhead(clientQuery);

  const page = search.page ?? 1;
  const pageSize = search.page_size ?? DEFAULT_PAGE_SIZE;
  const list = useQuery(clientsAt(search));

  /** A changed filter starts at page 1 again (experience 1); a dialog that is open stays. */
  const narrow = (changes: Partial<ClientsSearch>, step?: { replace: boolean }) =>
    void navigate({ to: '.', search: (now) => ({ ...now, page: undefined, ...changes }), ...step });
  const { text, setText } = useDebouncedSearch(search.q ?? '', (q, step) =>
    narrow({ q: q || undefined }, step),
  );
  const clearFilters = () => {
    setText('');
    narrow({ q: undefined, status: undefined, type: undefined });
  };

  const open = (dialog: Partial<ClientsSearch>) =>
    void navigate({
      to: PATHS.clients,
      search: { ...search, ...CLOSED, ...dialog },
      state: OVER_LIST,
    });
  const close = useCloseDialog(() => {
    void navigate({ to: PATHS.clients, search: { ...search, ...CLOSED }, replace: true });
  });

  // Deleting the last row of the last page leaves an address without rows: one page back (D044).
  const lastPage = list.data && !list.isPlaceholderData ? list.data.totalPages : null;
  const isBeyondEnd = lastPage !== null && page > lastPage;
  useEffect(() => {
    if (!isBeyondEnd) return;
    const target = lastPage === 1 ? undefined : lastPage;
    void navigate({ to: '.', search: (now) => ({ ...now, page: target }), replace: true });
  }, [isBeyondEnd, lastPage, navigate]);
  const rows = isBeyondEnd ? undefined : list.data?.rows;

  const deleteClient = useDeleteClient();
  const { deletingId, remove } = useDeleteRecord({
    question: clientTexts.confirmDelete,
    texts: toastTexts.client,
    run: deleteClient.mutateAsync,
    headingRef,
  });

  const dialog = openDialogOf(id, search);
  const isNarrowed = Boolean(search.q ?? search.status ?? search.type);

  return (
    <div className="print-wide space-y-6 print:space-y-3">
      <PageHeader
        title={clientTexts.title}
        subtitle={clientTexts.subtitle}
        headingRef={headingRef}
        actions={
          <>
            <ExportButton
              path={`${CLIENTS_PATH}export/`}
              query={{ ...narrowingOf(search) }}
              failure={exportTexts.clients}
              fileName="clientes.csv"
            />
            <Button compact icon={Printer} onClick={() => window.print()}>
              {actions.print}
            </Button>
            <Button variant="primary" icon={Plus} onClick={() => open({ nuevo: '1' })}>
              {clientTexts.create}
            </Button>
          </>
        }
      />
      <PrintedNote
        parts={[
          list.data && clientTexts.printedPage(list.data.page, list.data.totalPages),
          search.q && `Búsqueda: ${search.q}`,
          search.status && `Estado: ${CLIENT_STATUS_LABELS[search.status]}`,
          search.type && `Tipo: ${CLIENT_TYPE_LABELS[search.type]}`,
        ]}
      />
      {list.isError && (
        <LoadError
          title={loadErrors.clients}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      <Card padding="none">
        <ClientsFilters text={text} onText={setText} search={search} onNarrow={narrow} />
        <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-border px-5 py-2 print:min-h-0 print:px-0">
          <p role="status" className="font-medium">
            {list.data && clientCount(list.data.total, list.data.isMore)}
          </p>
          <PageSizeSelect
            value={pageSize}
            sizes={PAGE_SIZES}
            label={filters.pageSize}
            onChange={(size) => narrow({ page_size: size === DEFAULT_PAGE_SIZE ? undefined : size })}
          />
        </div>
        {rows?.length === 0 ? (
          <EmptyState
            icon={Users}
            title={clientTexts.empty}
            hint={clientTexts.emptyHint}
            action={isNarrowed && <Button onClick={clearFilters}>{filters.clear}</Button>}
          />
        ) : (
          (rows !== undefined || !list.isError) && (
            <ClientsTable
              rows={rows}
              busy={list.isPlaceholderData}
              deletingId={deletingId}
              onView={(client) =>
                void navigate({
                  to: PATHS.client,
                  params: { id: String(client) },
                  search: { ...search, ...CLOSED },
                  state: OVER_LIST,
                })
              }
              onEdit={(editar) => open({ editar })}
              onDelete={(client) => void remove(client)}
            />
          )
        )}
        {list.data && list.data.totalPages > 1 && (
          <div className="border-t border-border px-5 py-3 print:border-0 print:px-0">
            <Pagination
              page={list.data.page}
              totalPages={list.data.totalPages}
              total={list.data.total}
              isMore={list.data.isMore}
              pageSize={list.data.pageSize}
              onPage={(next) =>
                void navigate({
                  to: '.',
                  search: (now) => ({ ...now, page: next === 1 ? undefined : next }),
                })
              }
            />
          </div>
        )}
      </Card>
      <DialogPlace open={dialog.kind !== 'closed'}>
        <DialogCode key={dialog.kind} {...DIALOGS[dialog.kind]} onClose={close}>
          {dialog.kind === 'create' && <ClientFormDialog client={null} onClose={close} />}
          {dialog.kind === 'edit' && (
            <ClientEditDialog
              key={dialog.id}
              id={dialog.id}
              row={list.data?.rows.find((client) => client.id === dialog.id)}
              onClose={close}
            />
          )}
          {dialog.kind === 'details' && (
            <ClientDetailsDialog
              id={dialog.id}
              tab={search.tab ?? 'resumen'}
              onTab={(tab) =>
                void navigate({
                  to: '.',
                  search: (now) => ({ ...now, tab: tab === 'resumen' ? undefined : tab }),
                  state: true,
                  replace: true,
                })
              }
              onEdit={() =>
                void navigate({
                  to: PATHS.clients,
                  search: { ...search, ...CLOSED, editar: dialog.id },
                  state: true,
                  replace: true,
                })
              }
              onClose={close}
            />
          )}
        </DialogCode>
      </DialogPlace>
    </div>
  );
}
