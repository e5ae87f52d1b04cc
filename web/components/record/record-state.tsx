import { LoaderCircle, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { EmptyState } from '../../ui/states.tsx';
import { LoadError } from '../screen/load-error.tsx';

interface RecordStateProps<Saved> {
  query: {
    data: Saved | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  texts: {
    /** 'Cargando información del cliente...' */
    loading: string;
    /** 'Cliente no encontrado': a link to a deleted record (D024). */
    notFound: string;
    /** The title of any other failure. */
    failed: string;
  };
  children: (record: Saved) => ReactNode;
}

/** A record in a dialog in each state: loading, not found, failed with a retry button, or loaded. */
export function RecordState<Saved>({ query, texts, children }: RecordStateProps<Saved>) {
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <EmptyState icon={SearchX} title={texts.notFound} />;
  }
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return (
      <LoadError
        title={texts.failed}
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return <Loading text={texts.loading} />;
}

/** Shown while content loads. */
export const Loading = ({ text }: { text: string }) => (
  <p role="status" className="flex items-center justify-center gap-2.5 py-16 text-muted">
    <LoaderCircle aria-hidden className="size-4.5 shrink-0 animate-turn" />
    {text}
  </p>
);
