import { useCallback } from 'react';
import { rememberPageSize } from '../../api/page-size.ts';
import { useNavigate, useParam } from '../../navigation/hooks.ts';
import { type PageSize, parseSearch } from '../../paths.ts';
import { addressesOf, hasPage } from '../../record-kinds.ts';
import { OVER_LIST, useCloseDialog } from '../record/dialog-step.ts';
import { type AskedDialog, NO_DIALOG, openDialogOf } from '../record/open-dialog.ts';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';
import type { Step } from './use-applied.ts';

/** The dialog in the URL of a list, and functions that change the URL. */
export function useListAddress<Row extends Listed, Search extends ListSearch>(
  { kind, filters = [] }: Pick<ListDefinition<Row, Search>, 'kind' | 'filters'>,
  search: Search,
) {
  const { list: path, one } = addressesOf(kind);
  const id = useParam('id');
  const navigate = useNavigate();

  const change = useCallback(
    (changes: Partial<ListSearch>, step?: Step) =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...changes }), ...step }),
    [navigate],
  );
  const turnTo = useCallback(
    (page: number, step?: Step) => change({ page: page === 1 ? undefined : page }, step),
    [change],
  );
  /** A changed filter returns to page 1; an open dialog stays open. */
  const narrowBy = (changes: Partial<ListSearch>, step?: Step) =>
    change({ page: undefined, ...changes }, step);

  const withoutDialog = { ...search, ...NO_DIALOG };
  const show = (dialog: AskedDialog, { replace = false }: Partial<Step> = {}) => {
    const step = { state: replace ? true : OVER_LIST, replace } as const;
    if (dialog.kind === 'details' && one !== null && !hasPage(kind)) {
      const params = { id: String(dialog.id) };
      void navigate({ to: one, params, search: withoutDialog, ...step });
      return;
    }
    void navigate({ to: path, search: { ...withoutDialog, ...dialogSearch(dialog) }, ...step });
  };
  const close = useCloseDialog(() => {
    void navigate({ to: path, search: withoutDialog, replace: true });
  });

  return {
    search,
    dialog: openDialogOf(id, search),
    narrow: (changes: Partial<Search>, step?: Step) => narrowBy(changes, step),
    searchFor: (q: string, step: Step) => narrowBy({ q: q || undefined }, step),
    /**
     * @param current the shown page size. It is written to the current history entry, so that Back returns to it even
     * though another size is stored now
     */
    resize: async (size: PageSize, current: PageSize) => {
      rememberPageSize(size);
      await navigate({
        to: '.',
        search: (now) => ({ ...now, page_size: current }),
        state: true,
        replace: true,
      });
      narrowBy({ page_size: size });
    },
    turnTo,
    sortBy: (ordering: string | undefined) => narrowBy({ ordering }),
    /** Opens the list with the filters of a view. */
    openView: (query: string) => void navigate({ to: path, search: parseSearch(query) }),
    clear: () => narrowBy(Object.fromEntries(['q', ...filters].map((name) => [name, undefined]))),
    show,
    close,
  };
}

function dialogSearch(dialog: AskedDialog): ListSearch {
  switch (dialog.kind) {
    case 'new':
      return { nuevo: '1' };
    case 'edit':
      return { editar: dialog.id };
    case 'details':
      return { ver: dialog.id };
  }
}
