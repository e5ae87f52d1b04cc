import type { Locator, Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { NO_SCRIPT_IN_MAIL } from './support/page-guard.ts';
import { expect, test, unique } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** Cancelling 'Confirma tu identidad' is no failure: nothing is said, and what was typed stays (PEOPLE-05). */

// A separate server, because the passwords of all its sessions are forgotten. Nobody reaches its mail server.
test.use({ serverEnv: { SMTP_URL: 'smtp://127.0.0.1:9' } });

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

/** Presses a button that asks for the password, cancels that dialog, and waits until the button is at rest. */
async function callOff(page: Page, press: () => Promise<unknown>, atRest: Locator) {
  await press();
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await button(confirm, 'Cancelar').click();
  await expect(confirm).toBeHidden();
  await expect(atRest).toBeVisible();
  await expect(atRest).not.toHaveAttribute('aria-busy');
  await expect(page.getByRole('alert')).toHaveCount(0);
}

test('cancelling the password says nothing in any form, question or dialog, and keeps what was typed', async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/403/);
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  const template = '/licenses/api/mail-templates/payment_request/';
  await api.call('PUT', template, { body: 'Pague, por favor.' });
  const client = await api.createClient({ name: `Ana ${unique()}` });
  forgetPasswords(server);

  await test.step('a form of a record', async () => {
    await page.goto('/settings/pagos');
    const instructions = page.getByLabel('Instrucciones para el cliente');
    await instructions.fill('BBVA, CLABE 012345678901234567');
    const save = button(page.getByRole('form', { name: 'Pagos' }), 'Guardar cambios');
    await callOff(page, () => save.click(), save);
    await expect(instructions).toHaveValue('BBVA, CLABE 012345678901234567');
    // Nothing was stored, and the guard of the page would ask.
    await instructions.fill('');
  });

  await test.step('a plain form', async () => {
    await page.goto('/settings/correos');
    await button(page, 'Enviar una prueba').click();
    const trial = page.getByRole('dialog', { name: 'Probar el servidor de correo' });
    await trial.getByLabel('Enviar la prueba a').fill('eva@example.com');
    const send = button(trial, 'Enviar la prueba');
    await callOff(page, () => send.click(), send);
    await expect(trial.getByLabel('Enviar la prueba a')).toHaveValue('eva@example.com');
  });

  await test.step('the dialog of an action', async () => {
    await page.goto(`/clients/${client.id}`);
    await page.getByRole('button', { name: 'Borrar datos personales' }).click();
    const question = asked(page, '¿Borrar los datos personales?');
    await question.getByLabel('Motivo').fill('Lo pidió por escrito');
    const erase = button(question, 'Borrar datos personales');
    await callOff(page, () => erase.click(), erase);
    await expect(question.getByLabel('Motivo')).toHaveValue('Lo pidió por escrito');
  });

  await test.step('a question', async () => {
    await page.goto('/settings/firma');
    const rotate = button(page, 'Rotar clave');
    await rotate.click();
    const question = page.getByRole('alertdialog', { name: 'Rotar clave de firma' });
    await callOff(page, () => button(question, 'Rotar clave').click(), rotate);
  });

  await test.step('the form of an API key', async () => {
    await page.goto('/settings/claves');
    await button(page, 'Nueva clave').first().click();
    const form = page.getByRole('dialog', { name: 'Nueva clave de API' });
    await form.getByLabel('Nombre').fill('Tienda');
    await button(form, 'Solo lectura').click();
    const create = button(form, 'Crear clave');
    await callOff(page, () => create.click(), create);
    await expect(form.getByLabel('Nombre')).toHaveValue('Tienda');
    await page.keyboard.press('Escape');
  });

  await test.step('a choice that is stored at once', async () => {
    await page.goto('/settings/claves');
    const limit = page.getByLabel('Duración máxima de las claves nuevas');
    await expect(limit).toHaveValue('');
    await callOff(page, () => limit.selectOption('60 días'), limit);
    await expect(limit).toBeEnabled();
    await expect(limit).toHaveValue('');
  });

  await test.step('the question about a template', async () => {
    await page.goto('/settings/plantillas/payment_request');
    await button(page, 'Restaurar la original').click();
    const restore = button(page, 'Restaurar');
    await callOff(page, () => restore.click(), restore);
    await expect(page.getByText('Plantilla original restaurada')).toHaveCount(0);
  });
});
