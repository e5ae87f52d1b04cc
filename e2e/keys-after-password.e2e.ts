import type { APIRequestContext, Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { enter, expect, type StaffApi, staffApi, test, unique } from './support/staff.ts';

/**
 * After a password change a person sees which API keys stay valid, because a thief may have created one (PEOPLE-04,
 * PEOPLE-07).
 */

const USERS = '/licenses/api/users/';
const PASSWORD = 'tres tristes tigres';
const LIST = 'Estas claves de API siguen funcionando';

/** Another administrator, who accepted an invitation and created a key. */
async function withKey(api: StaffApi, request: APIRequestContext) {
  const mark = unique();
  const invited = await api.call<{ id: number; link: string }>('POST', USERS, {
    username: `bea-${mark}`,
    names: 'Bea',
    last_name: mark,
    email: `bea-${mark}@example.com`,
    role: 'admin',
  });
  const accepted = await request.post('/api/auth/invitation/accept/', {
    data: { token: invited.link.split('#')[1], password: PASSWORD },
  });
  const session = await accepted.json();
  const { key } = await staffApi(request, session.token).call<{ key: string }>(
    'POST',
    '/licenses/api/api-keys/',
    { name: 'Tienda en línea', permissions: ['licenses:read'] },
  );
  return { id: invited.id, mark, session, lastFour: `…${key.slice(-4)}` };
}

const keys = (page: Page) => page.getByRole('list', { name: LIST });

test.describe('a person with working API keys', () => {
  test.use({
    // Not signed in: each test signs in itself.
    page: async ({ context }, use) => use(await context.newPage()),
  });

  test("sees the keys after changing the password in 'Mi cuenta', with a link to their list", async ({
    page,
    api,
    request,
  }) => {
    const bea = await withKey(api, request);
    await enter(page, bea.session);
    await page.goto('/account');
    const card = page.getByRole('region', { name: 'Contraseña' });
    await card.getByLabel('Contraseña actual').fill(PASSWORD);
    await card.getByLabel('Contraseña nueva').fill('siete gatos en el tejado');
    await page.keyboard.press('Enter');
    await expect(keys(page).getByRole('listitem')).toHaveText([`Tienda en línea ${bea.lastFour}`]);
    expect(await barriers(page)).toEqual([]);
    await card.getByRole('link', { name: 'Ver las claves de API' }).click();
    await expect(page).toHaveURL(/\/settings\/claves$/);
    await expect(page.getByRole('row').filter({ hasText: bea.lastFour })).toBeVisible();
  });

  for (const look of LOOKS)
    test(`sees the keys after setting the password by a link, ${look.theme} at ${look.width} px`, async ({
      page,
      api,
      request,
    }) => {
      const bea = await withKey(api, request);
      const { link } = await api.call<{ link: string }>('POST', `${USERS}${bea.id}/reset_link/`);
      await wear(page, look);
      await page.goto(new URL(link).pathname + new URL(link).hash);
      await page.getByLabel('Contraseña nueva').fill('siete gatos en el tejado');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Contraseña cambiada' })).toBeVisible();
      await expect(keys(page).getByRole('listitem')).toHaveText([`Tienda en línea ${bea.lastFour}`]);
      await expect(page.getByText(/Inicia sesión y revócala en Configuración › Claves de API/)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Ir a iniciar sesión' })).toBeVisible();
      expect(await barriers(page)).toEqual([]);
    });
});

test('an administrator who creates a password link for a person then sees that person’s API keys', async ({
  page,
  api,
  request,
}) => {
  const bea = await withKey(api, request);
  await page.goto(`/settings/usuarios?q=${bea.mark}`);
  await page
    .getByRole('row')
    .filter({ hasText: bea.mark })
    .getByRole('button', { name: 'Más acciones' })
    .click();
  await page.getByRole('menuitem', { name: 'Enlace para cambiar la contraseña' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Crear enlace' }).click();
  await page
    .getByRole('dialog', { name: 'Entrega este enlace' })
    .getByRole('button', { name: 'Ya lo entregué' })
    .click();
  const dialog = page.getByRole('dialog', { name: `Claves de API de Bea ${bea.mark}` });
  await expect(dialog.getByRole('list', { name: LIST }).getByRole('listitem')).toHaveText([
    `Tienda en línea ${bea.lastFour}`,
  ]);
  await expect(dialog).toContainText('revócalas');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'Ver las claves de API' }).click();
  await expect(page).toHaveURL(/\/settings\/claves$/);
  await expect(page.getByRole('row').filter({ hasText: bea.lastFour })).toBeVisible();
});
