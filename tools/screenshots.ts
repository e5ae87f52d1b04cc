import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type Cookie, chromium, type Page } from '@playwright/test';
import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { type RunningServer, startServer } from '../test/start-server.ts';
import { provideChromium } from './chromium.ts';
import { CLIENTS } from './screenshots/clients.ts';
import { DESK } from './screenshots/desk.ts';
import { DRAFTS } from './screenshots/drafts.ts';
import { IMPORTS } from './screenshots/imports.ts';
import { LICENSES } from './screenshots/licenses.ts';
import { PAYMENTS } from './screenshots/payments.ts';
import { PORTAL } from './screenshots/portal.ts';
import { REPORTS } from './screenshots/reports.ts';
import { arrange, type PaySamples } from './screenshots/samples.ts';
import { SETTINGS } from './screenshots/settings.ts';
import { type Account, enterPortal, signIn } from './screenshots/sign-in.ts';
import { SOFTWARE } from './screenshots/software.ts';
import type { View } from './screenshots/view.ts';

/**
 * `npm run screenshots` takes screenshots of all screens and dialogs of the demo, light and dark, 1440 and 390 pixels
 * wide, and stores them in .cache/screenshots, which git ignores. `npm run screenshots -- clients` takes only those
 * whose name begins with the word. For other widths and folders: `npm run screenshots -- --widths 1280,1024 --to
 * /tmp/pictures`. picture-pairs.ts puts two folders side by side on one page. docs/ contains only the images that a
 * page shows (docs-pictures.test.ts). What is taken stands in screenshots/, by subject.
 */

const VIEWS: View[] = [
  ...DESK,
  ...CLIENTS,
  ...LICENSES,
  ...SOFTWARE,
  ...REPORTS,
  ...IMPORTS,
  ...SETTINGS,
  ...PORTAL,
  ...PAYMENTS,
  // At the end, because they end the session.
  ...DRAFTS,
];

const { values: options, positionals: requested } = parseArgs({
  options: {
    widths: { type: 'string', default: '1440,390' },
    to: { type: 'string', default: join(import.meta.dirname, '..', '.cache', 'screenshots') },
  },
  allowPositionals: true,
});

const THEMES = ['light', 'dark'] as const;
/** How long a step of a view may take, in milliseconds. */
const VIEW_LIMIT = 20_000;
/** Below the width of a tablet the height of a phone, otherwise that of a laptop. */
const SIZES = options.widths
  .split(',')
  .map(Number)
  .map((width) => ({ width, height: width < 768 ? 844 : 900 }));
const folder = options.to;

/** What could not be taken, and why. */
const failed: string[] = [];

/** The administrator of the installation without data. */
const FIRST_ACCOUNT: Account = { username: 'ana', password: 'at-least-fifteen-characters' };

/** The portal uses the device's theme, and the console the stored one. */
async function photograph(
  browser: Browser,
  { url, mailDir }: RunningServer,
  views: View[],
  samplesNow: () => Promise<PaySamples>,
  account: Account = DEMO_ACCOUNT,
): Promise<void> {
  // Requests for codes are limited, so one sign-in to the portal is used for all screenshots.
  let portalCookies: Cookie[] | undefined;
  for (const theme of THEMES) {
    for (const size of SIZES) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: size,
        locale: 'es-MX',
        timezoneId: 'America/Mexico_City',
        colorScheme: theme,
        // Without animations, so that screenshots show their final state.
        reducedMotion: 'reduce',
      });
      await context.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
      context.setDefaultTimeout(VIEW_LIMIT);
      const page = await context.newPage();
      const samples = await samplesNow();
      for (const part of ['signed out', 'portal', 'console'] as const) {
        const taken = views.filter((view) => partOf(view) === part);
        if (part === 'console') await signIn(page, account);
        if (part === 'portal' && taken.length > 0) {
          portalCookies = await enterPortal(page, mailDir, portalCookies);
        }
        for (const view of taken) {
          const name = `${view.name}-${theme}-${size.width}.png`;
          // The others are still taken, so that one run names all that fail.
          await takePicture(page, view, addressOf(view, samples), name).catch((error: Error) => {
            failed.push(`${name}: ${error.message}`);
          });
        }
      }
      await context.close();
    }
  }
}

/** Starts an installation without data for these views. It has no payment requests. */
async function photographEmpty(browser: Browser, views: View[]): Promise<void> {
  const { username, password } = FIRST_ACCOUNT;
  const server = await startServer({ DEMO: '0', ADMIN_USERNAME: username, ADMIN_PASSWORD: password });
  try {
    await photograph(browser, server, views, async () => ({}) as PaySamples, FIRST_ACCOUNT);
  } finally {
    await server.stop();
  }
}

/** The code of a payment request is the last part of its address. */
function addressOf({ address, pays, after = '' }: View, samples: PaySamples): string {
  if (pays === undefined) return address;
  const { id, url } = samples[pays];
  return address + (address.startsWith('/pagar') ? url.split('/').at(-1) : id) + after;
}

async function takePicture(page: Page, view: View, address: string, name: string): Promise<void> {
  await page.emulateMedia({ media: null });
  await page.goto(address);
  await page.getByText(view.ready).first().waitFor();
  await view.act?.(page);
  await page.waitForLoadState('networkidle');
  const isDialog = (await page.getByRole('dialog').count()) > 0;
  // A dialog covers the window, so only the window is captured. Rows outside it are rendered too.
  await page.screenshot({
    path: join(folder, name),
    fullPage: !isDialog,
    style: 'tr { content-visibility: visible !important; }',
  });
  await view.undo?.(page);
}

const partOf = ({ portal, signedOut }: View) => (portal ? 'portal' : signedOut ? 'signed out' : 'console');

const views = VIEWS.filter(
  (view) => requested.length === 0 || requested.some((name) => view.name.startsWith(name)),
);
mkdirSync(folder, { recursive: true });
const server = await startServer();
const browser = await chromium.launch({
  executablePath: provideChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const [ofEmpty, ofDemo] = [views.filter(({ empty }) => empty), views.filter(({ empty }) => !empty)];
  if (ofEmpty.length > 0) await photographEmpty(browser, ofEmpty);
  if (ofDemo.length > 0) await photograph(browser, server, ofDemo, await arrange(server.url));
  console.log(`${views.length * SIZES.length * THEMES.length - failed.length} pictures in ${folder}`);
  for (const reason of failed) console.error(`not taken: ${reason}`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
