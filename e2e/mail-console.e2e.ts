import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { barriers } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { test as withServer } from './support/fixtures.ts';
import { licenseChoices } from './support/license-form.ts';
import { listRows } from './support/list-rows.ts';
import { framed, previewShows } from './support/mail-frame.ts';
import { NO_SCRIPT_IN_MAIL } from './support/page-guard.ts';
import { enter, expect, type StaffApi, signIn, staffApi, test, unique } from './support/staff.ts';

/** 'Plantillas' and 'Correos' under Configuración, and the links to WhatsApp. */

const editor = (page: Page) => ({
  subject: page.getByRole('textbox', { name: 'Asunto' }),
  body: page.getByRole('textbox', { name: 'Texto' }),
  preview: page.getByRole('region', { name: 'Vista previa' }),
});
const mailRows = (page: Page) => listRows(page, 'Lista de correos');
const mail = (page: Page) => page.getByRole('dialog', { name: 'Detalles del Correo' });

/** Issues a licence; its mail is sent at once. */
async function issue(api: StaffApi, values: object = {}): Promise<License> {
  const { client, software, type } = await licenseChoices(api);
  return api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    ...values,
  });
}

test("the key and the reminder of a licence open a WhatsApp chat with the client's number (LIFE-11)", async ({
  page,
  api,
}) => {
  const client = await api.createClient({ name: 'Íñigo & Cía', phone: '+5491122334455' });
  const software = await api.createSoftware({ name: `Caja ${unique()}`, version: '2.0' });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    // The licence has ended, so a reminder is possible on any day.
    expiry_date: '2020-01-31',
  });
  await page.goto(`/licenses/${license.id}`);
  const details = licenseDetails(page);
  await details.getByRole('button', { name: 'WhatsApp' }).click();
  const key = page.getByRole('menuitem', { name: 'Enviar la clave' });
  const chat = (text: string) => `https://wa.me/5491122334455?text=${encodeURIComponent(text)}`;
  await expect(key).toHaveAttribute(
    'href',
    chat(
      `Hola, Íñigo & Cía:\n\nEsta es su licencia de ${software.name} 2.0:\n\n${license.license_key}\n\nVenció el 31/01/2020.`,
    ),
  );
  await expect(key).toHaveAttribute('target', '_blank');
  await expect(key).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(page.getByRole('menuitem', { name: 'Recordar el vencimiento' })).toHaveAttribute(
    'href',
    chat(
      `Hola, Íñigo & Cía:\n\nSu licencia de ${software.name} 2.0 venció el 31/01/2020.\n\nClave: ${license.license_key}\n\n¿Le ayudamos a renovarla?`,
    ),
  );
});

withServer(
  'a template is changed by keyboard, its mails leave changed, and a mail that waits can be held back (MAIL-02, MAIL-04)',
  async ({ browser, freshServer, smtp, guard, playwright }) => {
    guard.allowConsoleError(/400|Error al guardar la plantilla/);
    guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
    const server = await freshServer({ SMTP_URL: smtp.url });
    const request = await playwright.request.newContext({ baseURL: server.url });
    const session = await signIn(request);
    const api = staffApi(request, session.token);
    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const page = await context.newPage();
    await enter(page, session);
    await page.goto('/settings/plantillas/license_issued');

    const { subject, body, preview } = editor(page);
    await previewShows(page, 'Su licencia de Caja Fácil ya está lista.');
    await subject.fill('Bienvenido a ');
    await subject.press('End');
    // A variable is inserted at the caret of the field that had it last.
    await page.getByRole('button', { name: /license\.product/ }).focus();
    await page.keyboard.press('Enter');
    await expect(subject).toHaveValue('Bienvenido a {{ license.product }}');
    await expect(subject).toBeFocused();
    await expect(preview).toContainText('Bienvenido a Caja Fácil');

    // The server's error contains the line, and the caret moves there.
    await body.fill(
      'Hola, {{ client.name }}:\n\n**Gracias** por {{ compra }}.\n\nClave: `{{ license.key }}`',
    );
    await body.press('Control+Enter');
    await expect(body).toHaveAccessibleDescription(/línea 3: la variable «compra» no existe/);
    await expect(body).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('**Gracias** por tu compra.');
    await previewShows(page, 'Gracias por tu compra.');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Plantilla guardada')).toBeVisible();
    await expect(body).toBeFocused();

    const client = await api.createClient({ email: 'ana@example.com' });
    const software = await api.createSoftware({ name: 'Taller' });
    const license = await api.createLicense({ client: client.id, software: software.id });
    const received = await smtp.waitFor(({ to }) => to.includes('ana@example.com'));
    expect(received.email.subject).toBe('Bienvenido a Taller');
    expect(received.email.text).toContain(license.license_key);
    expect(received.email.html).toContain('<strong>Gracias</strong> por tu compra.');

    // The sent mail, opened from the details of its licence.
    await page.goto(`/licenses/${license.id}`);
    await page.getByRole('link', { name: 'Ver correos' }).click();
    await expect(page).toHaveURL(`/settings/correos?license=${license.id}`);
    await page.getByRole('link', { name: 'Bienvenido a Taller' }).click();
    await expect
      .poll(() => framed(page, 'Correo como se envió'))
      .toContain(`Clave: •••${license.license_key.slice(-4)}`);
    await mail(page).getByRole('button', { name: 'Reenviar' }).click();
    await expect(page.getByText('Se envía de nuevo a ana@example.com.')).toBeVisible();
    await expect.poll(() => smtp.accepted.length).toBe(2);

    // If the mail server refuses a mail temporarily, it waits, shows the reason, and can be cancelled.
    smtp.answers.recipient = () => ({ code: 451, text: 'Buzón ocupado' });
    await api.createLicense({ client: client.id, software: software.id });
    await page.goto('/settings/correos?status=queued');
    await expect(mailRows(page)).toHaveCount(1);
    await page.getByRole('link', { name: 'Bienvenido a Taller' }).click();
    await expect(mail(page)).toContainText('Buzón ocupado');
    await mail(page).getByRole('button', { name: 'Cancelar envío' }).click();
    await expect(mail(page).getByText('Cancelado', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Ningún correo coincide')).toBeVisible();
    await request.dispose();
    await context.close();
  },
);

test('leaving a changed template asks first, and the original template can be restored (MAIL-02)', {
  tag: '@gate',
}, async ({ page, api, guard }) => {
  guard.allowConsoleError(/412/);
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  const path = '/licenses/api/mail-templates/license_suspended/';
  await api.call('PUT', path, { subject: 'Pausa', body: 'Hola, {{ client.name }}.' });
  await page.goto('/settings/plantillas');
  const line = page.getByRole('link', { name: /^Licencia suspendida/ });
  await expect(line).toContainText('Cambiada');
  await line.click();
  const { subject, body } = editor(page);
  await subject.fill('Otra cosa');
  await page.getByRole('link', { name: 'Todas las plantillas' }).click();
  await page.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(subject).toHaveValue('Otra cosa');
  // A colleague changes the text meanwhile; the save merges both changes.
  await api.call('PUT', path, { subject: 'Pausa', body: 'Buen día, {{ client.name }}.' });
  await page.getByRole('button', { name: 'Guardar plantilla' }).click();
  await expect(page.getByText('Plantilla guardada')).toBeVisible();
  await expect(subject).toHaveValue('Otra cosa');
  await expect(body).toHaveValue('Buen día, {{ client.name }}.');

  await previewShows(page, 'Buen día');
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click();
  await expect(page.getByText('Prueba guardada')).toBeVisible();

  await page.getByRole('button', { name: 'Restaurar la original' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restaurar' }).click();
  await expect(page.getByText('Plantilla original restaurada')).toBeVisible();
  await expect(subject).toHaveValue(/está suspendida$/);
  await expect(page.getByRole('button', { name: 'Restaurar la original' })).toBeHidden();
});

test('axe finds nothing on the pages of templates and mails', async ({ page, api, guard }) => {
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  const license = await issue(api);
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
    for (const [path, ready] of [
      ['/settings/plantillas/license_issued', 'Su licencia de Caja Fácil 4.2.0'],
      [`/settings/correos?license=${license.id}`, license.client_email],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(ready).first()).toBeVisible();
      expect(await barriers(page, { except: 'iframe', goodPractice: true }), path).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, width, overflow <= 0]).toEqual([path, width, true]);
    }
  }
  // On a phone the variables are in a sheet, and are inserted into the field that had the caret.
  await page.goto('/settings/plantillas/license_issued');
  const { subject } = editor(page);
  await subject.fill('Para ');
  await page.getByRole('button', { name: 'Variables' }).click();
  const sheet = page.getByRole('dialog', { name: 'Variables' });
  await sheet.getByRole('button', { name: /client\.name/ }).click();
  await expect(subject).toHaveValue('Para {{ client.name }}');
  await expect(subject).toBeFocused();
});

test('on a phone a chosen variable is inserted although the page renders again while its sheet closes', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(NO_SCRIPT_IN_MAIL);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings/plantillas/license_issued');
  const { subject, body } = editor(page);
  await subject.fill('Para ');
  const field = await body.elementHandle();
  await page.getByRole('button', { name: 'Variables' }).click();
  const variable = page
    .getByRole('dialog', { name: 'Variables' })
    .getByRole('button', { name: /client\.name/ });
  await expect(variable).toBeVisible();
  await variable.evaluate((button: HTMLElement, text) => {
    button.click();
    // The page is rendered a few times before the sheet has disappeared.
    let draws = 0;
    const timer = setInterval(() => {
      if (text instanceof HTMLTextAreaElement) {
        const write = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
        write?.call(text, `${text.value} `);
        text.dispatchEvent(new Event('input', { bubbles: true }));
      }
      draws += 1;
      if (draws === 4) clearInterval(timer);
    }, 30);
  }, field);
  await expect(subject).toHaveValue('Para {{ client.name }}');
  await expect(subject).toBeFocused();
});
