import { expect, test } from './support/staff.ts';

const hint = 'Credenciales de demostración';

test('the hint with the demo account shows after signing out, without a reload (D006)', async ({
  page,
  guard,
}) => {
  // Signing out at once refuses the calls of the dashboard that are still on their way.
  guard.allowConsoleError(/401/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(hint)).toBeVisible();
  // Again, after the sign-in screen was shown before.
  await page.getByRole('button', { name: 'Usar estas credenciales' }).click();
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Cerrar Sesión' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.waitForLoadState('networkidle');
  await expect(page.getByText(hint)).toBeVisible();
});
