import type { Health } from '../../contract/system/health.ts';
import { setBusinessTimeZone } from '../text/format.ts';
import { makeStore } from './store.ts';

/** Whether the server answers. While it does not, it is asked again until it does, and what is shown is read anew. */

const RETRY_MS = 4_000;

export const isOffline = makeStore(false);

/** Grows each time the connection is back: what is shown is then read again. */
export const comebacks = makeStore(0);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Call it when a call got no answer. */
export function noteSilence(): void {
  isOffline.set(true);
  clearTimeout(timer);
  timer = setTimeout(() => void askHealth(), RETRY_MS);
}

/** Call it when a call was answered, whatever the answer. */
export function noteAnswer(): void {
  if (!isOffline.get()) return;
  clearTimeout(timer);
  isOffline.set(false);
  comebacks.set(comebacks.get() + 1);
}

/** Asks how the server is; its answer has the zone in which the days of licences count. Never throws. */
export async function askHealth(): Promise<void> {
  try {
    const response = await fetch('/api/health/', { headers: { Accept: 'application/json' } });
    const health: Partial<Health> = await response.json();
    if (health.business_timezone !== undefined) setBusinessTimeZone(health.business_timezone);
    noteAnswer();
  } catch {
    noteSilence();
  }
}

/** Asks at once when the device says that it has a network again. */
export function watchNetwork(): void {
  window.addEventListener('online', () => {
    if (isOffline.get()) void askHealth();
  });
  window.addEventListener('offline', noteSilence);
}
