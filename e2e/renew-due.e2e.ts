import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** Licences that end soon can be renewed in the list, and the client informed by WhatsApp, with three clicks. */

const LIST = (mark: string) => `/licenses?q=${mark}&expiring_within=30&ordering=expiry_date`;
const row = (page: Page, key: string) => page.locator('[data-row-key]').filter({ hasText: key });

async function dueLicense(api: StaffApi) {
  const { mark, software, type } = await licenseChoices(api);
  const client = await api.createClient({ name: `Íñigo ${mark}`, phone: '+5491122334455' });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    expiry_days: 12,
  });
  return { mark, license };
}

test('in the list of licences about to end, renewing one and telling its client by WhatsApp takes three clicks (LIFE-11)', {
  tag: '@gate',
}, async ({ page, api, context }) => {
  const { mark, license } = await dueLicense(api);
  await context.route(/^https:\/\/wa\.me\//, (route) => route.fulfill({ body: 'chat' }));
  await page.goto(LIST(mark));
  const chat = context.waitForEvent('page');
  const steps = await stepsOf(page, async () => {
    await row(page, license.license_key).getByRole('button', { name: 'Renovar' }).click();
    const question = asked(page, 'Renovar la licencia');
    await question.getByRole('button', { name: 'Renovar', exact: true }).click();
    const message = page.getByRole('status').filter({ hasText: 'Licencia renovada' });
    await message.getByRole('link', { name: 'Enviar por WhatsApp' }).click();
    const { searchParams } = new URL((await chat).url());
    expect(searchParams.get('text')).toContain('Renovamos su licencia');
  });
  expect(steps).toEqual({ clicks: 3, keys: 0 });
  // The licence no longer ends soon, so it disappears from the list.
  await expect(row(page, license.license_key)).toHaveCount(0);
});

test("closing a renewal returns the focus to its row's button, and other lists have no such button", async ({
  page,
  api,
}) => {
  const { mark, license } = await dueLicense(api);
  await page.goto(LIST(mark));
  const renew = row(page, license.license_key).getByRole('button', { name: 'Renovar' });
  await renew.click();
  await asked(page, 'Renovar la licencia').getByRole('button', { name: 'Cancelar' }).click();
  await expect(renew).toBeFocused();
  await page.goto(`/licenses?q=${mark}`);
  await expect(row(page, license.license_key)).toBeVisible();
  await expect(renew).toHaveCount(0);
});

for (const look of LOOKS) {
  test(`axe finds nothing in the list of licences about to end, ${look.theme} at ${look.width} px, and no button is cut`, async ({
    page,
    api,
  }) => {
    const { mark, license } = await dueLicense(api);
    await wear(page, look);
    await page.goto(LIST(mark));
    const renew = row(page, license.license_key).getByRole('button', { name: 'Renovar' });
    await expect(renew).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    for (const width of [320, 390, 640, 768, 1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() =>
          renew.evaluate((button) => {
            const { left, right } = button.getBoundingClientRect();
            const cell = button.closest('td')!.getBoundingClientRect();
            return left >= cell.left && right <= Math.min(cell.right, innerWidth);
          }),
        )
        .toBe(true);
    }
  });
}
