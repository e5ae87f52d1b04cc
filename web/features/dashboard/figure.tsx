import { Skeleton } from '../../ui/skeleton.tsx';

interface FigureProps {
  label: string;
  /** Undefined if it is not known. */
  value: string | undefined;
  loading: boolean;
}

/** A number under its label, inside a <dl>. */
export function Figure({ label, value, loading }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 text-xl font-semibold tracking-tight">
        {value ?? (loading ? <Skeleton className="my-1 h-5 w-12" /> : '—')}
      </dd>
    </div>
  );
}
