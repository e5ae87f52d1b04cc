import type { Page } from '@playwright/test';
import { addDays, localDay } from '../contract/base/time.ts';
import type { PaymentSettingsSaved } from '../contract/payments/payment-settings.ts';
import { barriers } from './support/axe.ts';
import { charge, dueLicense, pathOf, requestNow } from './support/payments.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** Paying by transfer: the vendor's accounts, the client's notice, its answers, and the receipt (MONEY-11, MONEY-12). */

test.use({ serverEnv: {} });

const SETTINGS = '/licenses/api/settings/payments/';
const CLABE = '032180000118359719';
const today = () => localDay(new Date(), 'America/Mexico_City');
const written = (day: string) => day.split('-').reverse().join('/');

const nameAccounts = (api: StaffApi) =>
  api.call<PaymentSettingsSaved>('PUT', SETTINGS, {
    transfer: {
      bank: 'BBVA',
      holder: 'Software del Norte SA de CV',
      accounts: [
        { label: 'CLABE', number: CLABE, currency: 'MXN' },
        { label: 'CBU', number: '2850590940090418135201', currency: 'ARS' },
      ],
    },
  });

/** axe reports nothing and nothing is wider than the window, in both themes, also at 320 px. */
async function fits(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
      }, theme);
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        width,
        width,
      ]);
    }
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
}

test('accounts are typed with spaces, stored clean, and a wrong check digit warns before and after the save (MONEY-11)', async ({
  page,
  api,
}) => {
  await page.goto('/settings/pagos');
  const form = page.getByRole('form', { name: 'Pagos' });
  await form.getByLabel('Banco').fill('BBVA');
  await form.getByLabel('A nombre de').fill('Software del Norte');
  await form.getByRole('button', { name: 'Agregar cuenta' }).click();
  const number = form.getByLabel('CLABE, CBU o número 1');
  await expect(number).toBeFocused();
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(form.getByText('Escribe el número de la cuenta')).toBeVisible();
  await expect(form.getByText('Corrige las cuentas marcadas')).toBeVisible();
  await number.fill('032-180 0001183 59718');
  await number.press('Tab');
  await expect(
    form.getByText(/^La CLABE 032180000118359718 tiene un dígito que no corresponde/),
  ).toBeVisible();
  await form.getByLabel('Nombre de la cuenta 1').fill('CLABE');
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('Pagos guardados')).toBeVisible();
  await expect(number).toHaveValue('032180000118359718');
  await number.fill(CLABE);
  await number.press('Tab');
  await expect(form.getByText(/tiene un dígito que no corresponde/)).toHaveCount(0);
  await form.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect
    .poll(async () => (await api.call<PaymentSettingsSaved>('GET', SETTINGS)).transfer)
    .toEqual({
      bank: 'BBVA',
      holder: 'Software del Norte',
      accounts: [{ label: 'CLABE', number: CLABE, currency: 'MXN' }],
    });
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, width]);
    expect(await barriers(page)).toEqual([]);
  }
  await form.getByRole('button', { name: 'Eliminar CLABE' }).click();
  await expect(form.getByRole('button', { name: 'Agregar cuenta' })).toBeFocused();
});

test('a client copies each value, gives notice by keyboard, and the vendor confirms it in Para hoy in two steps (MONEY-11)', {
  tag: '@gate',
}, async ({ page, api, browser, server }) => {
  test.slow();
  await nameAccounts(api);
  const sale = await dueLicense(api);
  const made = await charge(api, sale, { tax_rate: 16 });
  const stranger = await browser.newContext({
    baseURL: server.url,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const client = await stranger.newPage();
  const foreign: string[] = [];
  client.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url());
  });
  await client.goto(pathOf(made.url));
  const card = client.getByRole('region', { name: 'Transferencia o depósito' });
  await expect(card).toContainText('Software del Norte SA de CV');
  await expect(card).not.toContainText('2850590940090418135201');
  for (const [label, copied] of [
    ['Banco', 'BBVA'],
    ['A nombre de', 'Software del Norte SA de CV'],
    ['CLABE', CLABE],
    ['Importe', '1392.00'],
    ['Concepto', `COBRO-${made.id}`],
  ] as const) {
    await card.getByRole('button', { name: `Copiar ${label}` }).click();
    await expect(card.getByRole('button', { name: `Copiado ${label}` })).toBeVisible();
    expect(await client.evaluate(() => navigator.clipboard.readText())).toBe(copied);
  }
  await fits(client);

  const open = client.getByRole('button', { name: 'Ya hice la transferencia' });
  await open.focus();
  await client.keyboard.press('Enter');
  const day = client.getByLabel('Día de la transferencia');
  await expect(day).toBeFocused();
  await expect(day).toHaveValue(today());
  await fits(client);
  const yesterday = addDays(today(), -1);
  await day.fill(addDays(today(), 1));
  await client.getByLabel('Referencia o clave de rastreo').fill('SPEI 0042');
  await client.keyboard.press('Enter');
  await expect(client.getByText('Elija el día de la transferencia: hoy o uno anterior')).toBeVisible();
  await day.fill(yesterday);
  await client.getByLabel('Referencia o clave de rastreo').press('Enter');
  const said = client
    .getByRole('status')
    .filter({ hasText: `Usted avisó que transfirió el ${written(yesterday)}` });
  await expect(said).toBeVisible();
  await expect(said).toBeFocused();
  await expect(said).toContainText('Referencia: SPEI 0042.');
  // It stands above what there is to pay: whoever comes back reads it first.
  const tops = await Promise.all(
    [said, client.getByText('Total a pagar')].map(async (one) => (await one.boundingBox())?.y ?? 0),
  );
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  await fits(client);
  expect((await requestNow(api, made.id)).state).toBe('open');

  await page.goto('/dashboard');
  const row = page
    .getByRole('region', { name: 'Para hoy', exact: true })
    .getByRole('listitem')
    .filter({
      hasText: `${sale.client.name} avisó que ya transfirió`,
    });
  await expect(row).toContainText(`COBRO-${made.id} · transferencia del ${written(yesterday)}`);
  await expect(row).toContainText('$1,392.00 MXN');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const steps = await stepsOf(page, async () => {
    await row.getByRole('button', { name: /^Confirmar/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirmar la transferencia' });
    await expect(dialog.getByLabel('Importe recibido')).toHaveValue('1392');
    await expect(dialog.getByLabel('Referencia')).toHaveValue('SPEI 0042');
    await expect(dialog.getByLabel('Día del pago')).toHaveValue(yesterday);
    await dialog.getByRole('button', { name: 'Registrar pago' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Pago registrado' })).toBeVisible();
  });
  expect(steps.clicks).toBe(2);
  await expect(row).toHaveCount(0);
  expect(await requestNow(api, made.id)).toMatchObject({
    state: 'paid',
    transfer_notice: null,
    payments: [{ method: 'transfer', reference: 'SPEI 0042', amount: 1392 }],
  });

  // The receipt: initials for the client's link, the name for staff.
  await client.reload();
  await client.getByRole('link', { name: 'Ver recibo' }).click();
  const sheet = client.getByRole('article', { name: 'Recibo' });
  await expect(sheet).toContainText('Este recibo no es un comprobante fiscal.');
  await expect(sheet).toContainText('SPEI 0042');
  await expect(client.locator('body')).not.toContainText(sale.client.name);
  await expect(client.getByRole('link', { name: 'Enviar por WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/\?text=RECIBO-\d+.*recibo%3Fpayment%3D1$/,
  );
  await fits(client);
  await client.emulateMedia({ media: 'print' });
  await expect(client.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(client.getByRole('link', { name: 'Volver al pago' })).toBeHidden();
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)');
  expect(foreign).toEqual([]);
  await stranger.close();

  await page.goto(`/payments/${made.id}`);
  await page.getByRole('link', { name: 'Recibo', exact: true }).click();
  await expect(page).toHaveURL(`/payments/${made.id}/recibo?payment=1`);
  const own = page.getByRole('article', { name: 'Recibo' });
  await expect(own).toContainText(sale.client.name);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await page.getByRole('link', { name: 'Volver al cobro' }).click();
  await expect(page).toHaveURL(`/payments/${made.id}`);
});

test("'No llegó' answers the notice, from Para hoy and from the request, and the client can give another (MONEY-11)", async ({
  page,
  api,
  request,
}) => {
  await nameAccounts(api);
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  const notify = (reference: string) =>
    request.post(`/licenses/api/pay/${pathOf(made.url).split('/').at(-1)}/notice/`, { data: { reference } });
  expect((await notify('uno')).status()).toBe(202);
  await page.goto('/dashboard');
  const row = page.getByRole('listitem').filter({ hasText: `${sale.client.name} avisó que ya transfirió` });
  await row.getByRole('button', { name: /^No llegó/ }).click();
  const dialog = page.getByRole('dialog', { name: 'La transferencia no llegó' });
  await dialog.getByLabel('Motivo').fill('No está en el banco');
  await dialog.getByRole('button', { name: 'No llegó' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Aviso respondido' })).toBeVisible();
  await expect(row).toHaveCount(0);
  expect((await requestNow(api, made.id)).transfer_notice).toBeNull();

  expect((await notify('dos')).status()).toBe(202);
  await page.goto(`/payments/${made.id}`);
  await expect(page.getByText('El cliente avisó que ya transfirió')).toBeVisible();
  await page.getByRole('button', { name: 'Confirmar', exact: true }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirmar la transferencia' });
  await confirm.getByLabel('Importe recibido').fill('9999');
  await confirm.getByRole('button', { name: 'Registrar pago' }).click();
  await expect(confirm.getByText('Es más de lo que falta por pagar')).toBeVisible();
  await confirm.getByLabel('Importe recibido').fill('200');
  await confirm.getByRole('button', { name: 'Registrar pago' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'el cobro sigue abierto por lo que falta' }),
  ).toBeVisible();
  expect(await requestNow(api, made.id)).toMatchObject({
    state: 'open',
    paid_amount: 200,
    transfer_notice: null,
  });
});

test('the settings name who the vendor is on a receipt (MONEY-12)', async ({ page, api }) => {
  await page.goto('/settings');
  await page.getByLabel('Razón social').fill('Software del Norte SA de CV');
  await page.getByLabel('RFC/CUIT').fill('SNO990101AB1');
  await page.getByLabel('Domicilio').fill('Av. Juárez 1, Monterrey');
  await page.getByRole('button', { name: 'Guardar cambios' }).click();
  await expect(page.getByText('Configuración guardada')).toBeVisible();
  expect(await api.call('GET', '/licenses/api/settings/')).toMatchObject({
    legal_name: 'Software del Norte SA de CV',
    tax_id: 'SNO990101AB1',
    address: 'Av. Juárez 1, Monterrey',
  });
});
