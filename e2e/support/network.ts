import type { Page } from '@playwright/test';

/** The address pattern of a built code file: `codeFile('licenses-form')`. */
export const codeFile = (name: string) => new RegExp(`/assets/${name}-[^/]*\\.js$`);

/** Turns on "Save-Data", so that the console prefetches nothing. Call it before the first address. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
}

/** Holds matching requests back until `release` is called. */
export async function hold(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  return { release };
}
