import { type ReactNode, useRef } from 'react';
import { useOverflowing } from '../../../ui/use-overflowing.ts';

export interface TableData {
  caption: string;
  headings: readonly string[];
  /** The first cell is the name of the row; the others are figures. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** A note about rows that the table omits. */
  note?: string | undefined;
}

/** Explicit roles, because `display` removes table semantics in some screen readers. */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/** As many columns fit into a phone. */
const MANY = 4;

/**
 * The figures of a chart as a table. In a narrow card each row of a table with many columns is a list of its figures, so
 * that none is cut; on paper its text is small.
 */
export function ReportTable({ caption, headings, rows, note }: TableData) {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const scrolls = useOverflowing(scrollerRef);
  return (
    <div>
      <div
        ref={scrollerRef}
        className="report-table-frame overflow-x-auto"
        {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': caption })}
      >
        <table {...ROLES.table} className="report-table" data-many={headings.length > MANY || undefined}>
          <caption>{caption}</caption>
          <thead {...ROLES.rowgroup}>
            <tr {...ROLES.row} className="text-muted">
              {headings.map((heading) => (
                <th key={heading} {...ROLES.columnheader} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...ROLES.rowgroup}>
            {rows.map(({ key, cells }) => (
              <tr key={key} {...ROLES.row}>
                {cells.map((cell, position) =>
                  position === 0 ? (
                    <th key={headings[position]} {...ROLES.rowheader} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={headings[position]} {...ROLES.cell} data-label={headings[position]}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {note && <p className="mt-1.5 text-xs text-muted">{note}</p>}
    </div>
  );
}
