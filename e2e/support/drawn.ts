import type { Page, Route } from '@playwright/test';

/** Waits until the page has rendered everything that has arrived: two animation frames. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/**
 * Delays the answer to a call until `release`, which resolves when the page has rendered it, or has cancelled the
 * call. Thus tests need no estimates of how long a late answer takes.
 */
export function lateAnswer(page: Page, answer: (route: Route) => Promise<unknown>) {
  let open = () => {};
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handled: Promise<unknown>[] = [];
  return {
    handler: (route: Route) => {
      // The page may have cancelled the call meanwhile.
      const done = released.then(() => answer(route)).catch(() => undefined);
      handled.push(done);
      return done;
    },
    release: async () => {
      open();
      await Promise.all(handled);
      await drawn(page);
    },
  };
}

/** Passes the server's answer on; resolves when the page has it. */
export const passOn = async (route: Route): Promise<void> => route.fulfill({ response: await route.fetch() });
