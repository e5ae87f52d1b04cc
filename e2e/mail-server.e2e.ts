import type { Page } from '@playwright/test';
import { MAIL_PORT, ownAddress, type SmtpPeer, startSmtpPeer } from '../test/smtp-peer.ts';
import { barriers } from './support/axe.ts';
import { licenseChoices } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { expect, test } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** Configuración › Correos, 'Servidor de correo', with a real mail server (DESK-07). */

test.use({ serverEnv: {} });

const card = (page: Page) => page.getByRole('region', { name: 'Servidor de correo' });
const form = (page: Page) => page.getByRole('dialog', { name: 'Servidor de correo' });

/** Runs work with a mail server that has an address of its own. */
async function withPeer(work: (peer: SmtpPeer & { host: string }) => Promise<void>) {
  const host = ownAddress();
  const peer = await startSmtpPeer({ at: { host, port: MAIL_PORT } });
  try {
    await work({ ...peer, host });
  } finally {
    await peer.stop();
  }
}

async function fillServer(page: Page, host: string) {
  await form(page).getByLabel('Servidor').fill(host);
  await form(page).getByLabel('Puerto').selectOption(String(MAIL_PORT));
  await form(page).getByLabel('Seguridad').selectOption({ label: 'Sin cifrado' });
}

test('from no mail server to a sent test mail and the mails that waited, without a reload', {
  tag: '@gate',
}, async ({ page, api, server, guard }) => {
  guard.allowConsoleError(/403.*settings\/mail/);
  const { client, software } = await licenseChoices(api);
  for (let n = 0; n < 2; n += 1) await api.createLicense({ client: client.id, software: software.id });
  await withPeer(async (peer) => {
    await page.goto('/settings/avisos');
    await page.getByRole('link', { name: 'Configurar el servidor de correo' }).click();
    await expect(form(page)).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(form(page)).toBeHidden();

    await page.goto('/settings/correos');
    await expect(card(page).getByText('Sin servidor de correo')).toBeVisible();
    await expect(
      page.getByText('2 correos esperan: podrás enviarlos cuando haya un servidor.'),
    ).toBeVisible();
    await expect(listRows(page, 'Lista de correos').first()).toContainText('En bandeja de salida');
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await card(page).getByRole('button', { name: 'Configurar' }).click();
    await expect(page).toHaveURL(/servidor=1/);
    await fillServer(page, peer.host);
    await form(page).getByLabel('Remitente').fill('Ventas <ventas@vendor.example>');
    forgetPasswords(server);
    await form(page).getByRole('button', { name: 'Guardar cambios' }).click();
    const password = page.getByRole('dialog', { name: 'Confirma tu identidad' });
    await password.getByLabel('Contraseña', { exact: true }).fill('admin123');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Servidor de correo guardado')).toBeVisible();
    await expect(form(page)).toBeHidden();
    await expect(card(page)).toContainText(`${peer.host}, puerto ${MAIL_PORT}, Sin cifrado`);
    await expect(card(page)).toContainText('Ventas <ventas@vendor.example>');

    await card(page).getByRole('button', { name: 'Enviar una prueba' }).click();
    const trial = page.getByRole('dialog', { name: 'Probar el servidor de correo' });
    await expect(trial.getByLabel('Enviar la prueba a')).toHaveValue('admin@example.com');
    await trial.getByRole('button', { name: 'Enviar la prueba' }).click();
    await expect(trial.getByText('El servidor aceptó la prueba para admin@example.com')).toBeVisible();
    await expect(trial.getByText(/El servidor respondió: 250/)).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    peer.answers.recipient = () => ({ code: 550, text: 'no such user here' });
    await trial.getByLabel('Enviar la prueba a').fill('nadie@example.com');
    await trial.getByRole('button', { name: 'Enviar la prueba' }).click();
    await expect(trial.getByRole('alert')).toContainText(
      'La prueba no salióEl servidor respondió: 550 no such user here',
    );
    peer.answers.recipient = () => 'accept';
    await trial.getByRole('button', { name: 'Cerrar', exact: true }).last().click();

    await page.getByRole('button', { name: 'Enviar los 2 que esperan' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar los 2 que esperan' }).click();
    await expect(page.getByText('Se envían 2 correos')).toBeVisible();
    await expect.poll(() => peer.accepted.filter(({ to }) => to.includes(client.email)).length).toBe(2);
    await expect(page.getByRole('button', { name: /que esperan/ })).toBeHidden();
    await expect(listRows(page, 'Lista de correos').filter({ hasText: client.email }).first()).toContainText(
      'Enviado',
    );
    await page.goto('/settings/avisos');
    await expect(page.getByText('Sin servidor de correo')).toBeHidden();
  });
});

test('wrong input is told at its field, and the password is asked again for another server', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400/);
  await page.goto('/settings/correos?servidor=1');
  const save = form(page).getByRole('button', { name: 'Guardar cambios' });
  await save.click();
  await expect(form(page).getByLabel('Servidor')).toBeFocused();
  await expect(
    form(page).getByText('Escribe solo el nombre del servidor, como smtp.example.com'),
  ).toBeVisible();
  await form(page).getByLabel('Servidor').fill('smtp.example.com');
  await form(page).getByLabel('Puerto').selectOption('465');
  await expect(form(page).getByLabel('Seguridad')).toHaveValue('tls');
  await form(page).getByLabel('Usuario').fill('ventas@example.com');
  await save.click();
  await expect(form(page).getByText('Escribe la contraseña de este usuario')).toBeVisible();
  await form(page).getByLabel('Contraseña').fill('una clave');
  await save.click();
  await expect(form(page)).toBeHidden();
  await card(page).getByRole('button', { name: 'Cambiar' }).click();
  await expect(form(page).getByLabel('Contraseña')).toHaveValue('');
  await form(page).getByLabel('Servidor').fill('smtp.example.net');
  await save.click();
  await expect(
    form(page).getByText('Escribe la contraseña otra vez: la guardada era de la conexión anterior'),
  ).toBeVisible();
  await expect(form(page).getByLabel('Contraseña')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Descartar' }).click();

  await card(page).getByRole('button', { name: 'Quitar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click();
  await expect(page.getByText('Servidor de correo quitado')).toBeVisible();
  await expect(card(page).getByText('Sin servidor de correo')).toBeVisible();
  expect(await api.call('GET', '/licenses/api/settings/mail/')).toMatchObject({
    host: '',
    has_password: false,
  });
});

test('the section fits from 320 to 1440 px, in light and dark', async ({ page, api }) => {
  await api.call('PUT', '/licenses/api/settings/mail/', {
    host: 'un-nombre-muy-largo.de-un-servidor-de-correo.example.com',
    username: 'un-nombre-largo-de-usuario@un-dominio-largo.example.com',
    password: 'x',
    from: 'Un remitente bastante largo <ventas-y-cobranza@un-dominio-largo.example.com>',
  });
  await page.goto('/settings/correos');
  await expect(card(page).getByRole('button', { name: 'Quitar' })).toBeVisible();
  for (const theme of ['light', 'dark']) {
    for (const width of [320, 390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
      }, theme);
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        width,
        width,
      ]);
    }
    expect(await barriers(page)).toEqual([]);
  }
});
