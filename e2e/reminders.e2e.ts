import { clientDetails } from './support/details.ts';
import { expect, test } from './support/staff.ts';

test('editing a client without reminders does not turn them on, and its details show that they are off (LIFE-08)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({});
  await page.goto(`/clients/${client.id}`);
  const details = clientDetails(page);
  await expect(details.getByText('Los recibe por correo')).toBeVisible();
  await page.goto(`/clients?editar=${client.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Cliente' });
  const box = form.getByRole('checkbox', { name: 'Recibe avisos de vencimiento' });
  await expect(box).toBeChecked();
  await box.uncheck();
  await form.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(form).toBeHidden();

  await page.goto(`/clients?editar=${client.id}`);
  await expect(box).not.toBeChecked();
  await form.getByRole('textbox', { name: 'Notas', exact: true }).fill('Llamar por la mañana');
  await form.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(form).toBeHidden();
  await page.goto(`/clients/${client.id}`);
  await expect(details.getByText('No los recibe')).toBeVisible();
  await expect(details.getByText('Llamar por la mañana')).toBeVisible();
});

test('the user menu turns the weekly digest on and off (LIFE-09)', async ({ page }) => {
  await page.goto('/dashboard');
  const open = () => page.getByRole('button', { name: /^Cuenta: / }).click();
  const digest = page.getByRole('switch', { name: 'Recibir el resumen semanal' });
  await open();
  await expect(digest).toBeEnabled();
  await digest.setChecked(true);
  await expect(digest).toBeEnabled();
  await page.reload();
  await open();
  await expect(digest).toBeChecked();
  await digest.setChecked(false);
  await expect(digest).not.toBeChecked();
  await expect(digest).toBeEnabled();
});
