import type { Locator } from '@playwright/test';
import { expect, test } from './support/staff.ts';

/** Parts shared by all screens: dialogs, toasts, the API documentation page. */

const REM = 16;
/**
 * In rem. It is polled, because the dialog replaces its frame when its code is loaded, and a removed element has no
 * width.
 */
async function maxWidthOf(dialog: Locator): Promise<number> {
  let width = Number.NaN;
  await expect
    .poll(async () => {
      width = await dialog.evaluate((element) => Number.parseFloat(getComputedStyle(element).maxWidth));
      return width;
    })
    .not.toBeNaN();
  return width / REM;
}

test('each dialog has one of the five widths, and a confirmation is 24 rem wide (SEED-2.3-01, SEED-2.3-02, D102)', async ({
  page,
  api,
}) => {
  test.slow();
  const client = await api.createClient();
  const type = await api.createLicenseType();
  await page.setViewportSize({ width: 1440, height: 900 });

  const widths = new Set<number>();
  for (const address of [
    '/clients?nuevo=1',
    `/clients?ver=${client.id}`,
    '/licenses?nuevo=1',
    '/software?nuevo=1',
    '/license-types?nuevo=1',
    `/license-types?ver=${type.id}`,
  ]) {
    await page.goto(address);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    widths.add(await maxWidthOf(dialog));
  }
  for (const width of widths) expect([28, 32, 42, 56, 80]).toContain(width);
  expect(widths.size).toBeGreaterThan(1);

  await page.goto('/license-types');
  await page
    .getByRole('button', { name: /^Eliminar/ })
    .first()
    .click();
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(question).toContainText('Confirmar Eliminación');
  // The frame shown while the code loads has another width.
  await expect.poll(() => maxWidthOf(question)).toBe(24);
});

test('toasts appear in the upper right corner, and Escape closes a dialog (SEED-2.3-05, SEED-2.3-03)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/software?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Software' });
  await dialog.getByLabel('Nombre').fill(`Aviso ${crypto.randomUUID()}`);
  await dialog.getByLabel('Versión').fill('1.0.0');
  await dialog.getByRole('button', { name: 'Crear Software' }).click();
  const toast = page.getByText('Software registrado exitosamente');
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  expect(box!.x).toBeGreaterThan(720);
  expect(box!.y).toBeLessThan(150);

  await page.getByRole('button', { name: 'Nuevo Software' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('the API documentation page needs no account and runs no script', async ({ page, guard: _guard }) => {
  await page.goto('/api/docs/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('/licenses/api/license/validate/').first()).toBeVisible();
  expect(await page.locator('script').count()).toBe(0);
});

test('a dialog opened while another fades out is a new dialog', async ({ page }) => {
  await page.goto('/software');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Software' });
  const create = page.getByRole('button', { name: 'Nuevo Software' });
  await create.click();
  await dialog.getByLabel('Nombre').fill('Nadie lo guardó');
  const ended = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          const leaving = document.querySelector('[role="dialog"][data-ending-style]');
          if (leaving === null) return;
          observer.disconnect();
          resolve(
            Math.max(...getComputedStyle(leaving).transitionDuration.split(',').map(Number.parseFloat)),
          );
        });
        observer.observe(document.body, { subtree: true, attributes: true, childList: true });
      }),
  );
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Descartar cambios' }).click();
  expect(await ended).toBe(0.15);
  // Opened with the browser's Forward, because the dialog still covers the button during its exit animation.
  await page.evaluate(() => history.forward());
  await expect(dialog.getByLabel('Nombre')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(create).toBeFocused();

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await create.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
