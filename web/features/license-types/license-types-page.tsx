import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, Tags } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import type { LicenseType } from '../../../contract/license-types.ts';
import { SEARCH_MAX } from '../../../contract/limits.ts';
import { errorMessage } from '../../api/api-error.ts';
import { licenseTypesQuery } from '../../components/catalogue-queries.ts';
import { OVER_LIST, useCloseDialog } from '../../components/dialog-step.ts';
import { LoadError } from '../../components/load-error.tsx';
import { NO_DIALOG, openDialogOf } from '../../components/open-dialog.ts';
import { focusAfterRemoval } from '../../components/row-focus.ts';
import { useDebouncedSearch } from '../../components/use-debounced-search.ts';
import { useFirstGesture } from '../../components/use-first-gesture.ts';
import { type LicenseTypesSearch, PATHS } from '../../paths.ts';
import { actions, filters, infoStrip, loadErrors, states, toastTexts } from '../../text/es.ts';
import { licenseTypeTexts } from '../../text/es-license-types.ts';
import { InfoStrip } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useDeleteLicenseType } from './license-types.api.ts';
import { LicenseTypesTable } from './license-types-table.tsx';

const route = getRouteApi('/app/license-types');

// The catalogue comes first; its dialogs follow when someone reaches for it.
const loadForm = () => import('./license-types-form.tsx');
const loadDetails = () => import('./license-types-details.tsx');
const loadQuestion = () => import('../../ui/confirm-dialog.tsx');
const LicenseTypeFormDialog = lazy(async () => ({ default: (await loadForm()).LicenseTypeFormDialog }));
const LicenseTypeEditDialog = lazy(async () => ({ default: (await loadForm()).LicenseTypeEditDialog }));
const LicenseTypeDetailsDialog = lazy(async () => ({
  default: (await loadDetails()).LicenseTypeDetailsDialog,
}));
const ConfirmDialog = lazy(async () => ({ default: (await loadQuestion()).ConfirmDialog }));
const loadDialogs = () => void Promise.allSettled([loadForm(), loadDetails(), loadQuestion()]);

const WITHOUT_DIALOG = { ...NO_DIALOG, ver: undefined } as const;

/** /license-types (SEED-2.9-01 to -16): the whole catalogue without paging (D054). Its state lives in the address. */
export function LicenseTypesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useFirstGesture(loadDialogs);
  const wanted = search.q ?? '';
  const list = useQuery({ ...licenseTypesQuery(wanted), placeholderData: keepPreviousData });
  const rows = list.data;

  const narrow = (q: string) => void navigate({ to: '.', search: (now) => ({ ...now, q: q || undefined }) });
  const { text, setText } = useDebouncedSearch(wanted, narrow);
  const clearSearch = () => {
    setText('');
    narrow('');
  };

  const open = (dialog: Partial<LicenseTypesSearch>, replace = false) =>
    void navigate({
      to: PATHS.licenseTypes,
      search: { ...search, ...WITHOUT_DIALOG, ...dialog },
      state: replace ? true : OVER_LIST,
      replace,
    });
  const close = useCloseDialog(() => {
    void navigate({ to: PATHS.licenseTypes, search: { ...search, ...WITHOUT_DIALOG }, replace: true });
  });

  const removal = useConfirmedRemoval(headingRef);
  const dialog = openDialogOf(search.ver?.toString(), search);
  const state = list.isError
    ? states.failed
    : list.data && !list.isPlaceholderData
      ? states.loaded
      : states.loading;

  return (
    <div className="space-y-6">
      <PageHeader
        title={licenseTypeTexts.title}
        subtitle={licenseTypeTexts.subtitle}
        headingRef={headingRef}
        actions={
          <Button variant="primary" icon={Plus} onClick={() => open({ nuevo: '1' })}>
            {licenseTypeTexts.create}
          </Button>
        }
      />
      <InfoStrip>{infoStrip(wanted, list.isError ? null : (rows?.length ?? null), state)}</InfoStrip>
      {list.isError && (
        <LoadError
          title={loadErrors.licenseTypes}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      <Card padding="none">
        <search data-print="hidden" className="flex border-b border-border px-5 py-4">
          <SearchInput
            label={licenseTypeTexts.searchLabel}
            placeholder={licenseTypeTexts.search}
            value={text}
            onChange={setText}
            maxLength={SEARCH_MAX}
            className="min-w-48 flex-1"
          />
        </search>
        {rows?.length === 0 ? (
          <EmptyState
            icon={Tags}
            title={licenseTypeTexts.empty}
            hint={licenseTypeTexts.emptyHint}
            action={wanted !== '' && <Button onClick={clearSearch}>{filters.clear}</Button>}
          />
        ) : (
          (rows !== undefined || !list.isError) && (
            <LicenseTypesTable
              rows={rows}
              busy={list.isPlaceholderData}
              onView={(ver) => open({ ver })}
              onEdit={(editar) => open({ editar })}
              onDelete={removal.ask}
            />
          )
        )}
      </Card>
      <Suspense>
        <DialogPlace open={dialog.kind !== 'closed' || removal.dialog !== null}>
          {dialog.kind === 'create' && <LicenseTypeFormDialog type={null} onClose={close} />}
          {dialog.kind === 'edit' && (
            <LicenseTypeEditDialog
              key={dialog.id}
              id={dialog.id}
              row={rows?.find(({ id }) => id === dialog.id)}
              onClose={close}
            />
          )}
          {dialog.kind === 'details' && (
            <LicenseTypeDetailsDialog
              id={dialog.id}
              onEdit={() => open({ editar: dialog.id }, true)}
              onClose={close}
            />
          )}
          {removal.dialog}
        </DialogPlace>
      </Suspense>
    </div>
  );
}

/** 'Confirmar Eliminación' in the console's own dialog (SEED-2.9-09, SEED-2.9-10, SEED-5.6-04, D101). */
function useConfirmedRemoval(headingRef: RefObject<HTMLElement | null>) {
  const [type, setType] = useState<LicenseType | null>(null);
  const remove = useDeleteLicenseType();
  const confirm = () => {
    if (type === null || remove.isPending) return;
    const focusNext = focusAfterRemoval(type.id, actions.remove, headingRef.current);
    remove.mutate(type.id, {
      onSuccess: () => {
        toasts.success(toastTexts.licenseType.deleted);
        // Once the dialog is gone, and with it the focus that it held.
        requestAnimationFrame(() => requestAnimationFrame(focusNext));
      },
      onError: (error) => toasts.error(toastTexts.licenseType.deleteFailed, errorMessage(error)),
      onSettled: () => setType(null),
    });
  };
  const dialog = type && (
    <ConfirmDialog
      open
      title={licenseTypeTexts.confirmDeleteTitle}
      text={licenseTypeTexts.confirmDelete(type.name)}
      confirmLabel={actions.remove}
      busyLabel={actions.removing}
      busy={remove.isPending}
      tone="danger"
      onConfirm={confirm}
      onCancel={() => setType(null)}
    />
  );
  return { ask: setType, dialog };
}
