import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import type { PaymentRequest } from '../contract/payments/payment-requests.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { hasFocus } from './support/focus.ts';
import { listRows } from './support/list-rows.ts';
import { charge, dueLicense, payByTrial, REQUESTS, requestNow, type Sale } from './support/payments.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

/** Payments in the console: 'Cobrar', 'Cobros', and reviews (PAY-01, PAY-05 to PAY-07). */

test.use({ serverEnv: {} });

// A vendor without a name is asked for it with the first request (MONEY-13), which e2e/cobros.e2e.ts shows.
test.beforeEach(({ api }) => api.call('PUT', '/licenses/api/settings/', { vendor_name: 'Sistemas del Sur' }));

const dialog = asked;
const requestDialog = (page: Page) => page.getByRole('dialog', { name: 'Detalles del Cobro' });
const licenseNow = (api: StaffApi, { license }: Sale): Promise<License> =>
  api.call('GET', `/licenses/api/licenses/${license.id}/`);

test('"Cobrar" shows price, tax and end, creates the link, and the licence then shows its open request (PAY-01, PAY-07)', {
  tag: '@gate',
}, async ({ page, api, context, guard }) => {
  // The second request in this test is refused.
  guard.allowConsoleError(/409|No se pudo crear el cobro/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await api.call('PUT', '/licenses/api/settings/', { tax_rate: 16 });
  const sale = await dueLicense(api);
  await page.goto(`/licenses/${sale.license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Cobrar' }).click();
  const total = page.getByLabel('Total', { exact: true });
  await expect(total).toContainText('$1,392.00 MXN');
  await expect(total).toContainText('Impuesto (16%)');
  await page.getByLabel('Días para pagar').fill('10');
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  const created = asked(page, 'Cobro creado');
  await created.getByRole('button', { name: 'Copiar enlace' }).click();
  const { results } = await api.call<{ results: PaymentRequest[] }>(
    'GET',
    `${REQUESTS}?license=${sale.license.id}`,
  );
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({ state: 'open', amount: 1392, tax_rate: 16 });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(results[0]?.url);
  await created.getByRole('button', { name: 'Cerrar', exact: true }).last().click();
  await expect(page.getByRole('link', { name: '$1,392.00 MXN' })).toBeVisible();

  // A second request is refused, and the message links to the first.
  await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Cobrar' }).click();
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByRole('link', { name: 'Ver el cobro' })).toBeVisible();
});

test('an invalid field of "Cobrar" gets the focus, and the dialog stays open (PAY-01)', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  await page.goto(`/licenses/${sale.license.id}?accion=cobrar`);
  await page.getByLabel('Días para pagar').fill('90');
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Los días deben ser un número entero entre 1 y 60')).toBeVisible();
  await expect(page.getByLabel('Días para pagar')).toBeFocused();
});

test('several licences of one client make one request, and for two clients the dialog explains why it is not possible (PAY-07)', async ({
  page,
  api,
}) => {
  const first = await dueLicense(api);
  await dueLicense(api, first.client);
  await page.goto(`/licenses?client=${first.client.id}`);
  await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
  await page.getByRole('button', { name: 'Cobrar 2' }).click();
  await expect(dialog(page, 'Cobrar 2 licencias')).toContainText('$2,400.00 MXN');
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  const { results } = await api.call<{ results: PaymentRequest[] }>(
    'GET',
    `${REQUESTS}?client=${first.client.id}`,
  );
  expect(results.map(({ lines, amount }) => [lines.length, amount])).toEqual([[2, 2400]]);

  const mark = unique();
  const one = await api.createClient({ name: `${mark} Uno` });
  const two = await api.createClient({ name: `${mark} Dos` });
  await dueLicense(api, one);
  await dueLicense(api, two);
  await page.goto(`/licenses?q=${mark}`);
  await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
  await page.getByRole('button', { name: 'Cobrar 2' }).click();
  await expect(dialog(page, 'No se pueden cobrar juntas')).toContainText('Son de varios clientes');
});

test('by keyboard, "Registrar pago" renews the licence at once (PAY-01)', async ({ page, api }) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  await page.goto(`/payments/${made.id}`);
  // The row of the list below the dialog has such a button too.
  const pay = requestDialog(page).getByRole('button', { name: 'Registrar pago' });
  await expect(pay).toBeVisible();
  await hasFocus(requestDialog(page));
  await pay.focus();
  await page.keyboard.press('Enter');
  const form = dialog(page, 'Registrar un pago');
  await expect(form).toBeVisible();
  // Submitted without a choice, the field shows an error and gets the focus.
  await form.getByRole('button', { name: 'Registrar pago' }).focus();
  await page.keyboard.press('Enter');
  const method = form.getByLabel('Cómo se pagó');
  await expect(method).toBeFocused();
  await method.selectOption('transfer');
  await page.keyboard.press('Tab');
  await page.keyboard.type('SPEI 0042');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Pago registrado')).toBeVisible();
  await expect(requestDialog(page)).toContainText('Pagado');
  await expect(requestDialog(page)).toContainText('Registrado a mano · Transferencia');
  // What is paid has no end any more.
  await expect(requestDialog(page).getByText('Vale hasta')).toHaveCount(0);
  await expect(requestDialog(page)).toContainText('Referencia: SPEI 0042');
  const renewed = await licenseNow(api, sale);
  expect(Date.parse(renewed.expiry_date ?? '')).toBeGreaterThan(Date.parse(sale.license.expiry_date ?? ''));
});

test('a refund asks for the password, and after a full refund the renewal can be undone (PAY-06)', async ({
  page,
  colleague,
  api,
  server,
  guard,
}) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  await payByTrial(colleague, made);
  forgetPasswords(server);
  guard.allowConsoleError(/403.*\/refund\//);
  await page.goto(`/payments/${made.id}`);
  await page.getByRole('button', { name: 'Reembolsar', exact: true }).click();
  await dialog(page, 'Reembolsar el pago').getByRole('button', { name: 'Reembolsar' }).click();
  await page.getByLabel('Contraseña', { exact: true }).fill('admin123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Reembolso enviado')).toBeVisible();
  await expect(requestDialog(page)).toContainText('Se devolvió todo el dinero');
  expect((await licenseNow(api, sale)).expiry_date).not.toBe(sale.license.expiry_date);
  await page.getByRole('button', { name: `Deshacer renovación de ${sale.license.license_key}` }).click();
  await expect(page.getByText('Renovación deshecha')).toBeVisible();
  expect((await licenseNow(api, sale)).expiry_date).toBe(sale.license.expiry_date);
});

test('a request can be cancelled and sent again from its details (PAY-01)', async ({ page, api }) => {
  const made = await charge(api, await dueLicense(api));
  await page.goto(`/payments/${made.id}`);
  await page.getByRole('button', { name: 'Enviar de nuevo' }).click();
  await expect(page.getByText('Correo del cobro enviado')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar cobro' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar cobro' }).click();
  await expect(page.getByText('Cobro cancelado')).toBeVisible();
  expect((await requestNow(api, made.id)).state).toBe('cancelled');
  await expect(requestDialog(page).getByRole('button', { name: 'Enviar de nuevo' })).toHaveCount(0);
});

test('"Registrar pago" takes a part with its tax, shows what remains, and holds the request until it is paid (MONEY-06)', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale, { tax_rate: 16 });
  await page.goto(`/payments/${made.id}`);
  const register = requestDialog(page).getByRole('button', { name: 'Registrar pago' });
  await register.click();
  const form = dialog(page, 'Registrar un pago');
  await expect(form.getByLabel('Importe recibido')).toHaveValue('1392');
  await expect(form).toContainText('Con esto queda pagado');
  // The tax makes room for itself while the amount is all the rest.
  await form.getByLabel('Retención').fill('120');
  await expect(form.getByLabel('Importe recibido')).toHaveValue('1272');
  await form.getByLabel('Importe recibido').fill('1,300');
  await form.getByLabel('Cómo se pagó').selectOption('transfer');
  await form.getByRole('button', { name: 'Registrar pago' }).click();
  await expect(form).toContainText('Con la retención es más de lo que falta por pagar');
  await expect(form.getByLabel('Importe recibido')).toBeFocused();
  await form.getByLabel('Importe recibido').fill('500');
  await expect(form).toContainText('Quedan $772.00 MXN por pagar');
  expect(await barriers(page)).toEqual([]);
  await form.getByRole('button', { name: 'Registrar pago' }).click();
  await expect(page.getByText('Pago registrado: faltan $772.00 MXN')).toBeVisible();
  const details = requestDialog(page);
  for (const said of ['Pagado en parte', 'Recibido', '$500.00 MXN', 'Retención', '$120.00 MXN', 'No vence']) {
    await expect(details).toContainText(said);
  }
  await page.goto('/payments');
  await expect(listRows(page, 'Lista de cobros')).toContainText('Faltan $772.00 MXN');
  // A telephone cuts nothing of it.
  await page.setViewportSize({ width: 390, height: 800 });
  const left = listRows(page, 'Lista de cobros').getByText('Faltan $772.00 MXN');
  const box = await left.evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [range.getBoundingClientRect().right, one.closest('table')?.getBoundingClientRect().right ?? 0];
  });
  expect(box[0]).toBeLessThanOrEqual(box[1] ?? 0);
  await page.setViewportSize({ width: 1280, height: 800 });

  // A renewal by hand is refused beforehand, with the way to the request.
  await page.goto(`/licenses/${sale.license.id}?accion=renovar`);
  await expect(page.getByText('tiene un cobro pagado en parte: faltan $772.00 MXN')).toBeVisible();
  await page.getByRole('link', { name: 'Ver el cobro' }).click();
  await expect(page).toHaveURL(`/payments/${made.id}`);
  await register.click();
  await expect(form.getByLabel('Importe recibido')).toHaveValue('772');
  await expect(form).toContainText('Lo que falta de $1,392.00 MXN');
  await form.getByLabel('Cómo se pagó').selectOption('cash');
  await form.getByRole('button', { name: 'Registrar pago' }).click();
  await expect(details).toContainText('Registrado a mano · Efectivo');
  expect((await requestNow(api, made.id)).state).toBe('paid');
  const renewed = await licenseNow(api, sale);
  expect(Date.parse(renewed.expiry_date ?? '')).toBeGreaterThan(Date.parse(sale.license.expiry_date ?? ''));
});

test('a request of which a part came in is cancelled with a reason, and its payment stays (MONEY-06)', async ({
  page,
  api,
}) => {
  const made = await charge(api, await dueLicense(api));
  await api.call('POST', `${REQUESTS}${made.id}/mark_paid/`, { method: 'cash', amount: 400 });
  await page.goto(`/payments/${made.id}`);
  await page.getByRole('button', { name: 'Cancelar cobro' }).click();
  const form = dialog(page, 'Cancelar el cobro');
  await expect(form).toContainText('ya se pagaron $400.00 MXN');
  await form.getByRole('button', { name: 'Cancelar cobro' }).click();
  await expect(form.getByLabel('Motivo')).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await form.getByLabel('Motivo').fill('El cliente desistió');
  await form.getByRole('button', { name: 'Cancelar cobro' }).click();
  await expect(page.getByText('Cobro cancelado')).toBeVisible();
  expect(await requestNow(api, made.id)).toMatchObject({
    state: 'cancelled',
    paid_amount: 400,
    payments: [{ state: 'approved', amount: 400 }],
  });
});

test('a payment that arrives late is held for review until a person applies it (PAY-05)', async ({
  page,
  colleague,
  api,
}) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  // The client has already opened the provider's page when the request is cancelled.
  await colleague.goto(new URL(made.url).pathname);
  await colleague.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await colleague.getByRole('button', { name: 'Pagar más tarde' }).click();
  await expect(colleague.getByRole('heading', { name: 'Su pago está en camino' })).toBeVisible();
  await api.call('POST', `${REQUESTS}${made.id}/cancel/`, {});
  await expect
    .poll(async () => (await requestNow(api, made.id)).state, { timeout: 110_000, intervals: [2000] })
    .toBe('review');
  await page.goto('/dashboard');
  const row = page.getByRole('list', { name: 'Pendientes' }).getByRole('listitem');
  await row.filter({ hasText: sale.client.name }).getByRole('button', { name: 'Revisar' }).click();
  await expect(page).toHaveURL(`/payments/${made.id}`);
  await expect(requestDialog(page)).toContainText('Se pagó después de vencer o cancelarse');
  await page.getByRole('button', { name: 'Resolver' }).click();
  await page.getByRole('radio', { name: /^Aplicar/ }).check();
  await page.getByLabel('Motivo').fill('Lo acordamos por teléfono');
  await page.getByRole('button', { name: 'Guardar decisión' }).click();
  await expect(page.getByText('Revisión resuelta')).toBeVisible();
  expect((await requestNow(api, made.id)).state).toBe('paid');
});

test('"Cobros" lists requests and payments with filters and an export (PAY-06, PAY-07)', async ({
  page,
  colleague,
  api,
}) => {
  const open = await dueLicense(api);
  await charge(api, open);
  const paid = await dueLicense(api);
  await payByTrial(colleague, await charge(api, paid));

  await page.goto('/reports');
  await page.getByRole('link', { name: 'Cobros', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cobros' })).toBeVisible();
  await expect(listRows(page, 'Lista de cobros')).toHaveCount(2);
  await page.getByLabel('Filtrar por estado').selectOption('open');
  await expect(listRows(page, 'Lista de cobros')).toHaveCount(1);
  await expect(listRows(page, 'Lista de cobros')).toContainText(open.client.name);
  await expect(page).toHaveURL('/payments?state=open');

  await page.getByRole('navigation', { name: 'Cobros y pagos' }).getByRole('link', { name: 'Pagos' }).click();
  await expect(listRows(page, 'Lista de pagos')).toHaveCount(1);
  await expect(listRows(page, 'Lista de pagos')).toContainText(paid.client.name);
  await expect(listRows(page, 'Lista de pagos')).toContainText('Prueba');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^pagos_.*\.csv$/);
  await page.getByLabel('Filtrar por proveedor').selectOption('stripe');
  await expect(page.getByText('Ningún pago coincide')).toBeVisible();
});

test('the palette opens "Cobros" and charges for a licence that it found (PAY-07)', async ({ page, api }) => {
  const { license, client } = await dueLicense(api);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('cobros');
  await page.getByRole('option', { name: 'Ir a Cobros' }).click();
  await expect(page).toHaveURL('/payments');
  // By its key, its card has three buttons (DESK-10); by its client, all that one may do with it.
  await page.keyboard.press('Control+k');
  await page.keyboard.type(client.name);
  const found = page.getByRole('option').filter({ hasText: license.license_key }).first();
  await expect(found).toBeVisible();
  for (let steps = 0; steps < 5 && (await found.getAttribute('aria-selected')) !== 'true'; steps++)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.getByRole('option', { name: `Cobrar ${license.license_key}` }).click();
  await expect(page).toHaveURL(`/licenses/${license.id}?accion=cobrar`);
  await expect(page.getByRole('button', { name: 'Crear cobro' })).toBeVisible();
});

test('renewing by hand warns that the open payment request will be cancelled, and cancels it (PAY-01)', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  const made = await charge(api, sale);
  await page.goto(`/licenses/${sale.license.id}?accion=renovar`);
  await expect(page.getByText('Esta licencia tiene un cobro abierto de $1,200.00 MXN')).toBeVisible();
  await page.getByRole('button', { name: 'Renovar', exact: true }).and(page.locator('[type=submit]')).click();
  await expect(page.getByText('Licencia renovada')).toBeVisible();
  expect((await requestNow(api, made.id)).state).toBe('cancelled');
});

for (const look of LOOKS) {
  test(`axe finds nothing in the screens of payments, ${look.theme} at ${look.width} px (PAY-07)`, async ({
    page,
    colleague,
    api,
  }) => {
    const sale = await dueLicense(api);
    const paid = await charge(api, await dueLicense(api));
    await payByTrial(colleague, paid);
    await wear(page, look);
    await page.goto('/payments');
    await expect(page.getByText('Todavía no hay cobros')).toHaveCount(0);
    await expect(listRows(page, 'Lista de cobros')).toHaveCount(1);
    expect(await barriers(page)).toEqual([]);
    await page.goto('/payments/pagos');
    await expect(listRows(page, 'Lista de pagos')).toHaveCount(1);
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/payments/${paid.id}`);
    await expect(requestDialog(page)).toContainText('Pagado');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reembolsar', exact: true }).click();
    await expect(dialog(page, 'Reembolsar el pago')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/licenses/${sale.license.id}?accion=cobrar`);
    await expect(page.getByLabel('Total', { exact: true })).toContainText('$1,200.00');
    expect(await barriers(page)).toEqual([]);
    const open = await charge(api, sale);
    await page.goto(`/payments/${open.id}`);
    await page.getByRole('button', { name: 'Registrar pago' }).click();
    await expect(dialog(page, 'Registrar un pago')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}

test('a licence that was paid is not deleted: the list says why and offers to cancel it (INPUT-18)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/409/);
  const [paid, later] = [await dueLicense(api), await dueLicense(api)];
  const pay = async (sale: Sale) => {
    const { id } = await charge(api, sale);
    await api.call('POST', `${REQUESTS}${id}/mark_paid/`, { method: 'cash' });
  };
  await pay(paid);
  const rows = listRows(page, 'Licencias');
  const listed = async ({ license }: Sale) => {
    await page.goto(`/licenses?q=${license.license_key}`);
    await expect(rows).toHaveCount(1);
    return rows.getByRole('button', { name: 'Eliminar' });
  };
  const notice = asked(page, 'No se puede eliminar: tiene pagos');

  await (await listed(paid)).click();
  await expect(notice).toContainText('lo vendido en meses pasados cambiaría');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(rows.getByRole('button', { name: 'Eliminar' })).toBeFocused();

  // It was paid after the list was read: the server refuses, and the same is shown.
  const remove = await listed(later);
  await pay(later);
  page.once('dialog', (question) => void question.accept());
  await remove.click();
  await notice.getByRole('button', { name: 'Cancelar licencia' }).click();
  await asked(page, 'Cancelar licencia').getByRole('button', { name: 'Cancelar licencia' }).click();
  await expect.poll(async () => (await licenseNow(api, later)).status).toBe('cancelled');

  // A cancelled one stays too, and there is nothing more to do.
  await (await listed(later)).click();
  await expect(notice.getByRole('button', { name: 'Cancelar licencia' })).toHaveCount(0);
});
