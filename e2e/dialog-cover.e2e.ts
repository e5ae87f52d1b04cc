import { drawn } from './support/drawn.ts';
import { expect, test, unique } from './support/staff.ts';
import { withScrollbars } from './support/with-scrollbars.ts';

/** Dialogs over a page whose scrollbar takes up space. */

test.use(withScrollbars);

test('a dialog dims the whole window, with the top bar up to its edge, and the layout does not move', async ({
  page,
  api,
}) => {
  const mark = unique();
  for (let count = 0; count < 5; count++) await api.createClient({ name: `Cliente ${count} ${mark}` });
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto(`/clients?q=${mark}`);
  await expect(page.getByText('5 clientes', { exact: true })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);

  const measured = () =>
    page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
      return {
        window: window.innerWidth,
        page: document.documentElement.clientWidth,
        scrolled: window.scrollY,
        bar: box('header')?.right,
        signOut: box('header button:last-of-type')?.x,
        card: box('main section')?.right,
        backdrop: box('[data-locks-scroll]')?.right,
      };
    });
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push('value' in entry ? Number(entry.value) : 0);
    }).observe({ type: 'layout-shift' });
  });
  const before = await measured();
  expect(before.page, 'the scrollbar takes room').toBeLessThan(before.window);
  expect(before.bar).toBe(before.page);

  await page.getByRole('button', { name: 'Editar' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(dialog).toBeVisible();
  // Base UI changes the page shortly after, so the values are polled.
  const strip = async () => {
    const { page: room, window } = await measured();
    return window - room;
  };
  await expect.poll(strip, 'no strip is left beside the page').toBe(0);
  await drawn(page);
  const during = await measured();
  expect(during.backdrop).toBe(during.window);
  expect(during.bar).toBe(during.window);
  for (const part of ['signOut', 'card'] as const) {
    expect(during[part], part).toBe(before[part]);
  }
  await page.evaluate(() => {
    const wheeled = new Promise((resolve) =>
      addEventListener('wheel', resolve, { once: true, passive: true }),
    );
    Object.assign(window, { wheeled });
  });
  await page.mouse.wheel(0, 200);
  await page.evaluate(() => ('wheeled' in window ? window.wheeled : undefined));
  await drawn(page);
  expect((await measured()).scrolled, 'the page behind stands still').toBe(before.scrolled);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await measured()).page).toBe(before.page);
  expect(await measured()).toEqual(before);
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
});

test('a short page also shows a scrollbar, so that the layout does not move on a long page', async ({
  page,
}) => {
  await page.goto('/software?q=ninguno');
  await expect(page.getByRole('heading', { name: 'Software', exact: true })).toBeVisible();
  const edge = () =>
    page.evaluate(() => ({
      bar: document.querySelector('header')?.getBoundingClientRect().right,
      page: document.documentElement.clientWidth,
      gutter: getComputedStyle(document.documentElement).scrollbarGutter,
    }));
  const short = await edge();
  expect(short.bar).toBe(short.page);
  expect(short.gutter, 'no empty strip beside the page').toBe('auto');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  expect((await edge()).page).toBe(short.page);
});
