import { errorMessage } from '../../api/api-error.ts';
import { ErrorState } from '../../ui/states.tsx';

interface LoadErrorProps {
  /** 'Error al cargar los clientes' and its like (SEED-8.3-01 to -04). */
  title: string;
  error: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

/** A red message where a list or a record should be: what failed, and what the server said of it. */
export function LoadError({ title, error, onRetry, retrying }: LoadErrorProps) {
  return <ErrorState title={title} message={errorMessage(error)} onRetry={onRetry} retrying={retrying} />;
}
