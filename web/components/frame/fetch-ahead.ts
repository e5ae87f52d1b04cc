import type { QueryClient } from '@tanstack/react-query';
import { whenNotLost } from '../../api/connection.ts';
import { checkConnection } from '../../api/connection-watch.ts';
import { type Code, nextMissingCode } from '../screen/code.tsx';

/** The time after which it checks again whether the screen still fetches data. */
const LOOK_AGAIN_MS = 300;

/**
 * Prefetches the code of all screens and dialogs while the page is idle: one file after another, once the first screen
 * has its data. With Save-Data it does nothing. Call it once.
 */
export async function fetchAhead(queryClient: QueryClient): Promise<void> {
  if (savesData()) return;
  const failed = new Set<Code>();
  for (;;) {
    await quiet(queryClient);
    await whenNotLost();
    const code = nextMissingCode(failed);
    if (code === undefined) return;
    try {
      await code.fetch();
    } catch {
      // The server can be reached, so the file is missing. It is skipped here; opening its screen handles the error.
      if (await checkConnection()) failed.add(code);
    }
  }
}

async function quiet(queryClient: QueryClient): Promise<void> {
  for (;;) {
    await idle();
    if (queryClient.isFetching() === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const idle = () =>
  new Promise<unknown>((resolve) => {
    // Safari has no requestIdleCallback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve);
    else setTimeout(resolve, LOOK_AGAIN_MS);
  });

/** The user's Save-Data setting; only Chromium reports it. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
