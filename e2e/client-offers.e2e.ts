import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** Suggestions in the client form. A value changes only on a click (D047, D048). */

const LIST = '/licenses/api/clients/';
const WEBSITE_MESSAGE = 'El sitio web debe empezar con http:// o https://';
const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });
const offer = (form: Locator, name: string) => form.getByRole('button', { name, exact: true });

async function openCreate(page: Page): Promise<Locator> {
  await page.goto('/clients?nuevo=1');
  const form = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await input(form, 'Nombre').fill('Ana');
  await input(form, 'Email').fill(`${unique()}@example.com`);
  await input(form, 'Teléfono Principal').fill('+525512345678');
  return form;
}

test('a website without https:// is refused, and one click adds https://', async ({ page }) => {
  const posts = callsTo(page, 'POST', LIST);
  const form = await openCreate(page);
  await input(form, 'Sitio Web').fill('www.empresa.mx');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form.getByText(WEBSITE_MESSAGE)).toBeVisible();
  await expect(input(form, 'Sitio Web')).toHaveValue('www.empresa.mx');
  expect(posts).toHaveLength(0);
  expect(await barriers(page)).toEqual([]);

  await offer(form, 'Usar https://www.empresa.mx').click();
  await expect(input(form, 'Sitio Web')).toHaveValue('https://www.empresa.mx');
  await expect(input(form, 'Sitio Web')).toBeFocused();
  await expect(form.getByText(WEBSITE_MESSAGE)).toBeHidden();
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form).toBeHidden();
  expect(posts[0]?.postDataJSON()).toMatchObject({ website: 'https://www.empresa.mx' });
});

test('https:// is offered for an address with a path, by keyboard too, and not for other text', async ({
  page,
}) => {
  const form = await openCreate(page);
  await input(form, 'Sitio Web').fill('empresa.mx/contacto');
  await input(form, 'Sitio Web').press('Tab');
  await expect(offer(form, 'Usar https://empresa.mx/contacto')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(input(form, 'Sitio Web')).toHaveValue('https://empresa.mx/contacto');
  await expect(input(form, 'Sitio Web')).toBeFocused();
  for (const text of ['javascript:alert(1)', 'no tengo', 'ana@empresa.mx', 'ftp://empresa.mx', 'empresa']) {
    await input(form, 'Sitio Web').fill(text);
    await expect(form.getByRole('button', { name: /^Usar/ }), text).toHaveCount(0);
  }
});

test('a phone without a plus shows what will be stored, and +52 is offered for ten digits of México (D048)', async ({
  page,
}) => {
  const posts = callsTo(page, 'POST', LIST);
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Principal');
  await expect(form.getByText(/^Se guardará como/)).toBeHidden();
  await phone.fill('5512345678');
  await expect(form.getByText('Se guardará como +5512345678')).toBeVisible();
  await expect(phone).toHaveAccessibleDescription(/Se guardará como \+5512345678/);
  await expect(phone).toHaveAccessibleDescription(/Incluye el código de país, por ejemplo \+525512345678/);
  await expect(form.getByText('¿Es un número de México?')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  // A blank country counts as México.
  await input(form, 'País').fill('');
  await offer(form, 'Usar +525512345678').click();
  await expect(phone).toHaveValue('+525512345678');
  await expect(phone).toBeFocused();
  await expect(form.getByText(/^Se guardará como/)).toBeHidden();

  await phone.fill('5512345678');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form).toBeHidden();
  // The value changes only on a click.
  expect(posts[0]?.postDataJSON()).toMatchObject({ phone: '+5512345678', country: 'México' });
});

test('+52 is not offered for another country or another number of digits (D048)', async ({ page }) => {
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Principal');
  await input(form, 'País').fill('Argentina');
  await phone.fill('5512345678');
  await expect(form.getByText('Se guardará como +5512345678')).toBeVisible();
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);
  await input(form, 'País').fill('mexico');
  await expect(offer(form, 'Usar +525512345678')).toBeVisible();
  for (const number of ['551234567', '55123456789', '+5512345678']) {
    await phone.fill(number);
    await expect(form.getByRole('button', { name: /^Usar/ }), number).toHaveCount(0);
  }
  // For an invalid phone number no stored form is shown.
  await phone.fill('55 1234');
  await expect(form.getByText(/^Se guardará como/)).toBeHidden();
});

test('the secondary phone is stored as typed, and +52 is offered for it (D047)', async ({ page }) => {
  const posts = callsTo(page, 'POST', LIST);
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Secundario');
  await phone.fill('5587654321');
  await expect(form.getByText(/^Se guardará como/)).toBeHidden();
  await offer(form, 'Usar +525587654321').click();
  await expect(phone).toHaveValue('+525587654321');
  await expect(phone).toBeFocused();
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form).toBeHidden();
  expect(posts[0]?.postDataJSON()).toMatchObject({ phone_secondary: '+525587654321' });
});

test('editing one field of a client leaves the other stored fields unchanged', async ({ page, api }) => {
  // These texts can come from an import. Only five fields show 'Sin especificar' as blank (SEED-9-09).
  const values = {
    company: 'Sin especificar',
    country: 'Sin especificar',
    tax_id: 'Sin especificar',
    contact_position: 'Sin especificar',
    postal_code: '00000',
  };
  const before = await api.createClient(values);
  await page.goto(`/clients?editar=${before.id}`);
  const form = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(input(form, 'Empresa')).toHaveValue('');
  await expect(input(form, 'Empresa')).toHaveAttribute('placeholder', 'Sin especificar');
  await expect(input(form, 'RFC/CUIT')).toHaveValue('Sin especificar');
  await input(form, 'Notas').fill('Llamar');
  await form.getByRole('button', { name: 'Actualizar Cliente' }).click();
  await expect(form).toBeHidden();
  const after = await api.call<typeof before>('GET', `${LIST}${before.id}/`);
  expect({ ...after, updated_at: before.updated_at }).toEqual({ ...before, notes: 'Llamar' });
});
