import { expect, test } from './support/staff.ts';

test('a client that exists is named with a link while its data are typed, and saving goes on (INPUT-19)', async ({
  page,
  api,
}) => {
  const known = await api.createClient({
    name: 'Núñez, S.A. de C.V.',
    email: 'rosa@nunez.example',
    phone: '+525587654321',
  });
  await page.goto('/clients?nuevo=1');
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await dialog.getByRole('textbox', { name: 'Nombre', exact: true }).fill('nunez sa de cv');
  const hint = dialog.getByRole('status').filter({ hasText: 'Quizá ya es cliente' });
  await expect(hint).toContainText('Núñez, S.A. de C.V. · mismo nombre');
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill('rosa+compras@nunez.example');
  await expect(hint).toContainText('mismo email');

  const [other] = await Promise.all([page.context().waitForEvent('page'), hint.getByRole('link').click()]);
  await expect(other).toHaveURL(new RegExp(`/clients/${known.id}$`));
  await other.close();
  await expect(dialog.getByRole('textbox', { name: 'Nombre', exact: true })).toHaveValue('nunez sa de cv');

  await dialog.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Alguien Más');
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill('otra@example.com');
  await expect(hint).toBeHidden();
});
