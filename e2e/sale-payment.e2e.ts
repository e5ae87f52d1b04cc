import type { Page } from '@playwright/test';
import type { PaymentRequest } from '../contract/payments/payment-requests.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { charge, dueLicense, REQUESTS } from './support/payments.ts';
import { expect, type StaffApi, test } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** 'Pago' in 'Nueva Licencia' and 'Renovar' (MONEY-05). */

const form = (page: Page) => page.getByRole('dialog', { name: 'Nueva Licencia' });
const created = (page: Page) => page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
const choose = (page: Page, name: RegExp) => page.getByRole('radio', { name }).check();

async function fill(page: Page, api: StaffApi) {
  const { client, software, type } = await licenseChoices(api);
  await page.goto(`/licenses?nuevo=1&cliente=${client.id}`);
  await form(page).getByLabel('Software').selectOption(String(software.id));
  await form(page).getByLabel('Tipo de Licencia').selectOption(String(type.id));
  await form(page).getByLabel('Precio', { exact: true }).fill('1000');
  return client;
}

const requestsOf = async (api: StaffApi, of: string) =>
  (await api.call<{ results: PaymentRequest[] }>('GET', `${REQUESTS}?${of}`)).results;
const submit = (page: Page) => form(page).getByRole('button', { name: 'Crear Licencia' }).click();

test('a new licence that was paid: "Ya pagó" notes the payment, and the dialog says what was recorded (MONEY-05)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const client = await fill(page, api);
  await expect(form(page).getByText('Se cobrará')).toBeVisible();
  await choose(page, /^Ya pagó/);
  await expect(form(page).getByText('Se cobrará')).toHaveCount(0);
  await form(page).getByLabel('Referencia').fill('SPEI 0042');
  await submit(page);
  await expect(created(page).getByText('Pago registrado: $1,000.00 MXN')).toBeVisible();
  const [request] = await requestsOf(api, `client=${client.id}`);
  expect(request).toMatchObject({ state: 'paid', amount: 1000, lines: [{ kind: 'sold' }] });
  await created(page).getByRole('button', { name: 'Ver licencia' }).click();
  const sales = page.getByRole('listitem').filter({ hasText: 'Emisión: $1,000.00 MXN' });
  await expect(sales.getByRole('link', { name: 'Pagada' })).toBeVisible();
});

test('a part leaves the rest to be paid, and more than all is said at its field (MONEY-05, MONEY-06)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400|Error al crear/);
  const client = await fill(page, api);
  await choose(page, /^Ya pagó/);
  await form(page).getByLabel('Importe recibido').fill('1200');
  await submit(page);
  await expect(form(page).getByText(/más de lo que falta por pagar/i)).toBeVisible();
  await form(page).getByLabel('Importe recibido').fill('400');
  await form(page).getByLabel('Retención').fill('100');
  await submit(page);
  await expect(
    created(page).getByText('Se registraron $400.00 MXN. Quedan $500.00 MXN por cobrar.'),
  ).toBeVisible();
  await expect(created(page).getByRole('button', { name: 'Copiar enlace' })).toBeVisible();
  expect((await requestsOf(api, `client=${client.id}`))[0]).toMatchObject({ state: 'open', due: 500 });
});

test('"Cobrar después" of several licences is one request, whose link the dialog offers (MONEY-05)', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const client = await fill(page, api);
  await form(page).getByLabel('Cantidad').fill('3');
  await choose(page, /^Cobrar después/);
  await form(page).getByLabel('Días para pagar').fill('10');
  await submit(page);
  const issued = page.getByRole('dialog', { name: '¡Licencias Creadas Exitosamente!' });
  await expect(issued.getByText(/^Cobro creado: \$3,000\.00 MXN, hasta el /)).toBeVisible();
  await issued.getByRole('button', { name: 'Copiar enlace' }).click();
  const [request] = await requestsOf(api, `client=${client.id}`);
  expect([request?.lines.length, request?.state]).toEqual([3, 'open']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(request?.url);
});

test('a renewal that was paid is noted with two presses more, and is not offered to be undone (MONEY-05)', async ({
  page,
  api,
}) => {
  const { license } = await dueLicense(api);
  await page.goto(`/licenses/${license.id}?accion=renovar`);
  const steps = await stepsOf(page, async () => {
    await choose(page, /^Ya pagó/);
    await asked(page, 'Renovar la licencia').getByRole('button', { name: 'Renovar', exact: true }).click();
    const message = page.getByRole('status').filter({ hasText: 'Licencia renovada' });
    await expect(message).toContainText('Pago registrado');
    await expect(message.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
  });
  expect(steps).toEqual({ clicks: 2, keys: 0 });
  expect((await requestsOf(api, `license=${license.id}`))[0]).toMatchObject({ state: 'paid', amount: 1200 });
  await expect(page.getByRole('listitem').filter({ hasText: 'Renovación: $1,200.00 MXN' })).toContainText(
    'Pagada',
  );
});

test('a renewal to be paid later offers its link to copy, and its warning names no sale (MONEY-05)', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { license } = await dueLicense(api);
  await page.goto(`/licenses/${license.id}?accion=renovar`);
  await choose(page, /^Cobrar después/);
  await asked(page, 'Renovar la licencia').getByRole('button', { name: 'Renovar', exact: true }).click();
  const message = page.getByRole('status').filter({ hasText: 'Licencia renovada' });
  await expect(message).toContainText('Cobro creado');
  await message.getByRole('button', { name: 'Copiar enlace' }).click();
  const [request] = await requestsOf(api, `license=${license.id}`);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(request?.url);
  // Renewing again leaves the request of the sale, so no warning says that it ends.
  await page.goto(`/licenses/${license.id}?accion=renovar`);
  await expect(asked(page, 'Renovar la licencia')).toBeVisible();
  await expect(page.getByText('Esta licencia tiene un cobro abierto')).toHaveCount(0);
});

test('more seats that were paid are noted in the same step (MONEY-05, MONEY-08)', async ({ page, api }) => {
  const { license } = await dueLicense(api);
  await page.goto(`/licenses/${license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Agregar lugares' }).click();
  await page.getByLabel('Precio').fill('300');
  await choose(page, /^Ya pagó/);
  await asked(page, 'Agregar lugares a la licencia')
    .getByRole('button', { name: 'Agregar lugares', exact: true })
    .click();
  await expect(page.getByRole('status').filter({ hasText: 'Pago registrado' })).toBeVisible();
  expect((await requestsOf(api, `license=${license.id}`))[0]).toMatchObject({ state: 'paid', amount: 300 });
  await expect(page.getByRole('listitem').filter({ hasText: 'Más lugares: $300.00 MXN' })).toContainText(
    'Pagada',
  );
});

test("'Registrar pago' of a sold term promises no renewal, that of a renewal does (MONEY-05)", async ({
  page,
  api,
}) => {
  const { license } = await dueLicense(api);
  const renew = { price: 1000, payment: { request: true } };
  await api.call('POST', `/licenses/api/licenses/${license.id}/renew/`, renew);
  const [sold] = await requestsOf(api, `license=${license.id}`);
  const asking = await charge(api, await dueLicense(api));
  for (const [id, outcome] of [
    [sold?.id, 'Con esto queda pagado.'],
    [asking.id, 'Con esto queda pagado: la renovación se hace al guardar.'],
  ] as const) {
    await page.goto(`/payments/${id}`);
    await page
      .getByRole('dialog', { name: 'Detalles del Cobro' })
      .getByRole('button', { name: 'Registrar pago' })
      .click();
    await expect(asked(page, 'Registrar un pago').getByText(outcome, { exact: true })).toBeVisible();
  }
});

for (const look of LOOKS) {
  test(`axe finds nothing in the fields of a payment, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    await wear(page, look);
    await fill(page, api);
    for (const name of [/^Ya pagó/, /^Cobrar después/]) {
      await choose(page, name);
      expect(await barriers(page)).toEqual([]);
    }
  });
}
