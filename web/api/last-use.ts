/**
 * When a person last used this page. An unused session must end (PEOPLE-06), but an open page keeps polling the
 * server. Therefore tokens are renewed only while a person uses the page.
 */

/** Equal to the server's default of SESSION_IDLE_HOURS. */
const IDLE_MS = 8 * 60 * 60 * 1000;

let lastUse = Date.now();

/** Starts to record when a person uses the page. Call it once. */
export function followUse(): void {
  const storeUse = () => {
    lastUse = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel']) {
    addEventListener(event, storeUse, { capture: true, passive: true });
  }
}

/** True if a person used the page within the last eight hours. */
export const isInUse = (now: number): boolean => now - lastUse < IDLE_MS;
