import { cx } from './cx.ts';

interface SkeletonProps {
  /** The size as classes: 'h-4 w-32'. */
  className?: string;
}

/** A grey placeholder shape. */
export function Skeleton({ className }: SkeletonProps) {
  return <span aria-hidden className={cx('block animate-pulse-soft rounded-md bg-skeleton', className)} />;
}

/** A grey card instead of a stat card or a software card. */
export function SkeletonCard({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      data-skeleton-card
      className={cx('rounded-xl border border-border bg-surface p-5 shadow-edge', className)}
    >
      <Skeleton className="h-3.5 w-1/2" />
      <Skeleton className="mt-3 h-7 w-1/3" />
      <Skeleton className="mt-3 h-3 w-2/3" />
    </div>
  );
}
