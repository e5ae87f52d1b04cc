import { Plus, Printer } from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import { useOffers } from '../../api/offers.ts';
import { actions, filters as filterWords } from '../../text/es.ts';
import { filterTexts, searchedFor, selectionTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { codeOf, lazyComponent } from '../frame/code.tsx';
import { LoadError } from '../frame/load-error.tsx';
import { ExportButton } from './export-button.tsx';
import type { Chip } from './filter-chips.tsx';
import { ImportLink } from './import-link.tsx';
import type { Listed, ListSearch } from './list-definition.ts';
import { type DialogsOf, ListDialogs, type PassingDialog } from './list-dialogs.tsx';
import { PagingAbove, PagingBelow } from './list-paging.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PrintedNote } from './printed-note.tsx';
import type { ListedRows } from './record-table.tsx';
import type { ListScreenState } from './use-list-screen.ts';
import type { Removal } from './use-removal.ts';
import { useRowSelection } from './use-row-selection.ts';

const bar = codeOf(() => import('./bulk-bar.tsx'));
const BulkBar = lazyComponent(bar, (module) => module.BulkBar);

interface ListScreenProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  /** The selects beside the search; null: none. */
  filters: ReactNode;
  /** The dialog 'Filtros', which also has `filters` on a phone; null: the list has none. */
  moreFilters: ((given: { onClose: () => void }) => ReactNode) | null;
  /** The filters that are on, by their parameters in the address. */
  chips: readonly Chip[];
  /** The export button; null: the list has no export. */
  exports: ComponentProps<typeof ExportButton> | null;
  /** The note on the printed page; null: the screen is not printed. */
  printed: ComponentProps<typeof PrintedNote>['parts'] | null;
  /** Between the heading and the list. */
  notice: ReactNode;
  removal: Removal<Row>;
  dialogs: DialogsOf<Row>;
  /** A dialog without a URL, other than the confirmation of a deletion; null: none is open. */
  passing: PassingDialog | null;
  /** The table or the cards: skeletons while `rows` is undefined. */
  children: (list: ListedRows<Row>) => ReactNode;
}

/**
 * The layout of every list screen: heading with the primary button, toolbar, rows (or skeleton, error or empty state),
 * pager, dialogs. The definition and these slots hold the differences; every slot is required.
 */
export function ListScreen<Row extends Listed, Search extends ListSearch>({
  screen,
  filters,
  moreFilters,
  chips,
  exports,
  printed,
  notice,
  removal,
  dialogs,
  passing,
  children,
}: ListScreenProps<Row, Search>) {
  const { definition, rows, error, show } = screen;
  const { texts, icon, layout, paging } = definition;
  const { bulk, views, subject } = definition;
  const isOffered = useOffers();
  const creates = isOffered(`${subject}.create`);
  const edits = isOffered(`${subject}.edit`);
  // Types are few and have special rules: they come from no file.
  const importLink = subject !== 'licenseTypes' && <ImportLink kind={subject} />;
  const [filtering, setFiltering] = useState(false);
  const selection = useRowSelection(screen.narrowing, rows ?? [], bulk?.nameOf ?? String);
  const isTicked = selection.all || selection.names.size > 0;
  // The bar stays for the dialog that is open when the last row is done.
  const [barWanted, setBarWanted] = useState(false);
  if (isTicked && !barWanted) setBarWanted(true);
  const inCard = layout === 'table';
  const pages = { paging, page: screen.page, pageSize: screen.pageSize, onResize: screen.resize };

  const failure = error && (
    <LoadError
      title={definition.loadFailed}
      error={error}
      onRetry={screen.retry}
      retrying={screen.retrying}
    />
  );
  const isEmpty = rows?.length === 0;
  const toolbar = (
    <ListToolbar
      texts={texts}
      text={screen.text}
      onText={screen.setText}
      inCard={inCard}
      filters={filters}
      onMore={moreFilters && (() => setFiltering(true))}
      views={views && { ...views, current: screen.view, onChoose: screen.openView }}
      chips={{
        chips,
        onRemove: (key) => screen.narrow({ [key]: undefined } as Partial<Search>),
        onClear: isEmpty ? null : screen.clear,
      }}
    />
  );
  const empty = (
    <EmptyState
      icon={icon}
      title={texts.empty}
      hint={screen.isNarrowed ? `${filterWords.nothingFits} ${texts.emptyHint}` : texts.emptyHint}
      action={
        screen.isNarrowed ? (
          <Button onClick={screen.clear}>{filterWords.clear}</Button>
        ) : (
          creates && (
            <div className="flex flex-wrap justify-center gap-2">
              <Button variant="primary" icon={Plus} onClick={() => show({ kind: 'new' })}>
                {texts.createFirst}
              </Button>
              {importLink}
            </div>
          )
        )
      }
    />
  );
  // When the first load fails, only the error is shown.
  const listed =
    (rows !== undefined || error === null) &&
    children({
      rows,
      busy: screen.busy,
      deletingId: removal.deletingId,
      sort: { by: screen.search.ordering, onSort: screen.sortBy },
      selection: bulk
        ? {
            isSelected: selection.isSelected,
            onSelect: selection.select,
            labelOf: (row) => selectionTexts.row(bulk.nameOf(row)),
            pageLabel: selectionTexts.page(bulk.noun),
          }
        : undefined,
      onView: ({ id }) => show({ kind: 'details', id }),
      onEdit: edits ? ({ id }) => show({ kind: 'edit', id }) : null,
      onDelete: isOffered(`${subject}.remove`) ? removal.ask : null,
    });

  const closeFilters = () => setFiltering(false);
  const sheet: PassingDialog | null =
    moreFilters && filtering
      ? {
          title: filterTexts.more,
          size: 'md',
          onClose: closeFilters,
          dialog: moreFilters({ onClose: closeFilters }),
        }
      : null;

  return (
    <div className={cx('space-y-6', printed && 'print-wide print:space-y-3')}>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        headingRef={screen.headingRef}
        actions={
          <>
            {importLink}
            {exports && <ExportButton {...exports} />}
            {printed && (
              <Button compact icon={Printer} onClick={() => window.print()}>
                {actions.print}
              </Button>
            )}
            {creates && (
              <Button
                ref={screen.createRef}
                data-shortcut="new"
                variant="primary"
                icon={Plus}
                onClick={() => show({ kind: 'new' })}
              >
                {texts.create}
              </Button>
            )}
          </>
        }
      />
      {printed && <PrintedNote parts={printed} />}
      {notice}
      {inCard ? (
        <>
          {failure}
          <Card padding="none">
            {toolbar}
            <PagingAbove {...pages} />
            {isEmpty ? empty : listed}
            <PagingBelow {...pages} onPage={screen.turnTo} />
          </Card>
        </>
      ) : (
        <>
          {toolbar}
          {failure}
          {!(failure && rows === undefined) && <PagingAbove {...pages} />}
          {isEmpty ? <Card>{empty}</Card> : listed}
        </>
      )}
      {bulk && barWanted && (
        <Suspense fallback={null}>
          <BulkBar
            bulk={bulk}
            filters={bulk.filters(screen.search)}
            selection={selection}
            page={screen.page}
            narrowedBy={[
              screen.search.q && searchedFor(screen.search.q),
              ...chips.map(({ name, value }) => (value === '' ? name : `${name}: ${value}`)),
            ]
              .filter(Boolean)
              .join(', ')}
            recordPath={definition.recordPath}
            heading={() => screen.headingRef.current}
          />
        </Suspense>
      )}
      <ListDialogs
        dialog={screen.dialog}
        dialogs={dialogs}
        refused={(screen.dialog.kind === 'new' && !creates) || (screen.dialog.kind === 'edit' && !edits)}
        definition={definition}
        passing={removal.question ?? sheet ?? passing}
        rows={screen.page?.rows}
        onEdit={(id) => show({ kind: 'edit', id }, { replace: true })}
        onClose={screen.close}
      />
    </div>
  );
}
