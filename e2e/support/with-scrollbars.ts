import type { LaunchOptions } from '@playwright/test';

type Launching = { launchOptions: LaunchOptions };

/** For `test.use`: a browser whose scrollbars take up space. Playwright hides scrollbars by default. */
export const withScrollbars = {
  launchOptions: [
    async ({ launchOptions }: Launching, use: (options: LaunchOptions) => Promise<void>) => {
      await use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] });
    },
    { scope: 'worker' },
  ],
} satisfies Parameters<typeof import('@playwright/test').test.use>[0];
