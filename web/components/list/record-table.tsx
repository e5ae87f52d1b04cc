import { Eye, Pencil, Trash2 } from 'lucide-react';
import { actions } from '../../text/es.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import type { TableSort } from '../../ui/table-heading.tsx';
import type { TableSelection } from '../../ui/table-selection.tsx';
import type { Listed } from './list-definition.ts';
import { plainMenu, RowMenu, type RowMenuContent } from './row-menu.tsx';

/** Always five, whatever the page size (SEED-2.6-22, D055). */
const PLACEHOLDER_ROWS = 5;

/** The props that a list screen passes to its table or cards. */
export interface ListedRows<Row extends Listed> {
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined;
  /** True while newer rows load. */
  busy: boolean;
  /** The row that is being deleted. */
  deletingId: number | null;
  /** The order of the rows. */
  sort: TableSort;
  /** The boxes of the rows; undefined: the rows of this list cannot be selected. */
  selection: TableSelection<Row> | undefined;
  onView: (row: Row) => void;
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
}

interface RecordTableProps<Row extends Listed> {
  /** The table's accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  list: ListedRows<Row>;
  /** The last column: the row's actions. `min` as in `Column`; `more` are actions that only some rows have. */
  actions: { header: string; min: number; view: boolean; more?: RowMenuContent<Row> };
}

/** The table of a list screen: its columns, and the row's actions at the end. */
export function RecordTable<Row extends Listed>({
  caption,
  columns,
  list,
  actions: { header, min, view, more },
}: RecordTableProps<Row>) {
  // On a phone a row of such a table is three lines, and its actions are in a menu.
  const compact = columns.some(({ phone }) => phone !== undefined);
  const ofRow: Column<Row> = {
    key: 'actions',
    header,
    align: 'end',
    noPrint: true,
    min,
    phone: 'menu',
    cell: (row) => (
      <>
        <div
          className={cx(
            'flex justify-end',
            compact && '@max-[36rem]/data-table:hidden',
            // Four buttons of a finger's size have no room in the column: a finger gets the menu alone.
            more ? 'pointer-coarse:hidden pointer-fine:*:w-6' : 'gap-0.5',
          )}
        >
          <RowActions row={row} list={list} view={view} />
          {more && (
            <RowMenu load={more.load} className="">
              {(menu) => <more.Menu {...menu} row={row} items={[]} />}
            </RowMenu>
          )}
        </div>
        {compact && (
          <RowMenu
            load={more?.load}
            className={cx(
              '@min-[36rem]/data-table:hidden',
              more && 'pointer-coarse:@min-[36rem]/data-table:inline-flex',
            )}
          >
            {more
              ? (menu) => <more.Menu {...menu} row={row} items={menuItems(row, list)} />
              : plainMenu(menuItems(row, list))}
          </RowMenu>
        )}
      </>
    ),
  };
  return (
    <Table
      caption={caption}
      columns={[...columns, ofRow]}
      rows={list.rows ?? []}
      rowKey={(row) => row.id}
      busy={list.busy}
      sort={list.sort}
      selection={list.selection}
      placeholderRows={list.rows === undefined ? PLACEHOLDER_ROWS : undefined}
    />
  );
}

const menuItems = <Row extends Listed>(row: Row, list: ListedRows<Row>): MenuItem[] => [
  { label: actions.viewDetails, icon: Eye, onChoose: () => list.onView(row) },
  { label: actions.edit, icon: Pencil, onChoose: () => list.onEdit(row) },
  { label: actions.remove, icon: Trash2, tone: 'danger', onChoose: () => list.onDelete(row) },
];

interface RowActionsProps<Row extends Listed> {
  row: Row;
  list: ListedRows<Row>;
  /** Whether a button opens the details, in addition to the name. */
  view: boolean;
}

/** Ver detalles, Editar, Eliminar. */
export function RowActions<Row extends Listed>({ row, list, view }: RowActionsProps<Row>) {
  return (
    <>
      {view && (
        <IconButton size="sm" icon={Eye} label={actions.viewDetails} onClick={() => list.onView(row)} />
      )}
      <IconButton size="sm" icon={Pencil} label={actions.edit} onClick={() => list.onEdit(row)} />
      <IconButton
        size="sm"
        tone="danger"
        icon={Trash2}
        label={actions.remove}
        aria-busy={list.deletingId === row.id || undefined}
        onClick={() => list.onDelete(row)}
      />
    </>
  );
}
