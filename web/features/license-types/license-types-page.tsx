import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus, Tags } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { LicenseType } from '../../../contract/license-types.ts';
import { SEARCH_MAX } from '../../../contract/limits.ts';
import { errorMessage } from '../../api/api-error.ts';
import { licenseTypesQuery } from '../../components/catalogue-queries.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { DialogCode, type DialogFrames } from '../../components/frame/dialog-code.tsx';
import { LoadError } from '../../components/frame/load-error.tsx';
import { focusAfterRemoval } from '../../components/list/row-focus.ts';
import { useDebouncedSearch } from '../../components/list/use-debounced-search.ts';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { NO_DIALOG, openDialogOf } from '../../components/record/open-dialog.ts';
import { useRecordAhead } from '../../components/record/use-record-ahead.ts';
import { useFirstGesture } from '../../components/use-first-gesture.ts';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';
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
import { licenseTypeQuery, useDeleteLicenseType } from './license-types.api.ts';
import { LicenseTypesTable } from './license-types-table.tsx';

const route = getRouteApi('/app/license-types');

// The catalogue comes first; its dialogs follow when someone reaches for it.
const form = codeOf(() => import('./license-types-form.tsx'));
const details = codeOf(() => import('./license-types-details.tsx'));
const question = codeOf(() => import('../../ui/confirm-dialog.tsx'));
const LicenseTypeFormDialog = lazyComponent(form, (module) => module.LicenseTypeFormDialog);
const LicenseTypeEditDialog = lazyComponent(form, (module) => module.LicenseTypeEditDialog);
const LicenseTypeDetailsDialog = lazyComponent(details, (module) => module.LicenseTypeDetailsDialog);
const ConfirmDialog = lazyComponent(question, (module) => module.ConfirmDialog);
const loadDialogs = () => void Promise.allSettled([form.fetch(), details.fetch(), question.fetch()]);

const DIALOGS = {
  // No address, and yet a dialog: the question before a type is deleted.
  closed: { title: licenseTypeTexts.confirmDeleteTitle, size: 'sm' },
  create: { title: licenseTypeTexts.createTitle, size: 'lg' },
  edit: { title: licenseTypeTexts.edit, size: 'lg' },
  details: { title: licenseTypeTexts.details },
} as const satisfies DialogFrames;

const WITHOUT_DIALOG = { ...NO_DIALOG, ver: undefined } as const;

/** /license-types (SEED-2.9-01 to -16): the whole catalogue without paging (D054). Its state lives in the address. */
export function LicenseTypesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useFirstGesture(loadDialogs);
  useRecordAhead(licenseTypeQuery);
  const wanted = search.q ?? '';
  const list = useQuery({ ...licenseTypesQuery(wanted), placeholderData: keepPreviousData });
  const rows = list.data;

  const narrow = (q: string, step?: { replace: boolean }) =>
    void navigate({ to: '.', search: (now) => ({ ...now, q: q || undefined }), ...step });
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
      <DialogPlace open={dialog.kind !== 'closed' || removal.dialog !== null}>
        <DialogCode
          key={dialog.kind}
          {...DIALOGS[dialog.kind]}
          onClose={removal.dialog === null ? close : removal.cancel}
        >
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
        </DialogCode>
      </DialogPlace>
    </div>
  );
}

/** 'Confirmar Eliminación' in the console's own dialog (SEED-2.9-09, SEED-2.9-10, SEED-5.6-04, D101). */
function useConfirmedRemoval(headingRef: RefObject<HTMLElement | null>) {
  const [type, setType] = useState<LicenseType | null>(null);
  const remove = useDeleteLicenseType();
  const [confirm] = useOneAtATime(async () => {
    if (type === null) return;
    const focusNext = focusAfterRemoval(type.id, actions.remove, headingRef.current);
    try {
      await remove.mutateAsync(type.id);
      toasts.success(toastTexts.licenseType.deleted);
      // Once the dialog is gone, and with it the focus that it held.
      requestAnimationFrame(() => requestAnimationFrame(focusNext));
    } catch (error) {
      toasts.error(toastTexts.licenseType.deleteFailed, errorMessage(error));
    } finally {
      setType(null);
    }
  });
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
  return { ask: setType, cancel: () => setType(null), dialog };
}
