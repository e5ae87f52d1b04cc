import { barriers, LOOKS } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

/** The page of the client portal before sign-in (PORTAL-01, PORTAL-02). */

/** The portal uses the device's theme, not the theme that the console stored. */
const wide = { width: 1280, height: 800 };

test('while the portal is switched off, every address below it shows one plain sentence', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404.*\/portal\/vendor\//);
  await page.goto('/portal/nada/mas');
  await expect(page).toHaveURL('/portal');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Esta página no está disponible por ahora',
  );
  await expect(page).toHaveTitle('Esta página no está disponible por ahora');
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ ...wide, width });
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
});

test('the portal page reads nothing that the console stored, and loads no code of the console', {
  tag: '@gate',
}, async ({ page, guard }) => {
  guard.allowConsoleError(/404.*\/portal\/vendor\//);
  await page.addInitScript(() => {
    localStorage.setItem('license_manager_theme', 'dark');
    const read: string[] = [];
    const original = Storage.prototype.getItem;
    Storage.prototype.getItem = function getItem(key) {
      read.push(key);
      return original.call(this, key);
    };
    Reflect.set(globalThis, 'keysRead', read);
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/portal');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'keysRead'))).not.toContainEqual(
    expect.stringContaining('license_manager'),
  );
  const { origin } = new URL(page.url());
  expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  expect(asked.filter((url) => /\/(start|main|index|theme)-/.test(url))).toEqual([]);
});

test('without JavaScript the page shows that it needs JavaScript', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/portal');
  // Read directly, because Playwright's text selectors need scripts.
  expect(await page.locator('body').innerText()).toContain('necesita JavaScript');
  await context.close();
});

test('another page cannot frame the portal', async ({ page, guard, server }) => {
  guard.allowConsoleError(/frame|ERR_BLOCKED/i);
  await page.goto('/verificar');
  const shown = await page.evaluate(async (address) => {
    const frame = document.createElement('iframe');
    frame.src = address;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    try {
      return frame.contentDocument?.body.textContent ?? '';
    } catch {
      return '';
    }
  }, `${server.url}/portal`);
  expect(shown).not.toContain('licencias');
  await expect(page.frameLocator('iframe').getByRole('heading')).toHaveCount(0);
});

test('without a network the page shows a message and continues by itself', async ({
  page,
  context,
  guard,
}) => {
  guard.allowConsoleError(/404.*\/portal\/vendor\/|ERR_INTERNET_DISCONNECTED/);
  await page.goto('/portal');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('status').filter({ hasText: 'Sin conexión' })).toHaveCount(0);
});
