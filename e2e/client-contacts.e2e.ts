import type { Locator, Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, test, unique } from './support/staff.ts';

/** The contacts of a client in its form and in its details (DESK-04). */

const contacts = (dialog: Locator) => dialog.getByRole('group', { name: 'Contactos' });
const card = (dialog: Locator, number: number) =>
  contacts(dialog).getByRole('group', { name: `Contacto ${number}`, exact: true });
const input = (dialog: Locator, label: string) => dialog.getByLabel(label, { exact: true });

async function openForm(page: Page, id: number): Promise<Locator> {
  await page.goto(`/clients?editar=${id}`);
  const form = page.getByRole('dialog', { name: 'Editar Cliente' });
  await expect(contacts(form)).toBeVisible();
  return form;
}

const save = (form: Locator) => form.getByRole('button', { name: 'Actualizar Cliente' }).click();

test('a contact is added with what it gets, shown in the details, changed and removed (DESK-04)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({ name: `Papelería ${unique()}` });
  const form = await openForm(page, client.id);
  await form.getByRole('button', { name: 'Agregar contacto' }).click();
  await expect(input(form, 'Nombre del contacto 1')).toBeFocused();
  await save(form);
  // Each message stands at its input.
  await expect(input(form, 'Nombre del contacto 1')).toHaveAccessibleDescription(
    'El nombre del contacto es obligatorio',
  );
  await expect(input(form, 'Email del contacto 1')).toHaveAccessibleDescription(
    'El email del contacto es obligatorio',
  );
  await input(form, 'Nombre del contacto 1').fill('Luis Pérez');
  await input(form, 'Email del contacto 1').fill('luis@gmial.com');
  await form.getByRole('button', { name: 'luis@gmail.com' }).click();
  await expect(input(form, 'Email del contacto 1')).toHaveValue('luis@gmail.com');
  await expect(input(form, 'Email del contacto 1')).toBeFocused();
  await input(form, 'Teléfono del contacto 1').fill('+525587654321');
  await card(form, 1).getByLabel('Claves y cambios de sus licencias').check();
  await card(form, 1).getByLabel('Entra al portal').check();
  await form.getByRole('button', { name: 'Agregar contacto' }).click();
  await input(form, 'Nombre del contacto 2').fill('Eva Sol');
  await input(form, 'Email del contacto 2').fill('LUIS@gmail.com');
  await save(form);
  await expect(input(form, 'Email del contacto 2')).toHaveAccessibleDescription(
    'Tiene el mismo email que el contacto 1',
  );
  await input(form, 'Email del contacto 2').fill('eva@otra.example');
  await save(form);
  await expect(form).toBeHidden();

  await page.goto(`/clients?ver=${client.id}`);
  const details = page.getByRole('dialog', { name: 'Detalles del Cliente' });
  const luis = details.getByRole('listitem').filter({ hasText: 'Luis Pérez' });
  await expect(luis).toContainText('Recibe claves · Entra al portal');
  await expect(luis.getByRole('link', { name: 'luis@gmail.com' })).toHaveAttribute(
    'href',
    'mailto:luis@gmail.com',
  );
  await expect(luis.getByRole('link', { name: /8765/ })).toHaveAttribute('href', 'tel:+525587654321');
  await expect(details.getByRole('listitem').filter({ hasText: 'Eva Sol' })).toContainText(
    'No recibe correos',
  );

  const again = await openForm(page, client.id);
  await expect(card(again, 1).getByLabel('Entra al portal')).toBeChecked();
  await again.getByRole('button', { name: 'Quitar Luis Pérez' }).click();
  // The focus goes on to the contact that took its place.
  await expect(input(again, 'Nombre del contacto 1')).toBeFocused();
  await expect(input(again, 'Nombre del contacto 1')).toHaveValue('Eva Sol');
  await save(again);
  await expect(again).toBeHidden();
  const { contacts: stored } = await api.call<{ contacts: unknown }>(
    'GET',
    `/licenses/api/clients/${client.id}/`,
  );
  expect(stored).toEqual([{ name: 'Eva Sol', email: 'eva@otra.example', phone: '', receives: [] }]);
});

test('five contacts are the most, and a found contact leads to its client (DESK-04)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({
    name: `Papelería ${mark}`,
    contacts: Array.from({ length: 4 }, (_, n) => ({
      name: `Persona ${n} ${mark}x`,
      email: `p${n}-${mark}@otra.example`,
    })),
  });
  const form = await openForm(page, client.id);
  await form.getByRole('button', { name: 'Agregar contacto' }).click();
  await expect(form.getByRole('button', { name: 'Agregar contacto' })).toHaveCount(0);
  await expect(contacts(form)).toContainText('Ya son 5, que es lo más que se admite.');
  await page.goto(`/clients?q=p3-${mark}@otra.example`);
  await expect(page.getByRole('row').filter({ hasText: `Papelería ${mark}` })).toBeVisible();
});

test('a colleague who saved other contacts meanwhile is asked about by name (DESK-04)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/412/);
  const client = await api.createClient({ name: `Papelería ${unique()}` });
  const form = await openForm(page, client.id);
  await form.getByRole('button', { name: 'Agregar contacto' }).click();
  await input(form, 'Nombre del contacto 1').fill('Luis Pérez');
  await input(form, 'Email del contacto 1').fill('luis@otra.example');
  await api.call('PUT', `/licenses/api/clients/${client.id}/`, {
    contacts: [{ name: 'Eva Sol', email: 'eva@otra.example', receives: ['payments'] }],
  });
  await save(form);
  await expect(form.getByText('Eva Sol <eva@otra.example>: pagos')).toBeVisible();
});

for (const look of LOOKS) {
  test(`the form and the details with contacts have no axe fault: ${look.theme}, ${look.width} px`, async ({
    page,
    api,
  }) => {
    const client = await api.createClient({
      contacts: [
        {
          name: 'María Guadalupe de los Ángeles Hernández y Fernández de Córdoba',
          email: 'facturas-de-proveedores-y-cuentas-por-pagar@corporativo-industrial.example',
          phone: '+525587654321',
          receives: ['keys', 'reminders', 'payments', 'portal'],
        },
        { name: 'Eva', email: 'eva@otra.example' },
      ],
    });
    await wear(page, look);
    const form = await openForm(page, client.id);
    await contacts(form).scrollIntoViewIfNeeded();
    expect(await barriers(page, { within: '[role=dialog]', goodPractice: true })).toEqual([]);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(look.width);
    await page.goto(`/clients?ver=${client.id}`);
    const details = page.getByRole('dialog', { name: 'Detalles del Cliente' });
    await expect(details.getByRole('heading', { name: 'Contactos' })).toBeVisible();
    expect(await barriers(page, { within: '[role=dialog]', goodPractice: true })).toEqual([]);
    expect(await width()).toBe(look.width);
  });
}
