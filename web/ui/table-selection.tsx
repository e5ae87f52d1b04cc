import { useEffect, useRef, useState, useTransition } from 'react';
import { cx } from './cx.ts';

export interface TableSelection<Row> {
  isSelected: (row: Row) => boolean;
  onSelect: (rows: readonly Row[], selected: boolean) => void;
  /** The accessible name of a row's checkbox: 'Seleccionar Ana López'. */
  labelOf: (row: Row) => string;
  /** The accessible name of the checkbox above the rows. */
  pageLabel: string;
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** True if some rows are selected and some are not. */
  mixed?: boolean;
  /** Shows the label beside the checkbox. */
  labelled?: boolean;
  onChange: (checked: boolean) => void;
  className?: string | undefined;
}

/** A checkbox without a visible label. The area around it can be pressed too. */
export function SelectBox({
  label,
  checked,
  mixed = false,
  labelled = false,
  onChange,
  className,
}: SelectBoxProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // `indeterminate` can only be set as a property, not as an attribute.
    if (ref.current) ref.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label
      data-print="hidden"
      data-label={label}
      className={cx('flex min-h-7 min-w-7 items-center justify-center', className)}
    >
      <input
        ref={ref}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="check-mark size-4.5 appearance-none rounded border border-border-strong bg-surface transition-colors checked:border-brand checked:bg-brand indeterminate:border-brand indeterminate:bg-brand"
      />
      {labelled && <span aria-hidden>{label}</span>}
    </label>
  );
}

/** The checkbox of a row. */
export const RowSelectBox = <Row,>({
  row,
  selection,
  className,
}: {
  row: Row;
  selection: TableSelection<Row>;
  className?: string | undefined;
}) => (
  <SelectBox
    label={selection.labelOf(row)}
    checked={selection.isSelected(row)}
    onChange={(selected) => selection.onSelect([row], selected)}
    className={className}
  />
);

/**
 * The checkbox above the rows, which selects or deselects all rows of the page. It changes at once; the rows are
 * rendered a moment later, because there may be fifty.
 */
export function PageSelectBox<Row>({
  rows,
  selection,
  labelled,
  className,
}: {
  rows: readonly Row[];
  selection: TableSelection<Row>;
  labelled?: boolean;
  className?: string | undefined;
}) {
  const count = rows.filter(selection.isSelected).length;
  const all = rows.length > 0 && count === rows.length;
  const [chosen, setChosen] = useState(all);
  const [isFollowed, startFollowing] = useTransition();
  const ticked = isFollowed ? chosen : all;
  return (
    <SelectBox
      label={selection.pageLabel}
      labelled={labelled ?? false}
      checked={ticked}
      mixed={count > 0 && !all && !isFollowed}
      onChange={() => {
        setChosen(!ticked);
        startFollowing(() => selection.onSelect(rows, !ticked));
      }}
      className={className}
    />
  );
}
