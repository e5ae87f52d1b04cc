import type { Page } from '@playwright/test';

/** What a job takes: presses of a pointer, and of keys. */
export type Effort = { clicks: number; keys: number };

/**
 * Counts what a person does on the page that is open, for the length of a job.
 *
 *     expect(await effortOf(page, async () => { await button.click(); })).toEqual({ clicks: 1, keys: 0 });
 *
 * @throws when the job loads another document: nothing would be counted there
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
