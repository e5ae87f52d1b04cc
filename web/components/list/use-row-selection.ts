import { useState } from 'react';
import type { Listed } from './list-definition.ts';

interface Ticked<Row> {
  /** The filters under which the rows were selected. */
  narrowing: string;
  /** The names of the selected rows by id, also of rows on other pages. */
  names: ReadonlyMap<number, string>;
  /** The selected rows, as they were when they were selected. */
  rows: ReadonlyMap<number, Row>;
  /** True if every matching row is selected, including rows that were never loaded. */
  all: boolean;
}

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>();

export interface RowSelection<Row extends Listed> {
  names: ReadonlyMap<number, string>;
  /** The selected rows. Those on the shown page have their current data. */
  rows: readonly Row[];
  all: boolean;
  isSelected: (row: Row) => boolean;
  select: (rows: readonly Row[], selected: boolean) => void;
  selectAll: () => void;
  /** Reduces the selection to these ids. */
  keep: (ids: readonly number[]) => void;
}

/**
 * The selected rows of a list. The selection stays when the page changes and is cleared when a filter changes
 * (LIST-01).
 *
 * @param narrowing search and filters as one text
 * @param page the rows of the shown page
 */
export function useRowSelection<Row extends Listed>(
  narrowing: string,
  page: readonly Row[],
  nameOf: (row: Row) => string,
): RowSelection<Row> {
  const [ticked, setTicked] = useState<Ticked<Row>>({
    narrowing,
    names: NOTHING,
    rows: NOTHING,
    all: false,
  });
  const isCurrent = ticked.narrowing === narrowing;
  const names = isCurrent ? ticked.names : NOTHING;
  const rows = isCurrent ? ticked.rows : NOTHING;
  const all = isCurrent && ticked.all;
  const tick = (next: ReadonlyMap<number, Row>) =>
    setTicked({
      narrowing,
      names: new Map([...next].map(([id, row]) => [id, nameOf(row)])),
      rows: next,
      all: false,
    });
  return {
    names,
    rows: [...rows].map(([id, row]) => page.find((shown) => shown.id === id) ?? row),
    all,
    isSelected: ({ id }) => all || names.has(id),
    select: (changed, selected) => {
      // If all rows were selected, the other rows of the page stay selected.
      const next = new Map(all ? page.map((row) => [row.id, row]) : rows);
      for (const row of changed) {
        if (selected) next.set(row.id, row);
        else next.delete(row.id);
      }
      tick(next);
    },
    selectAll: () => setTicked({ narrowing, names: NOTHING, rows: NOTHING, all: true }),
    keep: (ids) => tick(new Map([...rows].filter(([id]) => ids.includes(id)))),
  };
}
