import type { LaunchOptions } from '@playwright/test';
import { fullSize } from './browser.ts';

type Launching = { launchOptions: LaunchOptions };

/**
 * For `test.use` where a test measures what is drawn: a browser of full size whose scrollbars take up space. Playwright
 * hides scrollbars by default.
 */
export const withScrollbars = {
  launchOptions: [
    async ({ launchOptions }: Launching, use: (options: LaunchOptions) => Promise<void>) => {
      await use({ ...launchOptions, ...fullSize, ignoreDefaultArgs: ['--hide-scrollbars'] });
    },
    { scope: 'worker' },
  ],
} satisfies Parameters<typeof import('@playwright/test').test.use>[0];
