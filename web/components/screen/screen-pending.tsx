import { states } from '../../text/es.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Shown while a screen's code loads. */
export function ScreenPending() {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">{states.loading}</span>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-4 w-72 max-w-full" />
      <Skeleton className="mt-6 h-64 w-full rounded-xl" />
    </div>
  );
}
