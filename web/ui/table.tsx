import { type ReactNode, useRef } from 'react';
import { Skeleton } from './skeleton.tsx';
import { useOverflowing } from './use-overflowing.ts';

export interface Column<Row> {
  key: string;
  /** The heading, and the label of the cell where the row is a card. */
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end' | 'center';
  /** Gives way first: hidden while the table is narrower than 48, 56 or 64 rem. Cards show it again. */
  hideBelow?: 'md' | 'lg' | 'xl';
  /** Heads the card, without a label. The first column, unless one says so. */
  primary?: boolean;
  /** Left out on paper: the row's actions. */
  noPrint?: boolean;
  className?: string;
}

interface TableProps<Row> {
  /** What the table holds, for readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Newer rows are on their way: the old ones stay, dimmed. */
  busy?: boolean;
  /** Nothing is known yet: this many grey rows stand in. */
  placeholderRows?: number | undefined;
}

/**
 * A table of a list. It follows the width it is given: below 40 rem each row is a card whose cells carry their
 * heading, so that nothing scrolls sideways at 320 px. On paper it is a plain table.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  busy = false,
  placeholderRows,
}: TableProps<Row>) {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const scrolls = useOverflowing(scrollerRef);
  const primaryKey = (columns.find((column) => column.primary) ?? columns[0])?.key;
  return (
    <div className="data-table-frame">
      <div
        ref={scrollerRef}
        className="data-table-scroller"
        {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': caption })}
      >
        {/* Roles are written out: shown as cards, the elements alone would lose them in some readers. */}
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <table role="table" aria-busy={busy || placeholderRows !== undefined} className="data-table">
          <caption className="sr-only">{caption}</caption>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <thead role="rowgroup">
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <tr role="row">
              {columns.map((column) => (
                // biome-ignore lint/a11y/noRedundantRoles: see above
                <th key={column.key} role="columnheader" scope="col" {...cellAttributes(column)}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tbody role="rowgroup">
            {placeholderRows === undefined
              ? rows.map((row) => {
                  const key = rowKey(row);
                  return (
                    // biome-ignore lint/a11y/noRedundantRoles: see above
                    <tr key={key} role="row" data-row-key={key}>
                      {columns.map((column) => (
                        <td
                          key={column.key}
                          // biome-ignore lint/a11y/noRedundantRoles: see above
                          role="cell"
                          data-label={column.header}
                          data-primary={column.key === primaryKey || undefined}
                          {...cellAttributes(column)}
                        >
                          <div className="data-table-value">{column.cell(row)}</div>
                        </td>
                      ))}
                    </tr>
                  );
                })
              : Array.from({ length: placeholderRows }, (_, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never change places
                  <tr key={row} aria-hidden data-skeleton-row>
                    {columns.map((column) => (
                      <td key={column.key} {...cellAttributes(column)}>
                        <Skeleton className="h-4 w-24 max-w-full" />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      <span role="status" className="sr-only">
        {placeholderRows === undefined ? '' : 'Cargando...'}
      </span>
    </div>
  );
}

function cellAttributes<Row>(column: Column<Row>) {
  return {
    className: column.className,
    'data-align': column.align,
    'data-hide-below': column.hideBelow,
    'data-print': column.noPrint ? 'hidden' : undefined,
  };
}
