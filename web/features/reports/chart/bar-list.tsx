import type { ReactNode } from 'react';

interface BarRow {
  key: string | number;
  name: ReactNode;
  /** The value as text, which contains all information that the bar shows. */
  value: ReactNode;
  /** The length of the bar, from 0 to 1. */
  share: number;
}

interface BarListProps {
  label: string;
  rows: readonly BarRow[];
  /** Shown after the rows: how many more there are. */
  rest?: ReactNode;
}

/** Names with bars and values, the longest bar first. */
export const BarList = ({ label, rows, rest }: BarListProps) => (
  <figure aria-label={label} className="chart">
    <figcaption className="text-xs text-muted">{label}</figcaption>
    <ul className="mt-2 space-y-2">
      {rows.map(({ key, name, value, share }) => (
        <li key={key}>
          <div className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 truncate">{name}</span>
            <span className="shrink-0 font-medium whitespace-nowrap">{value}</span>
          </div>
          <svg aria-hidden width="100%" height="6" className="mt-1 block">
            <rect width="100%" height="6" rx="3" className="chart-track" />
            <rect
              width={`${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`}
              height="6"
              rx="3"
              className="chart-solid"
            />
          </svg>
        </li>
      ))}
    </ul>
    {rest && <p className="mt-2 text-xs text-muted">{rest}</p>}
  </figure>
);
