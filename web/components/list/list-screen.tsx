import { Plus, Printer } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { actions, filters as filterTexts } from '../../text/es.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { LoadError } from '../frame/load-error.tsx';
import { ExportButton } from './export-button.tsx';
import type { Listed, ListSearch } from './list-definition.ts';
import { type DialogsOf, ListDialogs, type PassingDialog } from './list-dialogs.tsx';
import { PagingAbove, PagingBelow } from './list-paging.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PrintedNote } from './printed-note.tsx';
import type { ListedRows } from './record-table.tsx';
import type { ListScreenState } from './use-list-screen.ts';
import type { Removal } from './use-removal.ts';

interface ListScreenProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  /** The selects beside the search; null: none. */
  filters: ReactNode;
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
  const toolbar = (
    <ListToolbar texts={texts} text={screen.text} onText={screen.setText} inCard={inCard} filters={filters} />
  );
  const empty = (
    <EmptyState
      icon={icon}
      title={texts.empty}
      hint={texts.emptyHint}
      action={screen.isNarrowed && <Button onClick={screen.clear}>{filterTexts.clear}</Button>}
    />
  );
  const isEmpty = rows?.length === 0;
  // When the first load fails, only the error is shown.
  const listed =
    (rows !== undefined || error === null) &&
    children({
      rows,
      busy: screen.busy,
      deletingId: removal.deletingId,
      onView: ({ id }) => show({ kind: 'details', id }),
      onEdit: ({ id }) => show({ kind: 'edit', id }),
      onDelete: removal.ask,
    });

  return (
    <div className={cx('space-y-6', printed && 'print-wide print:space-y-3')}>
      <PageHeader
        title={texts.title}
        subtitle={texts.subtitle}
        headingRef={screen.headingRef}
        actions={
          <>
            {exports && <ExportButton {...exports} />}
            {printed && (
              <Button compact icon={Printer} onClick={() => window.print()}>
                {actions.print}
              </Button>
            )}
            <Button
              ref={screen.createRef}
              variant="primary"
              icon={Plus}
              onClick={() => show({ kind: 'new' })}
            >
              {texts.create}
            </Button>
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
          {isEmpty ? <Card>{empty}</Card> : listed}
        </>
      )}
      <ListDialogs
        dialog={screen.dialog}
        dialogs={dialogs}
        definition={definition}
        passing={removal.question ?? passing}
        rows={screen.page?.rows}
        onEdit={(id) => show({ kind: 'edit', id }, { replace: true })}
        onClose={screen.close}
      />
    </div>
  );
}
