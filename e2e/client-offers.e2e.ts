import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';

/** Suggestions in the client form. A value changes only on a click (D047, D048). */

const PHONE_MESSAGE = 'El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890';
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

test('a phone that belongs elsewhere shows in amber whose it is, and a button puts in the one that was meant (INPUT-02, D048)', async ({
  page,
}) => {
  const posts = callsTo(page, 'POST', LIST);
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Principal');
  await phone.fill('5512345678');
  await expect(form.getByText('+5512345678 es de Brasil')).toBeVisible();
  await expect(phone).toHaveAccessibleDescription(/\+5512345678 es de Brasil/);
  await expect(phone).toHaveAccessibleDescription(/Incluye el código de país, por ejemplo \+525512345678/);
  await expect(form.getByText(/^Se guardará como/)).toBeHidden();
  expect(await barriers(page)).toEqual([]);
  // A blank country counts as México.
  await input(form, 'País').fill('');
  await expect(offer(form, 'Usar +525512345678')).toBeVisible();
  await phone.press('Tab');
  await expect(offer(form, 'Usar +525512345678')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(phone).toHaveValue('+525512345678');
  await expect(phone).toBeFocused();
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);

  // The value changes only on a click.
  await phone.fill('5512345678');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form).toBeHidden();
  expect(posts[0]?.postDataJSON()).toMatchObject({ phone: '+5512345678', country: 'México' });
});

test('under the message about a phone that the rule refuses, one click puts in the one that was meant (INPUT-02, D047)', async ({
  page,
}) => {
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Principal');
  for (const [country, typed, meant] of [
    ['México', '55 1234 5678', '+525512345678'],
    ['México', '(55) 1234-5678', '+525512345678'],
    ['México', '044 55 1234 5678', '+525512345678'],
    ['México', '+52 1 55 1234 5678', '+525512345678'],
    ['Argentina', '(011) 4321-5678', '+541143215678'],
    ['Argentina', '011 15 4321-5678', '+5491143215678'],
    ['Uruguay', '2901 1234', '+59829011234'],
  ] as const) {
    await input(form, 'País').fill(country);
    await phone.fill(typed);
    await form.getByRole('button', { name: 'Crear Cliente' }).click();
    await expect(form.getByText(PHONE_MESSAGE), typed).toBeVisible();
    await expect(phone).toHaveValue(typed);
    await offer(form, `Usar ${meant}`).click();
    await expect(phone).toHaveValue(meant);
    await expect(phone).toBeFocused();
    await expect(form.getByText(PHONE_MESSAGE), typed).toBeHidden();
  }
});

test('a number of another country is named and left; one of the country of the client is not remarked (INPUT-02)', async ({
  page,
}) => {
  const form = await openCreate(page);
  const phone = input(form, 'Teléfono Principal');
  await phone.fill('+5491143215678');
  await expect(form.getByText('+5491143215678 es de Argentina')).toBeVisible();
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);
  await input(form, 'País').fill('Argentina');
  await expect(form.getByText(/es de Argentina/)).toBeHidden();
  await phone.fill('1143215678');
  await expect(form.getByText('+1143215678 es de Norteamérica')).toBeVisible();
  await expect(offer(form, 'Usar +541143215678')).toBeVisible();
  // What is stored of a number of the country is said, as it differs only by the plus.
  await phone.fill('541143215678');
  await expect(form.getByText('Se guardará como +541143215678')).toBeVisible();
  await expect(form.getByRole('button', { name: /^Usar/ })).toHaveCount(0);
});

test('a slip in the domain of a mail address is asked about, and one click mends it (INPUT-14)', async ({
  page,
}) => {
  const form = await openCreate(page);
  const email = input(form, 'Email');
  await email.fill('ana@gmial.com');
  await expect(form.getByText('¿Está bien escrito?')).toBeVisible();
  await offer(form, 'Usar ana@gmail.com').click();
  await expect(email).toHaveValue('ana@gmail.com');
  await expect(email).toBeFocused();
  for (const real of ['ana@cemex.com', 'ana@grupo-lopez.com.ar', 'ana@yahoo.com.mx']) {
    await email.fill(real);
    await expect(form.getByRole('button', { name: /^Usar/ }), real).toHaveCount(0);
  }
});

test('a client with ñ in the domain of the address is stored in ASCII and shown as written (INPUT-14)', async ({
  page,
}) => {
  const mark = unique();
  const posts = callsTo(page, 'POST', LIST);
  const form = await openCreate(page);
  await input(form, 'Nombre').fill(`Peña ${mark}`);
  await input(form, 'Email').fill(`ana-${mark}@peña.mx`);
  await input(form, 'Teléfono Principal').fill('+525512345678');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form).toBeHidden();
  expect(posts[0]?.postDataJSON()).toMatchObject({ email: `ana-${mark}@xn--pea-8ma.mx` });
  const row = page.getByRole('row', { name: new RegExp(mark) });
  await expect(row).toContainText(`ana-${mark}@peña.mx`);
  await row.getByRole('button', { name: 'Ver detalles' }).click();
  const details = clientDetails(page);
  await expect(details.getByRole('link', { name: `ana-${mark}@peña.mx`, exact: true })).toBeVisible();
});

test('details space a phone as in its country, and copied text and names are the stored text (INPUT-02)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({ phone: '+5491143215678' });
  await page.goto(`/clients?ver=${client.id}`);
  const details = clientDetails(page);
  const link = details.getByRole('link', { name: '+5491143215678', exact: true });
  await expect(link.locator('span span')).toHaveText(['+54', '9', '11', '4321', '5678']);
  const gaps = await link
    .locator('span span')
    .evaluateAll((groups) =>
      groups.map((group) => Number.parseFloat(getComputedStyle(group).marginInlineStart) > 0),
    );
  expect(gaps).toEqual([false, true, true, true, true]);
  expect(await link.innerText()).toBe('+5491143215678');
  const selected = await link.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return getSelection()?.toString();
  });
  expect(selected).toBe('+5491143215678');
});

test('WhatsApp asks before it opens a number that does not exist (INPUT-02)', async ({ page, api }) => {
  const client = await api.createClient({ phone: '+5512345678' });
  await page.goto(`/clients?ver=${client.id}`);
  const details = clientDetails(page);
  await details.getByRole('button', { name: 'Enviar por WhatsApp' }).click();
  const items = page.getByRole('menuitem');
  await expect(items).toHaveText([
    'Abrir el chat con +525512345678',
    'Abrir el chat con +5512345678, como está guardado',
  ]);
  await expect(items.first()).toHaveAttribute('href', /^https:\/\/wa\.me\/525512345678\?/);
  await page.keyboard.press('Escape');
  // A number that exists opens at once.
  const other = await api.createClient({ phone: '+525512345678' });
  await page.goto(`/clients?ver=${other.id}`);
  await expect(details.getByRole('link', { name: 'Enviar por WhatsApp' })).toBeVisible();
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
