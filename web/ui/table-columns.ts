import type { CSSProperties, ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  /** The heading, and the label of the cell where it is folded or the row is a card. */
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** The least width, in rem: what the widest word of heading and cells needs, with 0.375 rem on either side. */
  min: number;
  /** Its share of the width that is left over. Without it the column stays at its least width. */
  grow?: number;
  /** The width that it grows to, in rem. */
  max?: number;
  /** Where the table is too narrow, the column with the highest number folds into the row first. Without it, never. */
  fold?: number;
  /** Heads the card, without a label. The first column, unless one says so. */
  primary?: boolean;
  /** Left out on paper: the row's actions. */
  noPrint?: boolean;
}

/**
 * The class that folds a column below a width, by that width in rem. A container query cannot read a variable, so the
 * widths are steps; they are written out for Tailwind to find.
 */
const FOLDED_BELOW = {
  38: '@max-[38rem]/data-table:data-table-folded',
  40: '@max-[40rem]/data-table:data-table-folded',
  42: '@max-[42rem]/data-table:data-table-folded',
  44: '@max-[44rem]/data-table:data-table-folded',
  46: '@max-[46rem]/data-table:data-table-folded',
  48: '@max-[48rem]/data-table:data-table-folded',
  50: '@max-[50rem]/data-table:data-table-folded',
  52: '@max-[52rem]/data-table:data-table-folded',
  54: '@max-[54rem]/data-table:data-table-folded',
  56: '@max-[56rem]/data-table:data-table-folded',
  58: '@max-[58rem]/data-table:data-table-folded',
  60: '@max-[60rem]/data-table:data-table-folded',
  62: '@max-[62rem]/data-table:data-table-folded',
  64: '@max-[64rem]/data-table:data-table-folded',
  66: '@max-[66rem]/data-table:data-table-folded',
  68: '@max-[68rem]/data-table:data-table-folded',
  70: '@max-[70rem]/data-table:data-table-folded',
  72: '@max-[72rem]/data-table:data-table-folded',
} as const;

type Step = keyof typeof FOLDED_BELOW;

const STEPS = Object.keys(FOLDED_BELOW).map(Number) as Step[];
const WIDEST: Step = 72;

type Widths = Pick<Column<unknown>, 'key' | 'min' | 'fold'>;

/**
 * From which width of the table, in rem, each column that can fold is a column. One folds where the least widths of
 * those that are still columns no longer fit; what folded before it is not counted.
 */
export function foldSteps(columns: readonly Widths[]): Map<string, Step> {
  let needed = columns.reduce((sum, { min }) => sum + min, 0);
  const steps = new Map<string, Step>();
  const inOrder = columns
    .filter(({ fold }) => fold !== undefined)
    .toSorted((one, other) => (other.fold ?? 0) - (one.fold ?? 0));
  for (const { key, min } of inOrder) {
    steps.set(key, STEPS.find((step) => step >= needed) ?? WIDEST);
    needed -= min;
  }
  return steps;
}

/** What the cells of each column carry, heading and body alike, by the column's key. */
export function cellAttributes<Row>(columns: readonly Column<Row>[]) {
  const steps = foldSteps(columns);
  return new Map(
    columns.map(({ key, align, min, max, grow, noPrint }) => {
      const step = steps.get(key);
      // React sets these one by one, which the Content-Security-Policy allows.
      const style = {
        '--column-min': `${min}rem`,
        '--column-grow': grow ?? 0,
        ...(max !== undefined && { '--column-max': `${max}rem` }),
      } as CSSProperties;
      return [
        key,
        {
          style,
          className: step && FOLDED_BELOW[step],
          'data-align': align,
          'data-print': noPrint ? 'hidden' : undefined,
        },
      ];
    }),
  );
}
