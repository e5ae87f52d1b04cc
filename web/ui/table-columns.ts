import type { CSSProperties, ReactNode } from 'react';
import { cx } from './cx.ts';

export interface Column<Row> {
  key: string;
  /** The heading. It is also the label of a folded cell and of a cell in a card. */
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /**
   * The minimum width, in rem: the widest word of heading and cells, plus 0.375 rem on either side. Beyond that a column
   * is as wide as its content, while there is room.
   */
  min: number;
  /** True if its cells wrap between words only: while all are shorter than `min`, the other columns have what is left. */
  fits?: boolean;
  /** The maximum width, in rem. */
  max?: number;
  /** In a narrow table the column with the highest number folds first. Absent: it never folds. */
  fold?: number;
  /** True for the column that is the heading of a card, without a label. Default: the first column. */
  primary?: boolean;
  /** True for a column that is not printed, such as the row's actions. */
  noPrint?: boolean;
  /**
   * The position in the three lines of a row in a narrow table: the first line with the menu, the second (left,
   * right), the third (in its order, or last and truncated), or hidden. If no column has a position, a row is a card
   * with a line for each cell.
   */
  phone?: 'title' | 'menu' | 'left' | 'right' | 'third' | 'last' | 'hidden';
  /** The name of the sort order by this column. Absent: the heading is plain text. */
  sort?: string;
}

/**
 * The class that folds a column below a width, by that width in rem. A container query cannot read a variable, so
 * there are fixed widths, written out so that Tailwind finds the classes.
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

/** Once a row has a second line, its first line has this much more room, in rem, before another column joins it. */
const EASE = 4;

/**
 * For each foldable column, the minimum width of the table, in rem, at which it is not folded. The first folds when the
 * minimum widths of all columns do not fit any more, the others when those of the unfolded columns and `EASE` do not.
 */
export function foldSteps(columns: readonly Widths[]): Map<string, Step> {
  let needed = columns.reduce((sum, { min }) => sum + min, 0);
  const steps = new Map<string, Step>();
  const inOrder = columns
    .filter(({ fold }) => fold !== undefined)
    .toSorted((one, other) => (other.fold ?? 0) - (one.fold ?? 0));
  for (const { key, min } of inOrder) {
    const requested = steps.size === 0 ? needed : needed + EASE;
    steps.set(key, STEPS.find((step) => step >= requested) ?? WIDEST);
    needed -= min;
  }
  return steps;
}

/** Folded cells share a line in equal parts, two to a line in a narrow table: so each is below its like from row to row. */
const foldPlaces = (place: number, count: number) => ({
  '--fold-part': `${100 / count}%`,
  '--fold-place': place,
  '--fold-half': place % 2,
  '--fold-line': 2 + Math.floor(place / 2),
});

/** The props of the cells of each column, in heading and body, by the column's key. */
export function cellAttributes<Row>(columns: readonly Column<Row>[]) {
  const steps = foldSteps(columns);
  // The map is in the order in which columns fold.
  const folding = [...steps.keys()];
  return new Map(
    columns.map(({ key, align, min, fits, max, noPrint, phone }, position) => {
      const step = steps.get(key);
      // React sets these properties one by one, which the Content-Security-Policy allows.
      const style = {
        '--column': position + 1,
        '--column-min': fits ? '0rem' : `${min}rem`,
        ...(max !== undefined && { '--column-max': `${max}rem` }),
        ...(step && foldPlaces(folding.indexOf(key), folding.length)),
      } as CSSProperties;
      return [
        key,
        {
          style,
          className: cx(step && FOLDED_BELOW[step], fits && 'wrap-normal'),
          'data-align': align,
          'data-phone': phone,
          'data-print': noPrint ? 'hidden' : undefined,
        },
      ];
    }),
  );
}
