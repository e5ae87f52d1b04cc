import type { Page } from '@playwright/test';

/** The page's code as the built console names it: `codeFile('licenses-form')`. */
export const codeFile = (name: string) => new RegExp(`/assets/${name}-[^/]*\\.js$`);

/** Nothing is fetched ahead, as with "Save-Data": what nobody asked for is not there. Call it before the first address. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
}

/** Holds back what matches until `release` is called. */
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
