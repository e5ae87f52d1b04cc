import { Eye, Pencil, Trash2 } from 'lucide-react';
import { actions } from '../../text/es.ts';
import { IconButton } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import type { Listed } from './list-definition.ts';

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
  onView: (row: Row) => void;
  onEdit: (row: Row) => void;
  onDelete: (row: Row) => void;
}

interface RecordTableProps<Row extends Listed> {
  /** The table's accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  list: ListedRows<Row>;
  /** The last column: the row's actions. `min` as in `Column`. */
  actions: { header: string; min: number; view: boolean };
}

/** The table of a list screen: its columns, and the row's actions at the end. */
export function RecordTable<Row extends Listed>({ caption, columns, list, actions }: RecordTableProps<Row>) {
  const { header, min, view } = actions;
  const ofRow: Column<Row> = {
    key: 'actions',
    header,
    align: 'end',
    noPrint: true,
    min,
    cell: (row) => (
      <div className="flex justify-end gap-0.5">
        <RowActions row={row} list={list} view={view} />
      </div>
    ),
  };
  return (
    <Table
      caption={caption}
      columns={[...columns, ofRow]}
      rows={list.rows ?? []}
      rowKey={(row) => row.id}
      busy={list.busy}
      placeholderRows={list.rows === undefined ? PLACEHOLDER_ROWS : undefined}
    />
  );
}

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
