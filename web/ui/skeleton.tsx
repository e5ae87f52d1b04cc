import { cx } from './cx.ts';

interface SkeletonProps {
  /** The size: 'h-4 w-32'. */
  className?: string;
  round?: boolean;
}

/** A grey placeholder shape. */
export function Skeleton({ className, round = false }: SkeletonProps) {
  const corners = round ? 'rounded-full' : 'rounded-md';
  return <span aria-hidden className={cx('block animate-pulse-soft bg-skeleton', corners, className)} />;
}

interface SkeletonRowsProps {
  count: number;
  /** The text for screen readers: 'Cargando clientes...'. */
  label: string;
}

/** `count` grey rows in place of a list. */
export function SkeletonRows({ count, label }: SkeletonRowsProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never reordered
          key={row}
          data-skeleton-row
          className="flex h-14 items-center gap-4 border-b border-border px-5 last:border-0"
        >
          <Skeleton round className="size-9" />
          <div className="flex-1 space-y-1.5">
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton round className="h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

/** A grey card in the place of a stat card or a software card. */
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
