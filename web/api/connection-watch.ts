import type { QueryClient } from '@tanstack/react-query';
import { noteLost, noteReached, useConnection } from './connection.ts';
import { fetchHealth, HEALTH_PATHS } from './health-api.ts';
import { useSession } from './session.ts';

/** A server that says nothing for this long is out of reach, for the person who waits. */
const PROBE_TIMEOUT_MS = 5000;
/** How long to wait before each further question while the connection is lost; the last one repeats. */
const ASK_AGAIN_MS = [1000, 2000, 4000, 8000, 15_000] as const;

let asking: Promise<boolean> | null = null;

/**
 * Asks the server for its health, once for all who want to know at the same time, and remembers what came of it: any
 * answer but 2xx, 503 included, means that it is out of reach (D035).
 */
export function checkConnection(): Promise<boolean> {
  asking ??= fetchHealth(HEALTH_PATHS.auth, AbortSignal.timeout(PROBE_TIMEOUT_MS))
    .then(
      () => true,
      () => false,
    )
    .then((reached) => {
      asking = null;
      if (reached) noteReached();
      else noteLost();
      return reached;
    });
  return asking;
}

/**
 * Finds out when the connection is lost and when it is back; what failed meanwhile and is on the screen is then fetched
 * again. The browser's own word for "offline" is only a hint: a server on the same machine answers without a network.
 * Call it once.
 */
export function watchConnection(queryClient: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const askLater = (turn: number) => {
    const delay = ASK_AGAIN_MS[Math.min(turn, ASK_AGAIN_MS.length - 1)];
    timer = setTimeout(async () => {
      // On the sign-in screen one press asks once (SEED-2.4-09), and nobody else does.
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
  // start.ts asks before this runs, and what it asked may have failed by now.
  if (useConnection.getState().state === 'doubtful') void checkConnection();
  window.addEventListener('offline', () => void checkConnection());
  window.addEventListener('online', () => void checkConnection());
}
