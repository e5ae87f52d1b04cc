import type { BrowserContext, Page } from '@playwright/test';

/** Matches the URL of a built code file: `codeFile('licenses-form')`. */
export const codeFile = (name: string) => new RegExp(`/assets/${name}-[^/]*\\.js$`);

/** Turns "Save-Data" on, so that the console does not prefetch. Call it before the first address. */
export async function saveData(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(() => {
    // Configurable, because this runs twice in a window that was opened with `noopener`.
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  });
}

/** Delays matching requests until `release` is called. */
export async function hold(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  return { release };
}
