import type { Page, Route } from '@playwright/test';

/** Waits until the page has drawn what has reached it: two frames, whatever time they take. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/**
 * Holds the answer to a call until `release`, which resolves when the page has drawn it, or has given up the call.
 * So no test guesses how long a late answer takes.
 */
export function lateAnswer(page: Page, answer: (route: Route) => Promise<unknown>) {
  let open = () => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handled: Promise<unknown>[] = [];
  return {
    handler: (route: Route) => {
      // The page may have given up the call by then.
      const done = held.then(() => answer(route)).catch(() => undefined);
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

/** The server's own answer; resolves when the page has it. */
export const passOn = async (route: Route): Promise<void> => route.fulfill({ response: await route.fetch() });
