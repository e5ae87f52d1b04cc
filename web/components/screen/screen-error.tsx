import { useEffect } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { redact } from '../../api/redact.ts';
import { loadErrors } from '../../text/es.ts';
import { ErrorState } from '../../ui/states.tsx';

/** The messages of browsers when a code file is missing after a deployment. */
const MISSING_CHUNK =
  /dynamically imported module|importing a module script failed|error loading dynamically/i;

/** Shown instead of a screen that failed to load or to render. The frame around it stays. */
export function ScreenError({ error }: { error: unknown }) {
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
