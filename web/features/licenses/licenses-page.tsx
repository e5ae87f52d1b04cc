import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { License } from '../../../contract/licenses.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../../contract/limits.ts';
import { clientPickerQuery, softwareOptionsQuery } from '../../components/catalogue-queries.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { DialogCode, type DialogFrames } from '../../components/frame/dialog-code.tsx';
import { LoadError } from '../../components/frame/load-error.tsx';
import { ExportButton } from '../../components/list/export-button.tsx';
import { useDebouncedSearch } from '../../components/list/use-debounced-search.ts';
import { useDeleteRecord } from '../../components/list/use-delete-record.ts';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { NO_DIALOG, openDialogOf } from '../../components/record/open-dialog.ts';
import { useRecordAhead } from '../../components/record/use-record-ahead.ts';
import { useFirstGesture } from '../../components/use-first-gesture.ts';
import { type LicensesSearch, PATHS } from '../../paths.ts';
import { exportTexts, filters, loadErrors, toastTexts } from '../../text/es.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSizeSelect } from '../../ui/page-size-select.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { filtersOf, licensesAt, pageOfBlock, useLastSettled } from './license-list.ts';
import { LICENSES_PATH, licenseQuery, useDeleteLicense } from './licenses.api.ts';
import { LicensesFilters } from './licenses-filters.tsx';
import { LicensesTable } from './licenses-table.tsx';

const route = getRouteApi('/app/licenses');

// The list comes first; its dialogs follow when someone reaches for it.
const form = codeOf(() => import('./licenses-form.tsx'));
const details = codeOf(() => import('./licenses-details.tsx'));
const success = codeOf(() => import('./license-created.tsx'));
const LicenseFormDialog = lazyComponent(form, (module) => module.LicenseFormDialog);
const LicenseEditDialog = lazyComponent(form, (module) => module.LicenseEditDialog);
const LicenseDetailsDialog = lazyComponent(details, (module) => module.LicenseDetailsDialog);
const LicenseCreatedDialog = lazyComponent(success, (module) => module.LicenseCreatedDialog);
const loadDialogs = () => void Promise.allSettled([form.fetch(), details.fetch(), success.fetch()]);

const DIALOGS = {
  // No address, and yet a dialog: the licence that was just made.
  closed: { title: licenseTexts.created.title, size: 'lg' },
  create: { title: licenseTexts.create, size: 'lg' },
  edit: { title: licenseTexts.edit, size: 'lg' },
  details: { title: licenseTexts.details, size: 'lg' },
} as const satisfies DialogFrames;

/** /licenses and /licenses/{id} (SEED-2.8-01 to -36, D024). What narrows the list and what is open live in the address. */
export function LicensesPage() {
  const search = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const createRef = useRef<HTMLButtonElement>(null);
  /** The licence just made: a moment, not a place, so no address carries it. */
  const [created, setCreated] = useState<License | null>(null);
  useFirstGesture(loadDialogs);
  useRecordAhead(licenseQuery);
  useChoicesAhead();

  const page = search.page ?? 1;
  const pageSize = search.page_size ?? DEFAULT_PAGE_SIZE;
  const list = useQuery(licensesAt(search));
  const current = useMemo(
    () => (list.data === undefined ? undefined : pageOfBlock(list.data, { page, pageSize })),
    [list.data, page, pageSize],
  );
  const shown = useLastSettled(current, !list.isPlaceholderData);

  /** A changed filter starts at page 1 again (experience 1); a dialog that is open stays. */
  const narrow = (changes: Partial<LicensesSearch>, step?: { replace: boolean }) =>
    void navigate({ to: '.', search: (now) => ({ ...now, page: undefined, ...changes }), ...step });
  const { text, setText } = useDebouncedSearch(search.q ?? '', (q, step) =>
    narrow({ q: q || undefined }, step),
  );
  const clearFilters = () => {
    setText('');
    narrow({ q: undefined, status: undefined, type: undefined, active: undefined });
  };

  const withoutDialog = { ...search, ...NO_DIALOG };
  const open = (dialog: Partial<LicensesSearch>, replace = false) =>
    void navigate({
      to: PATHS.licenses,
      search: { ...withoutDialog, ...dialog },
      state: replace ? true : OVER_LIST,
      replace,
    });
  const close = useCloseDialog(() => {
    void navigate({ to: PATHS.licenses, search: withoutDialog, replace: true });
  });

  // Deleting the last row of the last page leaves an address without rows: one page back (D044).
  const lastPage = current && !list.isPlaceholderData ? current.totalPages : null;
  const isBeyondEnd = lastPage !== null && page > lastPage;
  useEffect(() => {
    if (!isBeyondEnd) return;
    const target = lastPage === 1 ? undefined : lastPage;
    void navigate({ to: '.', search: (now) => ({ ...now, page: target }), replace: true });
  }, [isBeyondEnd, lastPage, navigate]);
  const rows = isBeyondEnd ? undefined : shown?.rows;

  const deleteLicense = useDeleteLicense();
  const { deletingId, remove } = useDeleteRecord({
    question: licenseTexts.confirmDelete,
    texts: toastTexts.license,
    run: deleteLicense.mutateAsync,
    headingRef,
  });

  const dialog = openDialogOf(id, search);
  const isNarrowed = Boolean(search.q ?? search.status ?? search.type ?? search.active);

  return (
    <div className="space-y-6">
      <PageHeader
        title={licenseTexts.title}
        subtitle={licenseTexts.subtitle}
        headingRef={headingRef}
        actions={
          <>
            <ExportButton
              path={`${LICENSES_PATH}export/`}
              query={{ ...filtersOf(search) }}
              failure={exportTexts.licenses}
              fileName="licencias.csv"
            />
            <Button ref={createRef} variant="primary" icon={Plus} onClick={() => open({ nuevo: '1' })}>
              {licenseTexts.create}
            </Button>
          </>
        }
      />
      {list.isError && (
        <LoadError
          title={loadErrors.licenses}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      <Card padding="none">
        <LicensesFilters text={text} onText={setText} search={search} onNarrow={narrow} />
        {rows?.length === 0 ? (
          <EmptyState
            icon={KeyRound}
            title={licenseTexts.empty}
            hint={licenseTexts.emptyHint}
            action={isNarrowed && <Button onClick={clearFilters}>{filters.clear}</Button>}
          />
        ) : (
          (rows !== undefined || !list.isError) && (
            <LicensesTable
              rows={rows}
              busy={list.isPlaceholderData}
              deletingId={deletingId}
              narrowing={withoutDialog}
              onView={(license) =>
                void navigate({
                  to: PATHS.license,
                  params: { id: String(license) },
                  search: withoutDialog,
                  state: OVER_LIST,
                })
              }
              onEdit={(editar) => open({ editar })}
              onDelete={(license) => void remove(license)}
            />
          )
        )}
        <div className="flex flex-wrap-reverse items-center justify-between gap-x-6 gap-y-3 border-t border-border px-5 py-3">
          <PageSizeSelect
            value={pageSize}
            sizes={PAGE_SIZES}
            label={filters.pageSize}
            onChange={(size) => narrow({ page_size: size === DEFAULT_PAGE_SIZE ? undefined : size })}
          />
          {shown && (
            <Pagination
              {...shown}
              noun={licenseTexts.noun}
              textAlways
              onPage={(next) =>
                void navigate({
                  to: '.',
                  search: (now) => ({ ...now, page: next === 1 ? undefined : next }),
                })
              }
            />
          )}
        </div>
      </Card>
      <DialogPlace open={dialog.kind !== 'closed' || created !== null}>
        <DialogCode
          key={dialog.kind}
          {...DIALOGS[dialog.kind]}
          onClose={created === null || dialog.kind !== 'closed' ? close : () => setCreated(null)}
        >
          {dialog.kind === 'create' && (
            <LicenseFormDialog
              license={null}
              onClose={close}
              onSaved={(license) => {
                setCreated(license);
                close();
              }}
            />
          )}
          {dialog.kind === 'edit' && (
            <LicenseEditDialog
              key={dialog.id}
              id={dialog.id}
              row={list.data?.rows.find((license) => license.id === dialog.id)}
              onClose={close}
            />
          )}
          {dialog.kind === 'details' && (
            <LicenseDetailsDialog
              id={dialog.id}
              onEdit={() => open({ editar: dialog.id }, true)}
              onClose={close}
            />
          )}
          {created !== null && dialog.kind === 'closed' && (
            <LicenseCreatedDialog
              license={created}
              onClose={() => setCreated(null)}
              finalFocus={() => createRef.current}
            />
          )}
        </DialogCode>
      </DialogPlace>
    </div>
  );
}

/** What the form's choices come from is fetched with the screen, so that its dialog opens complete (SEED-7.6-11). */
function useChoicesAhead() {
  const queryClient = useQueryClient();
  useEffect(() => {
    void queryClient.prefetchQuery(softwareOptionsQuery);
    void queryClient.prefetchQuery(clientPickerQuery(''));
  }, [queryClient]);
}
