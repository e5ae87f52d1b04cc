import type { Health } from '../../contract/system/health.ts';
import { setBusinessTimeZone } from '../text/format.ts';
import { makeStore } from './store.ts';

/**
 * Whether the server answers. While it does not, its health is checked repeatedly; when it answers again, the shown
 * data is refetched.
 */

const RETRY_MS = 4_000;

export const isOffline = makeStore(false);

/** Incremented each time the connection is restored; then the shown data is refetched. */
export const comebacks = makeStore(0);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Call it when a call got no answer. */
export function reportSilence(): void {
  isOffline.set(true);
  clearTimeout(timer);
  timer = setTimeout(() => void askHealth(), RETRY_MS);
}

/** Call it when a call got an answer of any status. */
export function reportAnswer(): void {
  if (!isOffline.get()) return;
  clearTimeout(timer);
  isOffline.set(false);
  comebacks.set(comebacks.get() + 1);
}

/** Checks the server's health. The answer contains the time zone in which dates are shown. Never throws. */
export async function askHealth(): Promise<void> {
  try {
    const response = await fetch('/api/health/', { headers: { Accept: 'application/json' } });
    const health: Partial<Health> = await response.json();
    if (health.business_timezone !== undefined) setBusinessTimeZone(health.business_timezone);
    reportAnswer();
  } catch {
    reportSilence();
  }
}

/** Checks at once when the device has a network again. */
export function watchNetwork(): void {
  window.addEventListener('online', () => {
    if (isOffline.get()) void askHealth();
  });
  window.addEventListener('offline', reportSilence);
}
