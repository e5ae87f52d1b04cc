import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { test as withServer } from './support/fixtures.ts';
import { fillRequired, licenseChoices, openNewLicense } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { previewShows } from './support/mail-frame.ts';
import { NO_SCRIPT_IN_MAIL } from './support/page-guard.ts';
import { enter, expect, signIn, staffApi, test } from './support/staff.ts';

/** Without a mail server, mails are only stored in a folder. No text may claim that the client got the mail (D011). */

const STORED = 'Guardado en la bandeja de salida (sin servidor de correo)';
const BADGE = 'En bandeja de salida';

const created = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
const details = licenseDetails;
const toast = (page: Page, title: string) => page.getByRole('status').filter({ hasText: title });

test('without a mail server the success dialog and the details say that the mail is only stored', {
  tag: '@gate',
}, async ({ page, api }) => {
  const choices = await licenseChoices(api);
  const form = await openNewLicense(page);
  await fillRequired(page, form, choices);
  await expect(form.getByLabel('Resumen de la licencia')).toContainText(
    `${choices.client.email}El correo se guarda en la bandeja de salida (sin servidor de correo).`,
  );
  await form.getByRole('button', { name: 'Crear Licencia' }).click();
  // The texts of the specification stay, and a text beside them says that the mail is only stored.
  await expect(created(page).getByText('Email enviado', { exact: true })).toBeVisible();
  await expect(
    created(page).getByText(
      `Se ha enviado un correo electrónico a ${choices.client.email} con la información de la licencia.`,
    ),
  ).toBeVisible();
  await expect(created(page).getByText(STORED)).toBeVisible();
  expect(await barriers(page, { goodPractice: true })).toEqual([]);

  await created(page).getByRole('button', { name: 'Ver licencia' }).click();
  await expect(page).toHaveURL(/\/licenses\?ver=\d+$/);
  const license = `/licenses/api/licenses/${new URL(page.url()).searchParams.get('ver')}/`;
  await expect
    .poll(async () => (await api.call<{ email_status: string }>('GET', license)).email_status)
    .toBe('sent');
  await page.reload();
  await expect(details(page).getByText(BADGE, { exact: true })).toBeVisible();
  await expect(details(page).getByText(/Se guardó el correo/)).toBeVisible();
  await details(page).getByRole('button', { name: 'Reenviar correo' }).click();
  await expect(toast(page, STORED)).toBeVisible();

  // The dialog of an action explains before, and the toast afterwards, that the mail is only stored.
  await details(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Renovar' }).click();
  const renewal = asked(page, 'Renovar la licencia');
  await expect(renewal.getByLabel('Avisar al cliente por correo')).toHaveAccessibleDescription(
    /se guarda en la bandeja de salida \(sin servidor de correo\)/,
  );
  await renewal.getByRole('button', { name: 'Renovar', exact: true }).click();
  await expect(toast(page, 'Licencia renovada')).toContainText(STORED);
});

test("without a mail server 'Correos', the test mail and the password reset say that mail is only stored", async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  const { client, software } = await licenseChoices(api);
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto(`/settings/correos?license=${license.id}`);
  const mails = listRows(page, 'Lista de correos');
  await expect(mails).toHaveCount(1);
  await expect(mails).toContainText(BADGE);
  await expect(mails).not.toContainText('Enviado');
  await expect(page.getByLabel('Filtrar por estado').getByRole('option', { name: BADGE })).toBeAttached();
  await expect(page.getByText('Sin servidor de correo', { exact: true })).toBeVisible();
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await mails.getByRole('link', { name: /Su licencia/ }).click();
  const mail = page.getByRole('dialog', { name: 'Detalles del Correo' });
  await expect(mail.getByText('Guardado', { exact: true })).toBeVisible();
  await mail.getByRole('button', { name: 'Reenviar' }).click();
  await expect(toast(page, STORED)).toBeVisible();

  await page.goto('/settings/plantillas/license_suspended');
  await previewShows(page, 'suspendida');
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click();
  await expect(toast(page, 'Prueba guardada')).toContainText('guardado en la bandeja de salida');

  await page.goto('/olvide-mi-contrasena');
  await page.getByLabel('Email').fill('nadie@example.com');
  await page.getByRole('button', { name: 'Enviar enlace' }).click();
  await expect(page.getByRole('heading', { name: 'Pide tu enlace' })).toBeVisible();
  await expect(page.getByText(/se guarda en la bandeja de salida \(sin servidor de correo\)/)).toBeVisible();
});

withServer(
  'a mail that was stored before there was a mail server is not shown as sent',
  async ({ browser, freshServer, smtp, guard, playwright }) => {
    guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
    const server = await freshServer();
    const request = await playwright.request.newContext({ baseURL: server.url });
    const session = await signIn(request);
    const api = staffApi(request, session.token);
    const { client, software } = await licenseChoices(api);
    const license = await api.createLicense({ client: client.id, software: software.id });
    const path = `/licenses/api/licenses/${license.id}/`;
    const stateOf = async () => (await api.call<{ email_status: string }>('GET', path)).email_status;
    await expect.poll(stateOf).toBe('sent');
    await server.restart({ SMTP_URL: smtp.url });

    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const page = await context.newPage();
    await enter(page, session);
    await page.goto(`/licenses/${license.id}`);
    await expect(details(page).getByText(BADGE, { exact: true })).toBeVisible();
    await page.goto(`/settings/correos?license=${license.id}`);
    const mails = listRows(page, 'Lista de correos');
    await expect(mails).toContainText(BADGE);
    await mails.getByRole('link', { name: /Su licencia/ }).click();
    const mail = page.getByRole('dialog', { name: 'Detalles del Correo' });
    await expect(mail.getByText('Guardado', { exact: true })).toBeVisible();
    await mail.getByRole('button', { name: 'Reenviar' }).click();
    await smtp.waitFor(({ to }) => to.includes(client.email));
    await expect.poll(stateOf).toBe('sent');
    await page.goto(`/licenses/${license.id}`);
    await expect(details(page).getByText('Enviado', { exact: true })).toBeVisible();
    await request.dispose();
    await context.close();
  },
);

withServer(
  'with a mail server nothing speaks of the outbox',
  async ({ browser, freshServer, smtp, guard, playwright }) => {
    const server = await freshServer({ SMTP_URL: smtp.url });
    const request = await playwright.request.newContext({ baseURL: server.url });
    const session = await signIn(request);
    const api = staffApi(request, session.token);
    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const page = await context.newPage();
    await enter(page, session);
    const choices = await licenseChoices(api);
    const form = await openNewLicense(page);
    await fillRequired(page, form, choices);
    await form.getByRole('button', { name: 'Crear Licencia' }).click();
    await expect(created(page).getByText('Email enviado', { exact: true })).toBeVisible();
    await expect(page.getByText(/bandeja de salida/)).toBeHidden();
    await smtp.waitFor(({ to }) => to.includes(choices.client.email));
    await page.goto('/settings/correos?status=sent');
    const mail = page.getByRole('row').filter({ hasText: choices.client.email });
    await expect(mail.getByText('Enviado', { exact: true })).toBeVisible();
    await expect(page.getByText(/bandeja de salida/)).toBeHidden();
    await request.dispose();
    await context.close();
  },
);
