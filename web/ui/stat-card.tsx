import { ArrowDownRight, ArrowUpRight, type LucideIcon, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatChange } from '../text/format.ts';
import { cx } from './cx.ts';

type Trend = 'up' | 'down' | 'neutral';

/** The trend of a change in percent, given by its sign (D105). */
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
  /** A text, or a link that covers the whole card. */
  label: ReactNode;
  value: ReactNode;
  /** The change from the earlier value in percent; null or absent if there is nothing to compare with. */
  change?: number | null | undefined;
  /** The same change as a count; absent if it is not known. */
  difference?: number | undefined;
  icon?: LucideIcon;
  /** Shown beside the change, or instead of it: 'vs. hace 30 días'. */
  hint?: ReactNode;
}

/** A figure with its trend (SEED-2.3-07). */
export function StatCard({ label, value, change = null, difference, icon: Icon, hint }: StatCardProps) {
  return (
    <article
      data-stat-card
      className="relative min-w-0 rounded-xl border border-border bg-surface p-5 shadow-edge has-[a:hover]:border-border-strong max-sm:p-3.5"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-medium text-muted">{label}</h2>
        {Icon && (
          <span className="-mt-1 -mr-1 flex size-8 shrink-0 items-center justify-center rounded-lg bg-brand-tint text-brand-text max-sm:hidden">
            <Icon aria-hidden className="size-4.5" />
          </span>
        )}
      </div>
      <p className="mt-1 text-2xl font-semibold tracking-tight">{value}</p>
      <div className="mt-2 flex min-h-5.5 flex-wrap items-center gap-x-2 gap-y-1 text-xs max-sm:gap-x-1.5 text-muted">
        {change !== null && <TrendMark change={change} difference={difference} />}
        {hint}
      </div>
    </article>
  );
}

/** Above this change, in percent, a difference says more than a percentage. */
const PERCENT_MAX = 200;
/** Below this earlier value, one more or less is already a large percentage. */
const BASE_MIN = 10;

/**
 * True if the difference is to be shown first: the percentage is huge because there was little before, as after an
 * import (decision 139).
 */
const saysLittle = (change: number, difference: number): boolean =>
  difference !== 0 && (change > PERCENT_MAX || Math.abs(Math.round(difference / (change / 100))) < BASE_MIN);

interface TrendMarkProps {
  /** In percent. */
  change: number;
  /** The same change as a count; absent if only the percentage is known. */
  difference?: number | undefined;
}

/**
 * '+12.5%' with the colour and icon of its sign; '+202' and a quiet '+1,561.5%' where the percentage says little, or
 * that alone where there is no count. For screen readers the trend is also a word.
 */
export function TrendMark({ change, difference }: TrendMarkProps) {
  const trend = trendOf(change);
  const { icon: Icon, className, word } = TRENDS[trend];
  const percent = `${formatChange(change)}%`;
  const quiet = <span className="text-[0.6875rem] text-muted">{percent}</span>;
  // Of money the difference stands beside it in words.
  if (difference === undefined && change > PERCENT_MAX) return quiet;
  const isCounted = difference !== undefined && saysLittle(change, difference);
  return (
    <>
      <span
        data-trend={trend}
        className={cx(
          'inline-flex h-5.5 items-center gap-1 rounded-full border border-transparent px-2 font-medium dark:border-current/30',
          className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        <span className="sr-only">{`${word}: `}</span>
        {isCounted ? formatChange(difference) : percent}
      </span>
      {isCounted && quiet}
    </>
  );
}
