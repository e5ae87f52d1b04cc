import type { PaymentSettings } from '../contract/payments/payment-settings.ts';
import { barriers } from './support/axe.ts';
import { expect, test } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** Configuración › 'Pagos' (PAY-03). */

test.use({ serverEnv: {} });

const SETTINGS = '/licenses/api/settings/payments/';

test('payment instructions are saved after the password is entered again (PAY-03)', { tag: '@gate' }, async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/403.*settings\/payments/);
  forgetPasswords(server);
  await page.goto('/settings/pagos');
  await page.getByLabel('Instrucciones para el cliente').fill('BBVA, CLABE 012345678901234567');
  await page.getByLabel('Cuando un cliente desconoce un cargo').selectOption('suspend');
  await page.getByRole('form', { name: 'Pagos' }).getByRole('button', { name: 'Guardar cambios' }).click();
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Pagos guardados')).toBeVisible();
  expect(await api.call<PaymentSettings>('GET', SETTINGS)).toMatchObject({
    instructions: 'BBVA, CLABE 012345678901234567',
    on_chargeback: 'suspend',
  });
});

test('a provider cannot be offered without a token, and the error shows at the field (PAY-03)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/400/);
  await page.goto('/settings/pagos');
  const stripe = page.getByRole('region', { name: 'Stripe' });
  await stripe.getByRole('switch', { name: 'Ofrecer a los clientes' }).check();
  await page.getByRole('form', { name: 'Pagos' }).getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(stripe.getByText('Escribe primero las credenciales')).toBeVisible();
  await expect(stripe.getByLabel('Clave secreta')).toBeFocused();
});

test('tax and payment links in reminders are saved separately (PAY-01, PAY-07)', async ({ page, api }) => {
  await page.goto('/settings/pagos');
  const saved = page.getByText('Todo está guardado').filter({ visible: true });
  await expect(saved).toHaveCount(2);
  await page.getByLabel('Impuesto (%)').fill('16');
  // Neither form says so while one has changes.
  await expect(saved).toHaveCount(0);
  await page.getByRole('switch', { name: 'Enlace de pago en los avisos de vencimiento' }).check();
  await page
    .getByRole('form', { name: 'Configuración' })
    .getByRole('button', { name: 'Guardar cambios' })
    .click();
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  await expect(saved).toHaveCount(2);
  expect(await api.call('GET', '/licenses/api/settings/')).toMatchObject({
    tax_rate: 16,
    payment_in_reminders: true,
  });
});

test('the section fits from 320 to 1440 px, in light and dark (PAY-03)', async ({ page }) => {
  await page.goto('/settings/pagos');
  await expect(page.getByLabel('Impuesto (%)')).toBeVisible();
  for (const theme of ['light', 'dark']) {
    for (const width of [320, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
      }, theme);
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        width,
        width,
      ]);
    }
    expect(await barriers(page)).toEqual([]);
  }
});
