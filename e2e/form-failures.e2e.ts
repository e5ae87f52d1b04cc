import type { Locator, Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** The message of a failed save stays in the form until the next attempt, and the form keeps its values (D028). */

const input = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });

/** The message in the form; the toast is an alert outside it. */
const failure = (form: Locator, title: string) => form.getByRole('group', { name: title, exact: true });

interface FailingForm {
  /** Opens the form of a new or stored record and types into it. */
  open: (page: Page, api: StaffApi) => Promise<{ form: Locator; typed: Locator; text: string }>;
  path: string;
  submit: string;
  title: string;
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const FORMS: FailingForm[] = [
  {
    path: '**/licenses/api/clients/',
    submit: 'Crear Cliente',
    title: 'Error al crear el cliente',
    open: async (page) => {
      await page.goto('/clients?nuevo=1');
      const form = dialog(page, 'Nuevo Cliente');
      await input(form, 'Nombre').fill('Ana');
      await input(form, 'Email').fill(`${unique()}@example.com`);
      await input(form, 'Teléfono Principal').fill('+525512345678');
      return { form, typed: input(form, 'Nombre'), text: 'Ana' };
    },
  },
  {
    path: '**/licenses/api/clients/*/',
    submit: 'Actualizar Cliente',
    title: 'Error al actualizar el cliente',
    open: async (page, api) => {
      const client = await api.createClient();
      await page.goto(`/clients?editar=${client.id}`);
      const form = dialog(page, 'Editar Cliente');
      await input(form, 'Cargo').fill('Dueña');
      return { form, typed: input(form, 'Cargo'), text: 'Dueña' };
    },
  },
  {
    path: '**/licenses/api/software/',
    submit: 'Crear Software',
    title: 'Error al registrar el software',
    open: async (page) => {
      await page.goto('/software?nuevo=1');
      const form = dialog(page, 'Nuevo Software');
      await input(form, 'Nombre').fill(`Caja ${unique()}`);
      await input(form, 'Versión').fill('1.0.0');
      return { form, typed: input(form, 'Versión'), text: '1.0.0' };
    },
  },
  {
    path: '**/licenses/api/license-types/*/',
    submit: 'Actualizar Tipo de Licencia',
    title: 'Error al actualizar el tipo de licencia',
    open: async (page, api) => {
      const type = await api.createLicenseType();
      await page.goto(`/license-types?editar=${type.id}`);
      const form = dialog(page, 'Editar Tipo de Licencia');
      await input(form, 'Descripción').fill('Para un año');
      return { form, typed: input(form, 'Descripción'), text: 'Para un año' };
    },
  },
  {
    path: '**/licenses/api/licenses/*/',
    submit: 'Actualizar Licencia',
    title: 'Error al actualizar la licencia',
    open: async (page, api) => {
      const [client, software] = [await api.createClient(), await api.createSoftware()];
      const license = await api.createLicense({ client: client.id, software: software.id });
      await page.goto(`/licenses?editar=${license.id}`);
      const form = dialog(page, 'Editar Licencia');
      await input(form, 'Notas').fill('Renovar en mayo');
      return { form, typed: input(form, 'Notas'), text: 'Renovar en mayo' };
    },
  },
];

for (const { open, path, submit, title } of FORMS) {
  test(`the error "${title}" stays in the form until the next save (D028)`, async ({ page, api, guard }) => {
    guard.allowConsoleError(/500|Error al/);
    await page.clock.install();
    const { form, typed, text } = await open(page, api);
    let fails = true;
    let resume = () => {};
    await page.route(path, async (route) => {
      if (!['POST', 'PUT'].includes(route.request().method())) return route.continue();
      if (fails) {
        return route.fulfill({ status: 500, json: { success: false, message: 'Error en el servidor' } });
      }
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
      return route.continue();
    });
    const button = form.getByRole('button', { name: submit });
    await button.click();
    const toast = page.getByRole('alert').filter({ hasText: title });
    await expect(toast).toContainText('Error en el servidor');
    await expect(failure(form, title)).toContainText('Error en el servidor');
    await expect(failure(form, title)).toBeInViewport();
    await expect(button).toHaveAccessibleDescription(`${title} Error en el servidor`);

    await page.clock.runFor(15_000);
    await expect(toast).toBeHidden();
    await expect(failure(form, title)).toBeVisible();
    await expect(typed).toHaveValue(text);

    // The next attempt removes the message at once, before its answer.
    fails = false;
    await button.click();
    await expect(failure(form, title)).toBeHidden();
    await expect.poll(() => resume.name).not.toBe('held');
    resume();
    await expect(form).toBeHidden();
  });
}

test('a network failure stays in the form, and is gone when the form opens again (D028)', {
  tag: '@gate',
}, async ({ page, guard }) => {
  guard.allowConsoleError(/ERR_|Error al/);
  await page.route('**/licenses/api/clients/', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  );
  await page.goto('/clients?nuevo=1');
  const form = dialog(page, 'Nuevo Cliente');
  await input(form, 'Nombre').fill('Ana');
  await input(form, 'Email').fill(`${unique()}@example.com`);
  await input(form, 'Teléfono Principal').fill('+525512345678');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  const message = failure(form, 'Error al crear el cliente');
  await expect(message).toContainText('Network error: No se pudo conectar con el servidor');
  expect(await barriers(page)).toEqual([]);

  await form.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Descartar cambios' }).click();
  await page.getByRole('button', { name: 'Nuevo Cliente' }).click();
  await expect(input(form, 'Nombre')).toBeFocused();
  await expect(message).toBeHidden();
});

test('a field error shows no message for the whole form (D028)', async ({ page, api, guard }) => {
  guard.allowConsoleError(/400|Error al/);
  const taken = await api.createClient();
  await page.goto('/clients?nuevo=1');
  const form = dialog(page, 'Nuevo Cliente');
  await input(form, 'Nombre').fill('Ana');
  await input(form, 'Email').fill(taken.email);
  await input(form, 'Teléfono Principal').fill('+525512345678');
  await form.getByRole('button', { name: 'Crear Cliente' }).click();
  await expect(form.getByText('Ya existe un cliente con este email')).toBeVisible();
  await expect(failure(form, 'Error al crear el cliente')).toBeHidden();
});

test('on a narrow screen the message is shown above both buttons', async ({ page, guard }) => {
  guard.allowConsoleError(/500|Error al/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/licenses/api/software/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { success: false, message: 'Error en el servidor' } })
      : route.continue(),
  );
  await page.goto('/software?nuevo=1');
  const form = dialog(page, 'Nuevo Software');
  await input(form, 'Nombre').fill(`Caja ${unique()}`);
  await input(form, 'Versión').fill('1.0.0');
  await form.getByRole('button', { name: 'Crear Software' }).click();
  const message = failure(form, 'Error al registrar el software');
  await expect(message).toBeVisible();
  const box = async (part: Locator) => (await part.boundingBox())!;
  const [note, cancel, submit] = [
    await box(message),
    await box(form.getByRole('button', { name: 'Cancelar' })),
    await box(form.getByRole('button', { name: 'Crear Software' })),
  ];
  expect(cancel.y).toBe(submit.y);
  expect(cancel.y).toBeGreaterThan(note.y + note.height - 1);
});
