import { barriers } from './support/axe.ts';
import { expect, test } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** The longest validity of new API keys, which is set beside the keys and limits the form of a key (PEOPLE-07). */

// A separate server, because the setting applies to all users.
test.use({ serverEnv: {} });

const LABEL = 'Duración máxima de las claves nuevas';

test('the longest lifetime of API keys is set after a password check, and the key form offers no longer one (PEOPLE-05, PEOPLE-07)', async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/40[03]/);
  await page.goto('/settings/claves');
  const limit = page.getByLabel(LABEL);
  await expect(limit).toHaveValue('');
  await expect(limit).toHaveAccessibleDescription(/Nadie puede crear una clave que dure más/);

  forgetPasswords(server);
  await limit.selectOption('60 días');
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await confirm.getByRole('button', { name: 'Cancelar' }).click();
  await expect(limit).toBeEnabled();
  await expect(limit).toHaveValue('');
  await limit.selectOption('60 días');
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Duración máxima guardada')).toBeVisible();
  const stored = await api.call<{ api_key_days_max: number }>('GET', '/licenses/api/settings/');
  expect(stored.api_key_days_max).toBe(60);
  await page.reload();
  await expect(limit).toHaveValue('60');

  await page.getByRole('button', { name: 'Nueva clave' }).first().click();
  const form = page.getByRole('dialog', { name: 'Nueva clave de API' });
  const life = form.getByRole('combobox', { name: 'Vence' });
  await expect(life.getByRole('option')).toHaveText(['En 30 días', 'En 60 días', 'En una fecha']);
  await expect(life).toHaveValue('60');
  await expect(life).toHaveAccessibleDescription('Una clave puede durar 60 días como máximo');
  await form.getByLabel('Nombre').fill('Tienda');
  await form.getByRole('button', { name: 'Solo lectura' }).click();

  // The date input does not offer a later date; a typed one is refused at the field.
  await life.selectOption('En una fecha');
  const date = form.getByLabel('Fecha de vencimiento');
  expect(await date.getAttribute('max')).toMatch(/^\d{4}-\d\d-\d\d$/);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await date.fill(inDays(90));
  await form.getByRole('button', { name: 'Crear clave' }).click();
  await expect(date).toHaveAccessibleDescription('Una clave puede durar 60 días como máximo');
  await life.selectOption('En 60 días');
  await form.getByRole('button', { name: 'Crear clave' }).click();
  await page
    .getByRole('dialog', { name: 'Guarda la clave ahora' })
    .getByRole('button', { name: 'Ya la guardé' })
    .click();
  const keys = await api.call<{ results: { created_at: string; expires_at: string }[] }>(
    'GET',
    '/licenses/api/api-keys/',
  );
  const [key] = keys.results;
  expect(Date.parse(key!.expires_at) - Date.parse(key!.created_at)).toBe(60 * 86_400_000);
});

test('a limit that was set through the API and is not in the list is shown as its value, and axe finds nothing', async ({
  page,
  api,
}) => {
  await api.call('PUT', '/licenses/api/settings/', { api_key_days_max: 45 });
  await page.goto('/settings/claves');
  await expect(page.getByLabel(LABEL)).toHaveValue('45');
  await expect(page.getByLabel(LABEL).getByRole('option', { name: '45 días' })).toBeAttached();
  expect(await barriers(page)).toEqual([]);
});
