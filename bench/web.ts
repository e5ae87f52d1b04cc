import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { provideChromium } from '../tools/chromium.ts';
import { sqliteCopy } from './data.ts';
import { median } from './load.ts';
import { ADMIN, type Running, startServer } from './processes.ts';

/**
 * npm run bench:web [-- --times 5]
 *
 * Measures the built console in a real browser on a slow device and connection: processor slowed down four times, 150
 * ms round trip, 1.6 Mbit/s, empty cache. For each screen it prints the time from the request to the awaited content,
 * and what was loaded for it.
 */

const { values } = parseArgs({ options: { times: { type: 'string', default: '5' } } });
const times = Number(values.times);

const SLOWDOWN = 4;
const LATENCY_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;

type Screen = { name: string; path: string; signedIn: boolean; awaited: string; targetMs?: number };

/** `awaited` is a JavaScript expression that becomes true in the page when the awaited content is visible. */
const SCREENS: Screen[] = [
  {
    name: '/login usable',
    path: '/login',
    signedIn: false,
    awaited: `document.querySelector('input[name="password"]:not(:disabled)') !== null`,
    targetMs: 1600,
  },
  {
    name: '/clients, first row',
    path: '/clients',
    signedIn: true,
    awaited: `document.querySelector('tbody tr:not([data-skeleton-row]) td') !== null`,
    targetMs: 2000,
  },
  {
    name: '/dashboard, its figures',
    path: '/dashboard',
    signedIn: true,
    awaited: `[...document.querySelectorAll('[data-stat-card] p')].some((one) => /\\d/.test(one.textContent))`,
  },
];

type Visit = { milliseconds: number; scripts: number; others: number };

async function visit(
  browser: Browser,
  server: Running,
  screen: Screen,
  state: Awaited<ReturnType<typeof signedInState>>,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    ...(screen.signedIn && { storageState: state }),
  });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const loaded = { scripts: 0, others: 0 };
    const kinds = new Map<string, string>();
    devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId);
      loaded[kind === 'Script' || kind === 'Stylesheet' ? 'scripts' : 'others'] += encodedDataLength;
    });
    // Checked inside the page at each frame, so that the connection to this program does not add time.
    await page.addInitScript(`
      const look = () => {
        if (${screen.awaited}) window.awaitedAt = performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);`);
    await page.goto(`${server.origin}${screen.path}`, { waitUntil: 'commit' });
    const deadline = Date.now() + 60_000;
    for (;;) {
      // Through the developer tools, because the Content-Security-Policy forbids eval in the page.
      const { result } = await devtools.send('Runtime.evaluate', { expression: 'window.awaitedAt' });
      if (typeof result.value === 'number') return { milliseconds: result.value, ...loaded };
      if (Date.now() > deadline) throw new Error(`${screen.path} shows nothing of what is waited for.`);
      await sleep(100);
    }
  } finally {
    await context.close();
  }
}

/** The browser storage after sign-in, so that each visit starts with a session. */
async function signedInState(browser: Browser, server: Running) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.origin}/login`);
  await page.locator('input[name="username"]').fill(ADMIN.username);
  await page.locator('input[name="password"]').fill(ADMIN.password);
  await page.locator('button[type="submit"]').click();
  await page.waitForURL('**/dashboard');
  const state = await context.storageState();
  await context.close();
  return state;
}

const folder = mkdtempSync(join(tmpdir(), 'license-manager-bench-web-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const licenses = 1000;
const size = { clients: licenses / 5, licenses, installations: licenses * 2 };
const server = await startServer({
  dataDir: await sqliteCopy(size, folder),
  logFd: openSync(join(folder, 'log'), 'a'),
  // WEB_DIST may contain the path of another build.
  env: process.env.WEB_DIST === undefined ? {} : { WEB_DIST: process.env.WEB_DIST },
});
const browser = await chromium.launch({ executablePath: provideChromium(), args: ['--no-sandbox'] });
try {
  const state = await signedInState(browser, server);
  console.log(`Processor ÷ ${SLOWDOWN}, ${LATENCY_MS} ms, 1.6 Mbit/s, empty cache; median of ${times}\n`);
  console.log(
    `${'screen'.padEnd(28)}${'ms'.padStart(8)}${'target'.padStart(8)}${'fastest'.padStart(9)}${'slowest'.padStart(9)}` +
      `${'JS+CSS'.padStart(12)}${'others'.padStart(11)}`,
  );
  for (const screen of SCREENS) {
    await visit(browser, server, screen, state);
    const visits: Visit[] = [];
    for (let time = 0; time < times; time += 1) visits.push(await visit(browser, server, screen, state));
    const took = visits.map(({ milliseconds }) => milliseconds);
    const kilobytes = (bytes: number[]) => `${(median(bytes) / 1024).toFixed(0)} KiB`;
    console.log(
      `${screen.name.padEnd(28)}${median(took).toFixed(0).padStart(8)}${String(screen.targetMs ?? '').padStart(8)}` +
        `${Math.min(...took)
          .toFixed(0)
          .padStart(9)}${Math.max(...took)
          .toFixed(0)
          .padStart(9)}` +
        `${kilobytes(visits.map(({ scripts }) => scripts)).padStart(12)}` +
        `${kilobytes(visits.map(({ others }) => others)).padStart(11)}`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
}
console.log(`\nload of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);
