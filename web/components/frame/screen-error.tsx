import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { redact } from '../../api/redact.ts';
import { loadErrors } from '../../text/es.ts';
import { ErrorState } from '../../ui/states.tsx';

/** A chunk that is gone after a new version was put in place. */
const MISSING_CHUNK =
  /dynamically imported module|importing a module script failed|error loading dynamically/i;

/** What stands in the place of a screen that failed to load or to draw. The frame around it stays. */
export function ScreenError({ error }: ErrorComponentProps) {
  const message = errorMessage(error);
  const missing = MISSING_CHUNK.test(message);
  useEffect(() => {
    console.error(redact(message));
  }, [message]);
  return (
    <ErrorState
      title={missing ? loadErrors.screen : loadErrors.crash}
      message={missing ? loadErrors.screenHint : loadErrors.crashHint}
      onRetry={() => window.location.reload()}
    />
  );
}
