import type { Page } from '@playwright/test';

/** The effort of a task: the number of clicks and of key presses. */
export type Effort = { clicks: number; keys: number };

/**
 * Counts the clicks and key presses on the open page during a task.
 *
 *     expect(await effortOf(page, async () => { await button.click(); })).toEqual({ clicks: 1, keys: 0 });
 *
 * @throws if the task loads another document, because nothing would be counted there
 */
export async function effortOf(page: Page, job: () => Promise<void>): Promise<Effort> {
  const counter = await page.evaluateHandle(() => {
    const effort = { clicks: 0, keys: 0 };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && effort.clicks++, { capture: true });
    addEventListener('keydown', ({ isTrusted }) => isTrusted && effort.keys++, { capture: true });
    return effort;
  });
  await job();
  return counter.jsonValue();
}
