import { CircleAlert, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  hint?: ReactNode;
  /** A button with the next step. */
  action?: ReactNode;
}

/** An empty state: what it means and what to do. */
export function EmptyState({ icon: Icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <span className="flex size-11 items-center justify-center rounded-xl border border-border bg-sunken text-muted">
        <Icon aria-hidden className="size-5.5" />
      </span>
      <p className="mt-4 text-base font-semibold">{title}</p>
      {hint && <p className="mt-1 max-w-sm text-balance text-muted">{hint}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title: string;
  message?: ReactNode;
  /** Tries again; if absent, there is no button. */
  onRetry?: () => void;
  retrying?: boolean;
}

/** An error state of a failed load, with a retry button. */
export function ErrorState({ title, message, onRetry, retrying = false }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-critical/40 bg-critical-tint px-5 py-4"
    >
      <CircleAlert aria-hidden className="size-5 shrink-0 text-critical-text" />
      <div className="min-w-48 flex-1">
        <p className="font-semibold text-critical-text">{title}</p>
        {message && <p className="mt-0.5 text-text">{message}</p>}
      </div>
      {onRetry && (
        <Button icon={RotateCw} busy={retrying} onClick={onRetry}>
          Reintentar
        </Button>
      )}
    </div>
  );
}
