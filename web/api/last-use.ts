/**
 * When a person last used this page. A session that nobody uses ends (PEOPLE-06): its tokens are renewed only while
 * somebody is there, although an open page goes on asking for news.
 */

/** As the server's default of SESSION_IDLE_HOURS. */
const IDLE_MS = 8 * 60 * 60 * 1000;

let lastUse = Date.now();

/** Notes what a person does from now on. Call it once. */
export function followUse(): void {
  const note = () => {
    lastUse = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel']) {
    addEventListener(event, note, { capture: true, passive: true });
  }
}

/** Whether somebody used the page within the last eight hours. */
export const isInUse = (now: number): boolean => now - lastUse < IDLE_MS;
