import { errorMessage } from '../../api/api-error.ts';
import { ErrorState } from '../../ui/states.tsx';

interface LoadErrorProps {
  /** For example 'Error al cargar los clientes' (SEED-8.3-01 to -04). */
  title: string;
  error: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

/** A red message instead of a list or a record: what failed, and the server's message. */
export function LoadError({ title, error, onRetry, retrying }: LoadErrorProps) {
  return <ErrorState title={title} message={errorMessage(error)} onRetry={onRetry} retrying={retrying} />;
}
