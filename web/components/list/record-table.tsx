import { Eye, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
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

/** Always five rows, independent of the page size (SEED-2.6-22, D055). */
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
  /** The checkboxes of the rows; undefined if the rows of this list cannot be selected. */
  selection: TableSelection<Row> | undefined;
  onView: (row: Row) => void;
  /** Null if the person lacks the permission. */
  onEdit: ((row: Row) => void) | null;
  onDelete: ((row: Row) => void) | null;
}

/** The last column with the row's buttons. `min` as in `Column`. */
export interface RowButtons<Row extends Listed> {
  header: string;
  min: number;
  /** True if a button opens the details, in addition to the name. */
  view: boolean;
  /** Actions that only some rows have. */
  more?: RowMenuContent<Row>;
}

interface RecordTableProps<Row extends Listed> {
  /** The table's accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  list: ListedRows<Row>;
  /** Undefined: the table has no column with buttons. */
  actions: RowButtons<Row> | undefined;
}

/** The table of a list screen: its columns, and the row's actions at the end. */
export function RecordTable<Row extends Listed>({
  caption,
  columns,
  list,
  actions: last,
}: RecordTableProps<Row>) {
  // On a phone a row of such a table has three lines, and its actions are in a menu.
  const compact = columns.some(({ phone }) => phone !== undefined);
  const on = useStable(list);
  const { deletingId } = list;
  const { header, min = 0, view = false } = last ?? {};
  const { load, Menu, hasItems } = last?.more ?? {};
  const all = useMemo(() => {
    if (header === undefined) return columns;
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
              // The column has no room for four buttons large enough for touch, so touch devices get only the menu.
              Menu ? 'pointer-coarse:hidden pointer-fine:*:w-6' : 'gap-0.5',
            )}
          >
            <RowActions row={row} list={{ ...on, deletingId }} view={view} />
            {load && Menu && hasItems?.(row) && (
              <RowMenu load={load} className="">
                {(menu) => <Menu {...menu} row={row} items={[]} />}
              </RowMenu>
            )}
          </div>
          {compact && (
            <RowMenu
              load={load}
              className={cx(
                '@min-[36rem]/data-table:hidden',
                Menu && 'pointer-coarse:@min-[36rem]/data-table:inline-flex',
              )}
            >
              {Menu
                ? (menu) => <Menu {...menu} row={row} items={menuItems(row, on)} />
                : plainMenu(menuItems(row, on))}
            </RowMenu>
          )}
        </>
      ),
    };
    return [...columns, ofRow];
  }, [columns, header, min, view, compact, load, Menu, hasItems, on, deletingId]);
  return (
    <Table
      caption={caption}
      columns={all}
      rows={list.rows ?? []}
      rowKey={(row) => row.id}
      busy={list.busy}
      sort={list.sort}
      selection={list.selection}
      placeholderRows={list.rows === undefined ? PLACEHOLDER_ROWS : undefined}
    />
  );
}

type Handlers<Row extends Listed> = Pick<ListedRows<Row>, 'onView' | 'onEdit' | 'onDelete'>;

/**
 * Handlers that stay identical between renders and call the latest ones. Thus a new render of the list does not render
 * its cells.
 */
function useStable<Row extends Listed>(list: Handlers<Row>): Handlers<Row> {
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  const edits = list.onEdit !== null;
  const deletes = list.onDelete !== null;
  return useMemo(
    () => ({
      onView: (row) => latest.current.onView(row),
      onEdit: edits ? (row) => latest.current.onEdit?.(row) : null,
      onDelete: deletes ? (row) => latest.current.onDelete?.(row) : null,
    }),
    [edits, deletes],
  );
}

const menuItems = <Row extends Listed>(row: Row, list: Handlers<Row>): MenuItem[] => {
  const { onView, onEdit, onDelete } = list;
  return [
    { label: actions.viewDetails, icon: Eye, onChoose: () => onView(row) },
    ...(onEdit ? [{ label: actions.edit, icon: Pencil, onChoose: () => onEdit(row) }] : []),
    ...(onDelete
      ? [{ label: actions.remove, icon: Trash2, tone: 'danger' as const, onChoose: () => onDelete(row) }]
      : []),
  ];
};

interface RowActionsProps<Row extends Listed> {
  row: Row;
  list: Handlers<Row> & Pick<ListedRows<Row>, 'deletingId'>;
  /** True if a button opens the details, in addition to the name. */
  view: boolean;
}

/** Ver detalles, Editar, Eliminar. */
export function RowActions<Row extends Listed>({ row, list, view }: RowActionsProps<Row>) {
  const { onEdit, onDelete } = list;
  return (
    <>
      {view && (
        <IconButton size="sm" icon={Eye} label={actions.viewDetails} onClick={() => list.onView(row)} />
      )}
      {onEdit && <IconButton size="sm" icon={Pencil} label={actions.edit} onClick={() => onEdit(row)} />}
      {onDelete && (
        <IconButton
          size="sm"
          tone="danger"
          icon={Trash2}
          label={actions.remove}
          aria-busy={list.deletingId === row.id || undefined}
          onClick={() => onDelete(row)}
        />
      )}
    </>
  );
}
