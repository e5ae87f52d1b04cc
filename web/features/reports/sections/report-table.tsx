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

/**
 * The figures of a chart as a table. A wide table can be scrolled, also with the keyboard; on paper its text is small.
 */
export function ReportTable({ caption, headings, rows, note }: TableData) {
  const scrollerRef = useRef<HTMLDivElement>(null);
  const scrolls = useOverflowing(scrollerRef);
  return (
    <div>
      <div
        ref={scrollerRef}
        className="overflow-x-auto"
        {...(scrolls && { tabIndex: 0, role: 'region', 'aria-label': caption })}
      >
        <table className="report-table">
          <caption>{caption}</caption>
          <thead>
            <tr className="text-muted">
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, position) =>
                  position === 0 ? (
                    <th key={headings[position]} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={headings[position]}>{cell}</td>
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
