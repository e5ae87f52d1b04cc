import type { Browser } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { createPageGuard, type PageGuard } from './page-guard.ts';

/** Opens a generated page with the guard, waits until its scripts have run, and returns the guard. */
async function open(
  browser: Browser,
  script: string,
  guard: PageGuard = createPageGuard(),
): Promise<PageGuard> {
  const context = await browser.newContext();
  await guard.watch(context);
  await context.route('http://page.test/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (path !== '/') return route.fulfill({ status: 404, body: '' });
    return route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': "default-src 'self'; img-src data:" },
      body: '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script><body></body>',
    });
  });
  const page = await context.newPage();
  await page.goto('http://page.test/');
  // Another round trip to the browser, so that earlier reports of the page have arrived.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await context.close();
  return guard;
}

test('the guard reports nothing for a correct page', async ({ browser }) => {
  const guard = await open(
    browser,
    "console.log('hola'); console.warn('cuidado'); document.body?.append('x');",
  );
  expect(guard.problems()).toEqual([]);
});

test('the guard reports exceptions, unhandled rejections and console errors', async ({ browser }) => {
  const guard = await open(
    browser,
    "console.error('rojo'); Promise.reject(new Error('sin atrapar')); throw new Error('roto');",
  );
  const problems = guard.problems().join('\n');
  expect(problems).toContain('console error: rojo');
  expect(problems).toContain('exception: Error: sin atrapar');
  expect(problems).toContain('exception: Error: roto');
});

test('the guard reports a CSP violation, which a test cannot allow', { tag: '@gate' }, async ({
  browser,
}) => {
  const guard = createPageGuard();
  guard.allowConsoleError(/.*/);
  await open(
    browser,
    "addEventListener('load', () => document.body.setAttribute('style', 'color: red'))",
    guard,
  );
  expect(guard.problems().join('\n')).toContain('policy violation: style-src-attr blocked inline');
});

test('the guard ignores an allowed console error and still reports others', async ({ browser }) => {
  const guard = createPageGuard();
  guard.allowConsoleError(/404.*\/nada$/);
  await open(browser, "fetch('/nada'); fetch('/otra'); console.error('rojo')", guard);
  expect(guard.problems()).toEqual([
    expect.stringContaining('console error: rojo'),
    expect.stringMatching(/404.*\/otra$/),
  ]);
});

test('the guard also watches a page that was opened by a page', async ({ browser }) => {
  const guard = createPageGuard();
  const context = await browser.newContext();
  await guard.watch(context);
  const page = await context.newPage();
  const popup = context.waitForEvent('page');
  await page.evaluate(() => {
    window.open('about:blank');
  });
  await (await popup).evaluate(() => console.error('desde la otra ventana'));
  await expect.poll(() => guard.problems().join('\n')).toContain('desde la otra ventana');
  await context.close();
});
