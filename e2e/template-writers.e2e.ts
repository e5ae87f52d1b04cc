import { barriers } from './support/axe.ts';
import { NO_SCRIPT_IN_MAIL } from './support/page-guard.ts';
import { expect, test } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** Who writes a template enters the password, and is asked about accounts and addresses that are not the vendor's. */

// A separate server, because the passwords of all its sessions are forgotten.
test.use({ serverEnv: {} });

test('a template with a foreign account is saved after a question and the password, without typing it again (MAIL-02, PEOPLE-05)', async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/403/);
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  const path = '/licenses/api/mail-templates/payment_request/';
  const stored = async () => (await api.call<{ body: string }>('GET', path)).body;
  const before = await stored();
  const written = 'Pague a la CLABE 032 180 000118359719, o en https://malo.example/pagar.';
  await page.goto('/settings/plantillas/payment_request');
  const body = page.getByRole('textbox', { name: 'Texto' });
  const save = page.getByRole('button', { name: 'Guardar plantilla' });
  const question = page.getByRole('alertdialog', { name: 'Revisa esto antes de guardar' });
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });

  await body.fill(written);
  const preview = page.getByRole('region', { name: 'Vista previa' });
  await expect(preview).toContainText('032180000118359719 no está en tus instrucciones de pago');
  await expect(preview).toContainText('«malo.example» no es una dirección de tu configuración');
  expect(await barriers(page)).toEqual([]);

  forgetPasswords(server);
  await save.click();
  await expect(question).toContainText('línea 1: «malo.example»');
  await question.getByRole('button', { name: 'Cancelar' }).click();
  expect(await stored()).toBe(before);

  await save.click();
  await question.getByRole('button', { name: 'Guardar de todos modos' }).click();
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Plantilla guardada')).toBeVisible();
  await expect(body).toHaveValue(written);
  expect(await stored()).toBe(written);

  forgetPasswords(server);
  await page.getByRole('button', { name: 'Restaurar la original' }).click();
  await page.getByRole('button', { name: 'Restaurar', exact: true }).click();
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Plantilla original restaurada')).toBeVisible();
  expect(await stored()).toBe(before);
});
