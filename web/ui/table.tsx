import { type CSSProperties, memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { states } from '../text/es.ts';
import { Skeleton } from './skeleton.tsx';
import { type Column, cellAttributes } from './table-columns.ts';
import { ariaSortOf, TableHeading, type TableSort } from './table-heading.tsx';
import { PageSelectBox, SelectBox, type TableSelection } from './table-selection.tsx';
import { useOverflowing } from './use-overflowing.ts';

/** The content of a cell. It is rendered again only if `row` or `column` changes. */
const CellValue = memo(function CellValue<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return <div className="data-table-value">{column.cell(row)}</div>;
}) as <Row>(props: { column: Column<Row>; row: Row }) => React.ReactNode;

interface TableRowProps<Row> {
  id: string | number;
  row: Row;
  columns: readonly Column<Row>[];
  attributes: ReturnType<typeof cellAttributes<Row>>;
  /** The label of the row's checkbox; undefined: no checkbox. */
  label: string | undefined;
  selected: boolean;
  onSelect: (row: Row, selected: boolean) => void;
}

/** Rendered again only if its props change: selecting one of fifty rows must not render all of them. */
const TableRow = memo(function TableRow<Row>({
  id,
  row,
  columns,
  attributes,
  label,
  selected,
  onSelect,
}: TableRowProps<Row>) {
  const primary = columns.find((column) => column.primary) ?? columns[0];
  return (
    // Explicit roles, as for the table.
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <tr role="row" data-row-key={id} data-selected={selected || undefined}>
      {columns.map((column) => (
        <td
          key={column.key}
          // biome-ignore lint/a11y/noRedundantRoles: see above
          role="cell"
          data-label={column.header}
          data-primary={column === primary || undefined}
          {...attributes.get(column.key)}
        >
          {label !== undefined && column === columns[0] && (
            <SelectBox
              label={label}
              checked={selected}
              onChange={(next) => onSelect(row, next)}
              className="data-table-box"
            />
          )}
          <CellValue column={column} row={row} />
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => React.ReactNode;

interface TableProps<Row> {
  /** The table's accessible name. */
  caption: string;
  /** If a column is the same object as before, its cells are rendered again only for another row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** True while newer rows load: the old ones stay visible, dimmed. */
  busy?: boolean;
  /** While the first rows load: the number of skeleton rows. */
  placeholderRows?: number | undefined;
  /** The sort order of the rows, chosen in the headings of columns with `sort`. */
  sort?: TableSort | undefined;
  /** The checkboxes in the first column and its heading. */
  selection?: TableSelection<Row> | undefined;
}

/**
 * The table of a list. Its layout depends on its own width. If its columns do not fit, the foldable ones move into the
 * last line of the row, each with its heading. Below 36 rem each row is a card whose cells have labels. Thus nothing
 * scrolls horizontally at 320 px. The columns that never fold must fit into 36 rem. Printed, it is a plain table.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  busy = false,
  placeholderRows,
  sort,
  selection,
}: TableProps<Row>) {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const scrolls = useOverflowing(scrollerRef);
  const attributes = useMemo(() => cellAttributes(columns), [columns]);
  const latest = useRef(selection);
  useEffect(() => {
    latest.current = selection;
  });
  const onSelect = useCallback(
    (row: Row, selected: boolean) => latest.current?.onSelect([row], selected),
    [],
  );
  return (
    <div className="data-table-frame">
      <div
        ref={scrollerRef}
        className="data-table-scroller"
        {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': caption })}
      >
        {/* Explicit roles, because `display` removes table semantics in some screen readers. */}
        <table
          // biome-ignore lint/a11y/noRedundantRoles: see above
          role="table"
          aria-busy={busy || placeholderRows !== undefined}
          className="data-table"
          style={{ '--columns': columns.length } as CSSProperties}
          data-selectable={selection !== undefined || undefined}
          data-compact={columns.some(({ phone }) => phone === 'title') || undefined}
        >
          <caption className="sr-only">{caption}</caption>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <thead role="rowgroup">
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.key}
                  // biome-ignore lint/a11y/noRedundantRoles: see above
                  role="columnheader"
                  scope="col"
                  // Without aria-label, the accessible name would begin with the checkbox's name.
                  aria-label={column.header}
                  aria-sort={ariaSortOf(column.sort, sort)}
                  {...attributes.get(column.key)}
                >
                  {selection && column === columns[0] && (
                    <PageSelectBox rows={rows} selection={selection} className="data-table-box" />
                  )}
                  {sort && column.sort !== undefined ? (
                    <TableHeading
                      header={column.header}
                      align={column.align}
                      name={column.sort}
                      sort={sort}
                    />
                  ) : (
                    column.header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tbody role="rowgroup">
            {placeholderRows === undefined
              ? rows.map((row) => (
                  <TableRow
                    key={rowKey(row)}
                    id={rowKey(row)}
                    row={row}
                    columns={columns}
                    attributes={attributes}
                    label={selection?.labelOf(row)}
                    selected={selection?.isSelected(row) ?? false}
                    onSelect={onSelect}
                  />
                ))
              : Array.from({ length: placeholderRows }, (_, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never reordered
                  <tr key={row} aria-hidden data-skeleton-row>
                    {columns.map((column) => (
                      <td key={column.key} {...attributes.get(column.key)}>
                        <Skeleton className="h-4 w-24 max-w-full" />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      <span role="status" className="sr-only">
        {placeholderRows === undefined ? '' : states.loading}
      </span>
    </div>
  );
}
