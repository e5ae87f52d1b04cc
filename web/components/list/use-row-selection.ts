import { useState } from 'react';
import type { Listed } from './list-definition.ts';

interface Ticked {
  /** The filters under which the rows were ticked. */
  narrowing: string;
  /** The names of the ticked rows by their ids, also of rows on other pages. */
  names: ReadonlyMap<number, string>;
  /** Every row that matches, also those that were never loaded. */
  all: boolean;
}

const NOTHING: ReadonlyMap<number, string> = new Map();

/** The ticked rows of a list. */
export interface RowSelection<Row extends Listed> {
  names: ReadonlyMap<number, string>;
  all: boolean;
  isSelected: (row: Row) => boolean;
  select: (rows: readonly Row[], selected: boolean) => void;
  selectAll: () => void;
  /** Leaves these ids ticked, or nothing. */
  keep: (ids: readonly number[]) => void;
}

/**
 * The ticked rows of a list: they stay while pages are turned, and a changed filter clears them (LIST-01).
 *
 * @param narrowing search and filters as one text
 * @param page the rows of the page that is shown
 */
export function useRowSelection<Row extends Listed>(
  narrowing: string,
  page: readonly Row[],
  nameOf: (row: Row) => string,
): RowSelection<Row> {
  const [ticked, setTicked] = useState<Ticked>({ narrowing, names: NOTHING, all: false });
  const isCurrent = ticked.narrowing === narrowing;
  const names = isCurrent ? ticked.names : NOTHING;
  const all = isCurrent && ticked.all;
  return {
    names,
    all,
    isSelected: ({ id }) => all || names.has(id),
    select: (rows, selected) => {
      // When all were ticked, the other rows of the page stay ticked.
      const next = new Map(all ? page.map((row) => [row.id, nameOf(row)]) : names);
      for (const row of rows) {
        if (selected) next.set(row.id, nameOf(row));
        else next.delete(row.id);
      }
      setTicked({ narrowing, names: next, all: false });
    },
    selectAll: () => setTicked({ narrowing, names: NOTHING, all: true }),
    keep: (ids) => {
      const kept = new Map([...names].filter(([id]) => ids.includes(id)));
      setTicked({ narrowing, names: kept, all: false });
    },
  };
}
