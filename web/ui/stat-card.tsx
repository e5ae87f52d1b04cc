import { ArrowDownRight, ArrowUpRight, type LucideIcon, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatChange } from '../text/format.ts';
import { cx } from './cx.ts';

export type Trend = 'up' | 'down' | 'neutral';

/** The trend of a change in percent: its sign (D105). */
function trendOf(change: number): Trend {
  if (change > 0) return 'up';
  return change < 0 ? 'down' : 'neutral';
}

const TRENDS: Record<Trend, { icon: LucideIcon; className: string; word: string }> = {
  up: { icon: ArrowUpRight, className: 'bg-success-tint text-success-text', word: 'Sube' },
  down: { icon: ArrowDownRight, className: 'bg-critical-tint text-critical-text', word: 'Baja' },
  neutral: { icon: Minus, className: 'bg-neutral-tint text-neutral-text', word: 'Sin cambio' },
};

interface StatCardProps {
  label: string;
  value: ReactNode;
  /** Percent against the earlier value; null or absent when there is nothing to compare with. */
  change?: number | null | undefined;
  icon?: LucideIcon;
  /** Beside the change, or instead of it: 'vs. hace 30 días'. */
  hint?: ReactNode;
}

/** One figure with its trend (SEED-2.3-07). */
export function StatCard({ label, value, change = null, icon: Icon, hint }: StatCardProps) {
  const trend = change === null ? null : trendOf(change);
  return (
    <article data-stat-card className="min-w-0 rounded-xl border border-border bg-surface p-5 shadow-edge">
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-medium text-muted">{label}</h2>
        {Icon && (
          <span className="-mt-1 -mr-1 flex size-8 items-center justify-center rounded-lg bg-brand-tint text-brand-text">
            <Icon aria-hidden className="size-4.5" />
          </span>
        )}
      </div>
      <p className="mt-1 text-2xl font-semibold tracking-tight">{value}</p>
      <div className="mt-2 flex min-h-5.5 flex-wrap items-center gap-2 text-xs text-muted">
        {trend && change !== null && <TrendMark trend={trend} change={change} />}
        {hint}
      </div>
    </article>
  );
}

function TrendMark({ trend, change }: { trend: Trend; change: number }) {
  const { icon: Icon, className, word } = TRENDS[trend];
  return (
    <span
      data-trend={trend}
      className={cx('inline-flex h-5.5 items-center gap-1 rounded-full px-2 font-medium', className)}
    >
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{`${word}: `}</span>
      {`${formatChange(change)}%`}
    </span>
  );
}
