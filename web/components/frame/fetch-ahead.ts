import type { QueryClient } from '@tanstack/react-query';
import { whenNotLost } from '../../api/connection.ts';
import { checkConnection } from '../../api/connection-watch.ts';
import { type Code, nextMissingCode } from './code.tsx';

/** How long to wait before looking again whether the screen still fetches its data. */
const LOOK_AGAIN_MS = 300;

/**
 * Fetches the code of all screens and dialogs while nothing else is to be done: one file after another, once the first
 * screen has its data, charts last. Whoever asks the browser to save data is spared it. Call it once.
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
      // Gone, or out of reach for now: what is gone is left to whoever needs it.
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
    // Safari has no such callback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve);
    else setTimeout(resolve, LOOK_AGAIN_MS);
  });

/** What Chromium knows of the person's wish (Save-Data); others do not say. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
