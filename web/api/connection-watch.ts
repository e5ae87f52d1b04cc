import type { QueryClient } from '@tanstack/react-query';
import { reportLost, reportReached, useConnection } from './connection.ts';
import { fetchHealth, HEALTH_PATHS } from './health-api.ts';
import { useSession } from './session.ts';

/** Without an answer for this long the server counts as unreachable. */
const PROBE_TIMEOUT_MS = 5000;
/** The waits between health checks while the connection is lost; the last one repeats. */
const ASK_AGAIN_MS = [1000, 2000, 4000, 8000, 15_000] as const;

let asking: Promise<boolean> | null = null;

/**
 * Checks the server's health and stores the result. Simultaneous callers share one request. Any answer but 2xx, 503
 * included, means that the connection is lost (D035).
 * @returns whether the server could be reached
 */
export function checkConnection(): Promise<boolean> {
  asking ??= fetchHealth(HEALTH_PATHS.auth, AbortSignal.timeout(PROBE_TIMEOUT_MS))
    .then(
      () => true,
      () => false,
    )
    .then((reached) => {
      asking = null;
      if (reached) reportReached();
      else reportLost();
      return reached;
    });
  return asking;
}

/**
 * Detects when the connection is lost and when it is restored. When it is restored, the failed queries of the current
 * screen are fetched again. The browser's "offline" event only starts a check, because a server on the same machine
 * can be reached without a network. Call it once.
 */
export function watchConnection(queryClient: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const askLater = (turn: number) => {
    const delay = ASK_AGAIN_MS[Math.min(turn, ASK_AGAIN_MS.length - 1)];
    timer = setTimeout(async () => {
      // On the sign-in screen only the retry button checks the connection (SEED-2.4-09).
      if (useSession.getState().isAuthenticated) await checkConnection();
      if (useConnection.getState().state === 'lost') askLater(turn + 1);
    }, delay);
  };
  useConnection.subscribe(({ state }, before) => {
    if (state === before.state) return;
    clearTimeout(timer);
    if (state === 'doubtful') void checkConnection();
    if (state === 'lost') askLater(0);
    if (state === 'here' && before.state === 'lost') {
      void queryClient.refetchQueries({
        type: 'active',
        predicate: ({ state: { status } }) => status === 'error',
      });
    }
  });
  // A call that start.ts sent before this function ran may already have failed.
  if (useConnection.getState().state === 'doubtful') void checkConnection();
  window.addEventListener('offline', () => void checkConnection());
  window.addEventListener('online', () => void checkConnection());
}
