import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { Package, Plus } from 'lucide-react';
import { useRef } from 'react';
import { SEARCH_MAX } from '../../../contract/limits.ts';
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
import { PATHS, type SoftwareSearch } from '../../paths.ts';
import { exportTexts, filters, loadErrors, toastTexts } from '../../text/es.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import {
  narrowingOf,
  SOFTWARE_PATH,
  softwareAt,
  softwareItemQuery,
  useDeleteSoftware,
} from './software.api.ts';
import { SoftwareGrid, SoftwareGridPlaceholder } from './software-grid.tsx';

const route = getRouteApi('/app/software');

// The grid comes first; its dialogs follow when someone reaches for it.
const form = codeOf(() => import('./software-form.tsx'));
const details = codeOf(() => import('./software-details.tsx'));
const SoftwareFormDialog = lazyComponent(form, (module) => module.SoftwareFormDialog);
const SoftwareEditDialog = lazyComponent(form, (module) => module.SoftwareEditDialog);
const SoftwareDetailsDialog = lazyComponent(details, (module) => module.SoftwareDetailsDialog);
const loadDialogs = () => void Promise.allSettled([form.fetch(), details.fetch()]);

const DIALOGS = {
  closed: { title: '' },
  create: { title: softwareTexts.create },
  edit: { title: softwareTexts.edit },
  details: { title: softwareTexts.details },
} as const satisfies DialogFrames;

/** /software and /software/{id} (SEED-2.10-01 to -11, D024). What narrows the grid and what is open live in the address. */
export function SoftwarePage() {
  const search = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useFirstGesture(loadDialogs);
  useRecordAhead(softwareItemQuery);

  const list = useQuery(softwareAt(search));

  const narrow = (changes: Partial<SoftwareSearch>, step?: { replace: boolean }) =>
    void navigate({ to: '.', search: (now) => ({ ...now, ...changes }), ...step });
  const { text, setText } = useDebouncedSearch(search.q ?? '', (q, step) =>
    narrow({ q: q || undefined }, step),
  );
  const clearFilters = () => {
    setText('');
    narrow({ q: undefined, active: undefined });
  };

  const open = (dialog: Partial<SoftwareSearch>) =>
    void navigate({
      to: PATHS.software,
      search: { ...search, ...NO_DIALOG, ...dialog },
      state: OVER_LIST,
    });
  const close = useCloseDialog(() => {
    void navigate({ to: PATHS.software, search: { ...search, ...NO_DIALOG }, replace: true });
  });

  const deleteSoftware = useDeleteSoftware();
  const { deletingId, remove } = useDeleteRecord({
    question: softwareTexts.confirmDelete,
    texts: toastTexts.software,
    run: deleteSoftware.mutateAsync,
    headingRef,
  });

  const dialog = openDialogOf(id, search);
  const isNarrowed = Boolean(search.q ?? search.active);

  return (
    <div className="space-y-6">
      <PageHeader
        title={softwareTexts.title}
        subtitle={softwareTexts.subtitle}
        headingRef={headingRef}
        actions={
          <>
            <ExportButton
              path={`${SOFTWARE_PATH}export/`}
              query={{ ...narrowingOf(search) }}
              failure={exportTexts.software}
              fileName="software.csv"
            />
            <Button variant="primary" icon={Plus} onClick={() => open({ nuevo: '1' })}>
              {softwareTexts.create}
            </Button>
          </>
        }
      />
      <search data-print="hidden" className="flex flex-wrap gap-2">
        <SearchInput
          label={softwareTexts.searchLabel}
          placeholder={softwareTexts.search}
          value={text}
          onChange={setText}
          maxLength={SEARCH_MAX}
          className="min-w-48 flex-1 basis-64 sm:max-w-md"
        />
        <Select
          aria-label={softwareTexts.activeFilter}
          width="auto"
          value={search.active ?? ''}
          onChange={({ target }) =>
            narrow({ active: target.value === 'true' || target.value === 'false' ? target.value : undefined })
          }
        >
          <option value="">{softwareTexts.active.all}</option>
          <option value="true">{softwareTexts.active.active}</option>
          <option value="false">{softwareTexts.active.inactive}</option>
        </Select>
      </search>
      {list.isError && (
        <LoadError
          title={loadErrors.software}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {list.isPending && <SoftwareGridPlaceholder />}
      {list.data?.length === 0 && (
        <Card>
          <EmptyState
            icon={Package}
            title={softwareTexts.empty}
            hint={softwareTexts.emptyHint}
            action={isNarrowed && <Button onClick={clearFilters}>{filters.clear}</Button>}
          />
        </Card>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <SoftwareGrid
          software={list.data}
          busy={list.isPlaceholderData}
          deletingId={deletingId}
          onView={(item) =>
            void navigate({
              to: PATHS.softwareItem,
              params: { id: String(item) },
              search: { ...search, ...NO_DIALOG },
              state: OVER_LIST,
            })
          }
          onEdit={(editar) => open({ editar })}
          onDelete={(item) => void remove(item)}
        />
      )}
      <DialogPlace open={dialog.kind !== 'closed'}>
        <DialogCode key={dialog.kind} {...DIALOGS[dialog.kind]} onClose={close}>
          {dialog.kind === 'create' && <SoftwareFormDialog software={null} onClose={close} />}
          {dialog.kind === 'edit' && (
            <SoftwareEditDialog
              key={dialog.id}
              id={dialog.id}
              row={list.data?.find((item) => item.id === dialog.id)}
              onClose={close}
            />
          )}
          {dialog.kind === 'details' && (
            <SoftwareDetailsDialog
              id={dialog.id}
              onEdit={() =>
                void navigate({
                  to: PATHS.software,
                  search: { ...search, ...NO_DIALOG, editar: dialog.id },
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
