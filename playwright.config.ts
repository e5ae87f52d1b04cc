import { defineConfig } from '@playwright/test';
import { halfSize } from './e2e/support/browser.ts';
import type { ServerOptions } from './e2e/support/fixtures.ts';

/** The gate asks for a report that it can count; a person gets only the list. */
const report = process.env.LM_E2E_REPORT;

export default defineConfig<object, ServerOptions>({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  globalSetup: './test/sqlite-template.ts',
  // A test left with .only would silently leave out all the others.
  forbidOnly: Boolean(process.env.CI),
  // Two browsers on two cores that others may share: a page that comes late is tried again, and reported as flaky. Nobody
  // retries at their own desk, where a test that fails now and then is to be mended.
  retries: process.env.CI ? 2 : 0,
  workers: 2,
  // Bounds what hangs, as in vitest.config.ts.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ...(report ? [['json', { outputFile: report }] as const] : [])],
  use: {
    // A button that is not there fails in this time, not in that of the whole test. A busy machine takes a few seconds.
    actionTimeout: 30_000,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    viewport: { width: 1280, height: 800 },
    // Recording costs time in every test; where a failed one is tried again, that second try is recorded.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    // A worker's tests use one page one after the other, and Playwright removes what a test left in it: cookies, stores,
    // routes, scripts. A new page for each test costs a tenth more processor time.
    reuseContext: true,
    screenshot: 'only-on-failure',
    launchOptions: halfSize,
  },
  projects: [
    { name: 'sqlite', use: { engine: 'sqlite' } },
    // The browser does not see which engine it is; what is tagged @both makes sure that the main jobs work on either.
    // Before a release: LM_E2E_ALL=1 npx playwright test --project=postgres
    { name: 'postgres', grep: process.env.LM_E2E_ALL ? /./ : /@both/, use: { engine: 'postgres' } },
  ],
});
