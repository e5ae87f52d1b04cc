import { ArrowDown, ArrowUp } from 'lucide-react';
import { cx } from './cx.ts';

/** The sort order of a table's rows. */
export interface TableSort {
  /** 'name', or '-name' for the other direction; undefined: the default order. */
  by: string | undefined;
  onSort: (by: string | undefined) => void;
}

const ARIA_SORTS = { up: 'ascending', down: 'descending', none: 'none' } as const;

function directionOf(name: string, by: string | undefined): keyof typeof ARIA_SORTS {
  if (by === name) return 'up';
  return by === `-${name}` ? 'down' : 'none';
}

/** The `aria-sort` of a heading; undefined if the table cannot be sorted by it. */
export const ariaSortOf = (name: string | undefined, sort: TableSort | undefined) =>
  name === undefined || sort === undefined ? undefined : ARIA_SORTS[directionOf(name, sort.by)];

interface TableHeadingProps {
  header: string;
  align: 'start' | 'end' | undefined;
  /** The name of the column's sort order. */
  name: string;
  sort: TableSort;
}

/** A heading that sorts the rows: ascending, descending, then the default order again. */
export function TableHeading({ header, align, name, sort }: TableHeadingProps) {
  const direction = directionOf(name, sort.by);
  const next = { none: name, up: `-${name}`, down: undefined }[direction];
  const Arrow = direction === 'down' ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => sort.onSort(next)}
      className={cx(
        'data-table-sort group/sort relative -my-1 inline-flex min-h-6 min-w-6 items-center rounded-sm font-medium hover:text-text',
        direction !== 'none' && 'text-text',
      )}
    >
      <span className="inline-block">{header}</span>
      {/* In the gap between the columns, so that headings do not need more width. */}
      <Arrow
        aria-hidden
        className={cx(
          'absolute size-3',
          align === 'end' ? 'right-full' : 'left-full',
          direction === 'none' && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
        )}
      />
    </button>
  );
}
