import type { BrowserContext, Page } from '@playwright/test';

/** The steps of a task: the number of clicks and of key presses. */
export type Steps = { clicks: number; keys: number };

/**
 * Counts the clicks and key presses on the open page during a task.
 *
 *     expect(await stepsOf(page, async () => { await button.click(); })).toEqual({ clicks: 1, keys: 0 });
 *
 * @throws if the task loads another document, because nothing would be counted there
 */
export async function stepsOf(page: Page, job: () => Promise<void>): Promise<Steps> {
  const counter = await page.evaluateHandle(() => {
    const counted = { clicks: 0, keys: 0 };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.clicks++, { capture: true });
    addEventListener('keydown', ({ isTrusted }) => isTrusted && counted.keys++, { capture: true });
    return counted;
  });
  await job();
  return counter.jsonValue();
}

/**
 * Counts steps on all pages of a context, through all documents that they load from now on. A step is a click, or a
 * group of keys: what is typed, pasted or chosen in one field, with the Tab that led there and the Enter that ends it.
 *
 *     const steps = await countSteps(page.context());
 *     await page.goto('/clients');
 *     await button.click();
 *     expect(steps()).toBe(1);
 *
 * @returns says how many there were since the start, or since it was last asked
 */
export async function countSteps(context: BrowserContext): Promise<() => number> {
  let steps = 0;
  await context.exposeFunction('countStep', () => {
    steps += 1;
  });
  await context.addInitScript(() => {
    const { countStep } = window as unknown as { countStep: () => void };
    let group: EventTarget | null = null;
    const step = (next: EventTarget | null) => {
      group = next;
      countStep();
    };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && step(null), { capture: true });
    const typed = ({ target }: Event) => target !== group && step(target);
    addEventListener('keydown', (event) => event.isTrusted && event.key !== 'Tab' && typed(event), {
      capture: true,
    });
    // What a test fills or chooses presses no key. A box that is ticked was clicked, and that was counted.
    const isTicked = ({ target }: Event) =>
      target instanceof HTMLInputElement && (target.type === 'radio' || target.type === 'checkbox');
    addEventListener('input', (event) => !isTicked(event) && typed(event), { capture: true });
  });
  return () => {
    const counted = steps;
    steps = 0;
    return counted;
  };
}
