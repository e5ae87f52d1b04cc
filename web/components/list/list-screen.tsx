import { Plus, Printer } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { isOffer, useOffers } from '../../api/offers.ts';
import { apiOf, type ListKind } from '../../record-kinds.ts';
import { actions as actionWords } from '../../text/es.ts';
import { filterTexts, selectionTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Column } from '../../ui/table-columns.ts';
import type { OpenDialog } from '../record/open-dialog.ts';
import { RecordState } from '../record/record-state.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { ExportButton } from './export-button.tsx';
import type { Chip } from './filter-chips.tsx';
import { ImportLink, isImportKind } from './import-link.tsx';
import { ListBulk } from './list-bulk.tsx';
import type { Listed, ListSearch } from './list-definition.ts';
import { type DialogsOf, ListDialogs, type PassingDialog } from './list-dialogs.tsx';
import { ListEmpty } from './list-empty.tsx';
import { PagingAbove, PagingBelow } from './list-paging.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PrintedNote } from './printed-note.tsx';
import { type ListedRows, RecordTable, type RowButtons } from './record-table.tsx';
import { chipsOfSelects, SelectFilters, type SelectsOf } from './select-filters.tsx';
import type { ListScreenState } from './use-list-screen.ts';
import type { Removal } from './use-removal.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';

interface ListScreenProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  /** The columns of the table, and the column with the row's buttons. Cards are passed as `children`. */
  columns?: readonly Column<Row>[];
  actions?: RowButtons<Row>;
  /** Filters with a few values, beside the search box. */
  selects?: SelectsOf<Search>;
  /** Other filters beside the search box, instead of `selects`. */
  filters?: ReactNode;
  /** The dialog 'Filtros'. On a phone it also has the filters that are otherwise beside the search box. */
  moreFilters?: (given: { onClose: () => void; quick: ReactNode }) => ReactNode;
  /** The active filters other than `selects`, by their parameters in the address. */
  chips?: readonly Chip[];
  printed?: ComponentProps<typeof PrintedNote>['parts'];
  /** Shown between the heading and the list. */
  notice?: ReactNode;
  /** Absent: no row can be deleted. */
  removal?: Removal<Row>;
  dialogs?: DialogsOf<Row>;
  /** A dialog without a URL, other than the confirmation of a deletion; null: none is open. */
  passing?: PassingDialog | null;
  /** The cards. They show skeletons while `rows` is undefined. */
  children?: (list: ListedRows<Row>) => ReactNode;
}

/**
 * The layout of all list screens: heading with the primary button, toolbar, rows (or skeleton, error or empty state),
 * pager, dialogs. In a section, whose page renders the heading, the primary button is in the toolbar. The definition
 * and these slots contain the differences.
 */
export function ListScreen<Row extends Listed, Search extends ListSearch>({
  screen,
  columns = [],
  actions,
  selects = {},
  filters,
  moreFilters,
  chips: others = [],
  printed,
  notice,
  removal,
  dialogs = {},
  passing = null,
  children,
}: ListScreenProps<Row, Search>) {
  const { definition, rows, show } = screen;
  const { kind, texts, bulk } = definition;
  const offers = useOffersOf(kind);
  const creates = dialogs.new !== undefined && offers('create');
  const edits = dialogs.edit !== undefined && offers('edit');
  const importLink = isImportKind(kind) && <ImportLink kind={kind} />;
  const quick = quickFilters(screen, selects, filters);
  const chips = [...chipsOfSelects(selects, screen.search), ...others];
  const selection = useRowSelection(screen.narrowing, rows ?? [], bulk?.nameOf ?? String);
  const sheet = useFilterSheet(moreFilters, quick);
  const inSection = texts.title === undefined;
  // An empty section without search and filters shows only its primary button.
  const isBare = rows?.length === 0 && inSection && texts.search === undefined && !quick;
  const create = creates && <CreateButton screen={screen} inToolbar={inSection && !isBare} />;
  const toolbar = !isBare && (
    <ScreenToolbar
      screen={screen}
      create={inSection ? create : undefined}
      filters={quick}
      onMore={sheet.open}
      chips={chips}
    />
  );
  const content = (
    <>
      {notice}
      <ListFrame screen={screen} toolbar={toolbar}>
        {rows?.length === 0 ? (
          <ListEmpty
            definition={definition}
            isNarrowed={screen.isNarrowed}
            onClear={screen.clear}
            onCreate={creates ? () => show({ kind: 'new' }) : undefined}
            create={create}
            importLink={importLink}
          />
        ) : (
          shownRows(listedRows(screen, selection, removal, { edits, removes: offers('remove') }))
        )}
      </ListFrame>
      {bulk && <ListBulk screen={screen} bulk={bulk} selection={selection} chips={chips} />}
      <ListDialogs
        dialog={screen.dialog}
        dialogs={dialogs}
        refused={isRefused(screen.dialog.kind, { creates, edits })}
        definition={definition}
        passing={removal?.question ?? sheet.dialog ?? passing}
        rows={screen.page?.rows}
        onEdit={(id) => show({ kind: 'edit', id }, { replace: true })}
        onClose={screen.close}
      />
    </>
  );
  function shownRows(list: ListedRows<Row>): ReactNode {
    if (children) return children(list);
    return <RecordTable caption={texts.tableCaption ?? ''} columns={columns} actions={actions} list={list} />;
  }
  if (texts.title === undefined) return content;
  return (
    <ListPage
      header={{ title: texts.title, subtitle: texts.subtitle, headingRef: screen.headingRef }}
      printed={printed}
      exports={exportsOf(screen)}
      importLink={importLink}
      create={create}
    >
      {content}
    </ListPage>
  );
}

/** The filters beside the search box; undefined if the list has none. */
function quickFilters<Row extends Listed, Search extends ListSearch>(
  { search, narrow }: ListScreenState<Row, Search>,
  selects: SelectsOf<Search>,
  others: ReactNode,
): ReactNode {
  if (others !== undefined || Object.keys(selects).length === 0) return others;
  return <SelectFilters selects={selects} search={search} onNarrow={narrow} />;
}

const isRefused = (kind: OpenDialog['kind'], { creates, edits }: { creates: boolean; edits: boolean }) =>
  (kind === 'new' && !creates) || (kind === 'edit' && !edits);

/**
 * The dialog 'Filtros', which also has the filters beside the search box. `open` is undefined if the list has no such
 * dialog.
 */
function useFilterSheet(
  moreFilters: ListScreenProps<Listed, ListSearch>['moreFilters'],
  quick: ReactNode,
): { open: (() => void) | undefined; dialog: PassingDialog | null } {
  const [isOpen, setOpen] = useState(false);
  if (!moreFilters) return { open: undefined, dialog: null };
  const onClose = () => setOpen(false);
  const dialog: PassingDialog | null = isOpen
    ? { title: filterTexts.more, size: 'md', onClose, dialog: moreFilters({ onClose, quick }) }
    : null;
  return { open: () => setOpen(true), dialog };
}

interface ScreenToolbarProps<Row extends Listed, Search extends ListSearch>
  extends Pick<ComponentProps<typeof ListToolbar>, 'create' | 'filters' | 'onMore'> {
  screen: ListScreenState<Row, Search>;
  chips: Chip[];
}

/** The toolbar, with values from the address. */
function ScreenToolbar<Row extends Listed, Search extends ListSearch>({
  screen,
  chips,
  ...parts
}: ScreenToolbarProps<Row, Search>) {
  const { texts, layout, views } = screen.definition;
  return (
    <ListToolbar
      {...parts}
      texts={texts}
      text={screen.text}
      onText={screen.setText}
      inCard={layout !== 'cards'}
      views={views && { ...views, current: screen.view, onChoose: screen.openView }}
      chips={{
        chips,
        onRemove: (key) => screen.narrow({ [key]: undefined } as Partial<Search>),
        // Null for an empty list, because its empty state already has this button.
        onClear: screen.rows?.length === 0 ? null : screen.clear,
      }}
    />
  );
}

interface ListPageProps extends Pick<ListScreenProps<Listed, ListSearch>, 'printed'> {
  exports: ComponentProps<typeof ExportButton> | undefined;
  header: Omit<ComponentProps<typeof PageHeader>, 'actions'>;
  importLink: ReactNode;
  create: ReactNode;
  children: ReactNode;
}

/** A list that is a whole page: its heading, and the buttons that concern the whole list. */
const ListPage = ({ header, exports, printed, importLink, create, children }: ListPageProps) => (
  <div className={cx('space-y-6', printed && 'print-wide print:space-y-3')}>
    <PageHeader
      {...header}
      actions={
        <>
          {importLink}
          {exports && <ExportButton {...exports} />}
          {printed && <PrintButton />}
          {create}
        </>
      }
    />
    {printed && <PrintedNote parts={printed} />}
    {children}
  </div>
);

/** 'Exportar', with the search and filters of the address. */
const exportsOf = <Row extends Listed, Search extends ListSearch>({
  definition: { kind, narrowing, exports },
  search,
}: ListScreenState<Row, Search>): ListPageProps['exports'] =>
  exports && { ...exports, path: `${apiOf(kind)}export/`, query: narrowing?.(search) };

/**
 * Which actions the person is offered. Actions that `OFFERS` does not contain are offered to everyone who sees the
 * list.
 */
function useOffersOf(kind: ListKind) {
  const isOffered = useOffers();
  return (verb: 'create' | 'edit' | 'remove') => {
    const offer = `${kind}.${verb}`;
    return !isOffer(offer) || isOffered(offer);
  };
}

interface CreateButtonProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  inToolbar: boolean;
}

const CreateButton = <Row extends Listed, Search extends ListSearch>({
  screen: { definition, createRef, show },
  inToolbar,
}: CreateButtonProps<Row, Search>) => (
  <Button
    ref={createRef}
    data-shortcut="new"
    variant="primary"
    icon={definition.createIcon ?? Plus}
    className={cx(inToolbar && 'sm:ml-auto')}
    onClick={() => show({ kind: 'new' })}
  >
    {definition.texts.create}
  </Button>
);

const PrintButton = () => (
  <Button compact icon={Printer} onClick={() => window.print()}>
    {actionWords.print}
  </Button>
);

/** The props of the table or the cards, taken from the screen's state. */
function listedRows<Row extends Listed, Search extends ListSearch>(
  { definition: { bulk }, rows, busy, search, sortBy, show }: ListScreenState<Row, Search>,
  selection: RowSelection<Row>,
  removal: Removal<Row> | undefined,
  offered: { edits: boolean; removes: boolean },
): ListedRows<Row> {
  return {
    rows,
    busy,
    deletingId: removal?.deletingId ?? null,
    sort: { by: search.ordering, onSort: sortBy },
    selection: bulk && {
      isSelected: selection.isSelected,
      onSelect: selection.select,
      labelOf: (row) => selectionTexts.row(bulk.nameOf(row)),
      pageLabel: selectionTexts.page(bulk.noun),
    },
    onView: ({ id }) => show({ kind: 'details', id }),
    onEdit: offered.edits ? ({ id }) => show({ kind: 'edit', id }) : null,
    onDelete: removal && offered.removes ? removal.ask : null,
  };
}

interface ListFrameProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  toolbar: ReactNode;
  /** The rows, or the empty state. */
  children: ReactNode;
}

/** A list with its toolbar and pager: all in one card, or as separate cards on the page. */
function ListFrame<Row extends Listed, Search extends ListSearch>({
  screen,
  toolbar,
  children,
}: ListFrameProps<Row, Search>) {
  const { definition, list, rows } = screen;
  const { texts, loadFailed, layout, paging } = definition;
  const failure = list.isError && (
    <LoadError
      title={loadFailed}
      error={list.error}
      onRetry={() => void list.refetch()}
      retrying={list.isFetching}
    />
  );
  // If the first load fails, only the error is shown.
  const shown = (rows !== undefined || !list.isError) && children;
  const above = (
    <PagingAbove paging={paging} page={screen.page} pageSize={screen.pageSize} onResize={screen.resize} />
  );
  if (layout === 'cards') {
    return (
      <>
        {toolbar}
        {failure}
        {!(failure && rows === undefined) && above}
        {rows?.length === 0 ? <Card>{shown}</Card> : shown}
      </>
    );
  }
  const card = (
    <Card padding="none">
      {toolbar}
      {above}
      {shown}
      <PagingBelow paging={paging} page={screen.page} onPage={screen.turnTo} />
    </Card>
  );
  if (texts.loading !== undefined) {
    const { loading, empty: notFound } = texts;
    return (
      <RecordState query={list} texts={{ loading, notFound, failed: loadFailed }}>
        {() => card}
      </RecordState>
    );
  }
  return (
    <>
      {failure}
      {card}
    </>
  );
}
