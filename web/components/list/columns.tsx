import type { ReactNode } from 'react';
import { NOT_AVAILABLE } from '../../text/es.ts';
import { formatDate } from '../../text/format.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { cx } from '../../ui/cx.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { DateTime } from '../record/date-time.tsx';
import { RelativeTime } from '../record/relative-time.tsx';
import { plainMenu, RowMenu } from './row-menu.tsx';

/** Columns and cells that several lists use. Each list sets their headings, widths and positions. */

type Place<Row> = Omit<Column<Row>, 'cell'>;

const NAME = 'font-medium text-text wrap-anywhere hover:text-brand-text hover:underline';

/** The class of a row's name when it links to the details. */
export const NAME_LINK = `line-clamp-2 ${NAME}`;

/** The name of a row as a button that opens the row's dialog. */
export const NameButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" onClick={onClick} className={cx('block min-h-6 text-left', NAME)}>
    <bdi>{children}</bdi>
  </button>
);

/** The text for a missing value: 'N/A', 'Nunca'. */
export const Absent = ({ children = NOT_AVAILABLE }: { children?: string }) => (
  <span className="text-muted">{children}</span>
);

interface MomentProps {
  value: string;
  time?: boolean | undefined;
  className?: string | undefined;
}

/** A date and its distance from today. A narrow row shows only the distance. */
export const Moment = ({ value, time = false, className = 'text-muted' }: MomentProps) => (
  <>
    <p className={cx(!time && 'whitespace-nowrap', '@max-[36rem]/data-table:hidden')}>
      {time ? <DateTime value={value} /> : formatDate(value)}
    </p>
    <RelativeTime value={value} className={cx('block text-xs whitespace-nowrap', className)} />
  </>
);

/**
 * When something happened.
 * @param fallback shown while it has not happened
 */
export const dateColumn = <Row,>({
  value,
  fallback,
  time,
  className,
  ...place
}: Place<Row> &
  Omit<MomentProps, 'value'> & { value: (row: Row) => string | null; fallback?: string }): Column<Row> => ({
  fits: true,
  cell: (row) => {
    const at = value(row);
    return at === null ? <Absent>{fallback}</Absent> : <Moment {...{ value: at, time, className }} />;
  },
  ...place,
});

/** How much time has passed since something last happened. */
export const sinceColumn = <Row,>({
  value,
  fallback,
  ...place
}: Place<Row> & { value: (row: Row) => string | null; fallback: string }): Column<Row> => ({
  fits: true,
  cell: (row) => <RelativeTime value={value(row)} fallback={fallback} className="whitespace-nowrap" />,
  ...place,
});

/** The state of a row as a badge; on a phone in the last line of the row. */
export const statusColumn = <Row,>({
  badge,
  ...place
}: Partial<Place<Row>> & { header: string; badge: (row: Row) => ReactNode }): Column<Row> => ({
  key: 'status',
  phone: 'third',
  min: 6.875,
  fits: true,
  cell: badge,
  ...place,
});

/** Several texts, each on a separate line. */
export const wordsColumn = <Row,>({
  words,
  ...place
}: Place<Row> & { words: (row: Row) => readonly string[] }): Column<Row> => ({
  cell: (row) => (
    <ul className="text-xs">
      {words(row).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  ),
  ...place,
});

/** The name of a client or a software, and in small print what distinguishes it from others with the same name. */
export const namedColumn = <Row,>({
  name,
  second,
  ...place
}: Place<Row> & {
  name: (row: Row) => string;
  second: (row: Row) => string;
}): Column<Row> => ({
  cell: (row) => (
    <>
      <p className="line-clamp-2 wrap-anywhere @max-[36rem]/data-table:line-clamp-1">
        <bdi>{name(row)}</bdi>
      </p>
      <p
        title={second(row)}
        className="line-clamp-2 text-xs tracking-tight text-muted wrap-anywhere @max-[36rem]/data-table:hidden"
      >
        <Breakable>{second(row)}</Breakable>
      </p>
    </>
  ),
  ...place,
});

/**
 * The row's actions in a menu, as the last column.
 * @param items if empty, the row has no menu
 */
export const menuColumn = <Row,>(header: string, items: (row: Row) => readonly MenuItem[]): Column<Row> => ({
  key: 'actions',
  header,
  align: 'end',
  noPrint: true,
  min: 5.5,
  phone: 'menu',
  cell: (row) => {
    const found = items(row);
    return found.length > 0 && <RowMenu className="">{plainMenu(found)}</RowMenu>;
  },
});
