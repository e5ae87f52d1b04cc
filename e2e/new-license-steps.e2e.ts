import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/**
 * Issuing a licence to a new client takes few steps: the last choices are stored, and one line is enough to create a
 * client.
 */

const CLIENTS = '/licenses/api/clients/';

test('issuing a licence to a new client and sending the key by WhatsApp takes four clicks', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const first = await openNewLicense(page);
  await fillRequired(page, first, choices);
  await first.getByRole('button', { name: 'Crear Licencia' }).click();
  const created = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(created).toBeVisible();
  await page.goto('/licenses');

  const mark = unique();
  const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
  const client = form.getByRole('combobox', { name: 'Cliente' });
  const key = callsTo(page, 'POST', '/licenses/api/licenses/');
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'chat' }));
  const chat = page.context().waitForEvent('page');
  await expect(page.getByRole('button', { name: 'Nueva Licencia' })).toBeVisible();
  const steps = await stepsOf(page, async () => {
    await page.getByRole('button', { name: 'Nueva Licencia' }).click();
    await expect(client).toBeFocused();
    await page.keyboard.insertText(`Beto ${mark}, beto-${mark}@example.com 55 1234 5678`);
    await page
      .getByRole('option', { name: `Crear cliente: Beto ${mark} · beto-${mark}@example.com · +525512345678` })
      .click();
    await expect(client).toHaveValue(`Beto ${mark} - beto-${mark}@example.com`);
    await form.getByRole('button', { name: 'Crear Licencia' }).click();
    await created.getByRole('link', { name: 'Enviar por WhatsApp' }).click();
  });
  expect(steps).toEqual({ clicks: 4, keys: 0 });
  expect((await chat).url()).toContain('wa.me/525512345678');
  expect(key.at(-1)?.postDataJSON()).toMatchObject({
    software: choices.software.id,
    license_type_config: choices.type.id,
    price: 250,
    max_installations: 7,
    expiry_days: 90,
  });
});

test('the last software and type are remembered per user, and closing the form with them does not ask', async ({
  page,
  api,
}) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  const software = form.getByLabel('Software', { exact: true });
  await fillRequired(page, form, choices);
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  await page.getByRole('button', { name: 'Crear otra' }).click();
  await expect(software).toHaveValue(String(choices.software.id));
  await expect(form.getByLabel('Precio', { exact: true })).toHaveValue('250');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();

  // An inactive type is not chosen, and the blank form has its default terms.
  await api.call('PUT', `/licenses/api/license-types/${choices.type.id}/`, { is_active: false });
  await openNewLicense(page);
  await expect(software).toHaveValue(String(choices.software.id));
  await expect(form.getByLabel('Tipo de Licencia', { exact: true })).toHaveValue('');
  await expect(form.getByLabel('Precio', { exact: true })).toHaveValue('100');

  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('license_manager_last_license') ?? '{}');
    localStorage.setItem('license_manager_last_license', JSON.stringify({ ...kept, user: 999_999 }));
  });
  await openNewLicense(page);
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toBeFocused();
  await expect(software).toHaveValue('');
});

test('creating a client from one typed line opens the client form when data is missing, and a refused client loses no input', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|Error al crear el cliente/);
  // With a letter: eight digits would be part of the phone.
  const mark = `e${unique()}`;
  const form = await openNewLicense(page);
  const box = form.getByRole('combobox', { name: 'Cliente' });
  const quick = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  const field = (name: string) => quick.getByRole('textbox', { name, exact: true });
  await box.fill(`Eva ${mark} 5512345678`);
  await page.getByRole('option', { name: /^Crear cliente/ }).click();
  await expect(field('Nombre')).toHaveValue(`Eva ${mark}`);
  await expect(field('Teléfono Principal')).toHaveValue('+525512345678');
  await field('Email').fill(`eva-${mark}@example.com`);
  await quick.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(box).toHaveValue(`Eva ${mark} - eva-${mark}@example.com`);

  // If the text contains the email address of a client, that client is found.
  await form.getByRole('button', { name: 'Limpiar selección' }).click();
  await box.fill(`Eva Otra eva-${mark}@example.com 5512345678`);
  await expect(page.getByRole('option')).toHaveText([new RegExp(`Eva ${mark}`)]);

  // Another person creates the client between the search and the choice.
  await box.fill(`Luz ${mark} luz-${mark}@example.com 5512345678`);
  const offer = page.getByRole('option', { name: /^Crear cliente: Luz/ });
  await expect(offer).toBeVisible();
  await api.createClient({ name: `Luz ${mark}`, email: `luz-${mark}@example.com` });
  const posts = callsTo(page, 'POST', CLIENTS);
  await offer.click();
  await expect(quick).toBeVisible();
  await expect(field('Nombre')).toHaveValue(`Luz ${mark}`);
  await expect(field('Email')).toHaveValue(`luz-${mark}@example.com`);
  expect(posts).toHaveLength(1);
});
