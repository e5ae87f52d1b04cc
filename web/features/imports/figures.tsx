import { formatNumber } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';

interface FiguresProps {
  /** Numbers with labels; `isWrong` marks a number of rows to correct. */
  figures: readonly { label: string; value: number; isWrong?: boolean }[];
}

/** The numbers of what an import will do or has done. */
export const Figures = ({ figures }: FiguresProps) => (
  <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
    {figures.map(({ label, value, isWrong }) => (
      <div
        key={label}
        className="flex flex-col-reverse justify-end rounded-lg border border-border px-4 py-3"
      >
        <dt className="text-xs text-muted">{label}</dt>
        <dd
          className={cx(
            'text-2xl font-semibold tracking-tight tabular-nums',
            isWrong && value > 0 && 'text-critical-text',
          )}
        >
          {formatNumber(value)}
        </dd>
      </div>
    ))}
  </dl>
);
