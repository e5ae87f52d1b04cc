import type { Page } from '@playwright/test';
import type { PaymentRequest } from '../contract/payments/payment-requests.ts';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { listRows } from './support/list-rows.ts';
import { charge, dueLicense, REQUESTS, requestNow } from './support/payments.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';
import { countSteps } from './support/steps.ts';

/** Cobros beside the licences: tabs, search, sums, and what can be done from a row or by typing (MONEY-13). */

test.use({ serverEnv: {} });

const SETTINGS = '/licenses/api/settings/';
const name = (api: StaffApi, vendor_name = 'Sistemas del Sur') => api.call('PUT', SETTINGS, { vendor_name });
const rows = (page: Page) => listRows(page, 'Lista de cobros');
const tab = (page: Page, label: string) => page.getByRole('tab', { name: label, exact: true });
const box = (page: Page) => page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true });
const requestsOf = async (api: StaffApi, client: number) =>
  (await api.call<{ results: PaymentRequest[] }>('GET', `${REQUESTS}?client=${client}`)).results;

test('"Licencias" and "Cobros" are tabs on both pages, and the sidebar shows "Licencias" on both', {
  tag: '@gate',
}, async ({ page }) => {
  await page.goto('/licenses');
  await expect(tab(page, 'Licencias')).toHaveAttribute('aria-selected', 'true');
  // By keyboard: the arrow moves to the other tab, Enter opens its page.
  await tab(page, 'Licencias').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Cobros')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Cobros' })).toBeVisible();
  await expect(tab(page, 'Cobros')).toHaveAttribute('aria-selected', 'true');
  const links = page.getByRole('navigation').first().getByRole('link');
  await expect(links).toHaveCount(7);
  const lit = links.filter({ hasText: 'Licencias' });
  await expect(lit).toHaveAttribute('aria-current', 'page');
  await page.getByRole('navigation', { name: 'Cobros y pagos' }).getByRole('link', { name: 'Pagos' }).click();
  await expect(page).toHaveURL('/payments/pagos');
  await expect(tab(page, 'Cobros')).toHaveAttribute('aria-selected', 'true');
  await tab(page, 'Licencias').click();
  await expect(page).toHaveURL('/licenses');
});

test('the list is searched by client, key, concept and reference, and says what it sums to', async ({
  page,
  api,
}) => {
  const one = await dueLicense(api);
  const two = await dueLicense(api);
  const first = await charge(api, one);
  const second = await charge(api, two);
  const reference = `SPEI ${unique()}`;
  await api.call('POST', `${REQUESTS}${second.id}/mark_paid/`, { method: 'transfer', reference });
  await page.goto('/payments');
  const search = page.getByRole('searchbox', { name: 'Buscar cobros' });
  for (const [text, client] of [
    [one.client.name, one.client.name],
    [two.license.license_key, two.client.name],
    [first.concept, one.client.name],
    [reference, two.client.name],
  ] as const) {
    await search.fill(text);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(client);
  }
  await search.fill(first.concept);
  await expect(page.getByText('$1,200.00 MXN en 1 cobro; falta cobrar $1,200.00 MXN')).toBeVisible();
  await search.fill(reference);
  await expect(page.getByText('$1,200.00 MXN en 1 cobro', { exact: true })).toBeVisible();
  await page.goto(`/payments/pagos?client=${two.client.id}`);
  await expect(page.getByText('$1,200.00 MXN en 1 pago', { exact: true })).toBeVisible();
  await expect(page.getByText('Cuenta también los que están en espera')).toBeVisible();
});

test('"Nuevo cobro" charges chosen licences of a client; one with a request cannot be chosen', async ({
  page,
  api,
}) => {
  await name(api);
  const sale = await dueLicense(api);
  await dueLicense(api, sale.client);
  const requested = await dueLicense(api, sale.client);
  const open = await charge(api, requested);
  await page.goto('/payments');
  await page.getByRole('button', { name: 'Nuevo cobro' }).click();
  const dialog = asked(page, 'Nuevo cobro');
  await dialog.getByRole('button', { name: 'Siguiente paso' }).click();
  await expect(dialog.getByText('Elige el cliente').first()).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Cliente' }).fill(sale.client.email);
  await page.getByRole('option', { name: new RegExp(sale.client.email) }).click();
  await dialog.getByRole('button', { name: 'Siguiente paso' }).click();
  await expect(dialog.getByText('Elige al menos una licencia')).toBeVisible();
  await expect(dialog.getByRole('checkbox', { disabled: true })).toHaveCount(1);
  await expect(dialog.getByText(/· Vence el \d{2}\/\d{2}\/\d{4}/)).toHaveCount(3);
  await expect(dialog.getByText(`Ya tiene un cobro por pagar: ${open.concept}`)).toBeVisible();
  for (const choice of await dialog.getByRole('checkbox', { disabled: false }).all()) await choice.check();
  await dialog.getByRole('button', { name: 'Siguiente paso' }).click();
  await expect(asked(page, 'Cobrar 2 licencias')).toContainText('$2,400.00 MXN');
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  expect((await requestsOf(api, sale.client.id)).map(({ lines }) => lines.length)).toEqual([2, 1]);
});

test('"Nuevo cobro" also charges a licence whose sale is not paid yet', async ({ page, api }) => {
  await name(api);
  const { client, license } = await dueLicense(api);
  await api.call('POST', `/licenses/api/licenses/${license.id}/renew/`, {
    ...{ expiry_days: 30, price: 100, notify: false, payment: { request: true, notify: false } },
  });
  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`cobrar ${client.name}`);
  await page.getByRole('option', { name: `Cobrar a ${client.name}` }).click();
  await expect(asked(page, 'Cobrar la renovación')).toContainText('$1,200.00 MXN');
});

test('a row offers "Copiar enlace", "Recordar" and, once it is paid, "Recibo"', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const made = await charge(api, await dueLicense(api));
  await page.goto(`/payments?client=${made.client.id}`);
  const more = rows(page).getByRole('button', { name: 'Más acciones' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Copiar enlace' }).click();
  await expect(page.getByText('Enlace copiado')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made.url);
  await more.click();
  await expect(page.getByRole('menuitem', { name: 'Recibo' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Recordar' }).click();
  await expect(page.getByText('Recordatorio en camino')).toBeVisible();
  await api.call('POST', `${REQUESTS}${made.id}/mark_paid/`, { method: 'cash' });
  await page.reload();
  await rows(page).getByRole('button', { name: 'Más acciones' }).click();
  await expect(page.getByRole('menuitem', { name: 'Recordar' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Recibo' }).click();
  await expect(page).toHaveURL(`/payments/${made.id}/recibo`);
  await expect(page.getByText('Este recibo no es un comprobante fiscal')).toBeVisible();
});

test('a renewal is charged in two steps from its licence, and from its client', async ({ page, api }) => {
  await name(api);
  const sale = await dueLicense(api);
  const steps = await countSteps(page.context());
  await page.goto(`/licenses/${sale.license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Cobrar', exact: true }).click();
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  expect(steps()).toBe(2);

  const other = await dueLicense(api);
  await page.goto(`/clients/${other.client.id}`);
  await clientDetails(page).getByRole('button', { name: 'Cobrar', exact: true }).click();
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  expect(steps()).toBe(2);
});

test('a transfer for an open request is recorded in three steps, from its licence, its row or its client', async ({
  page,
  api,
}) => {
  const steps = await countSteps(page.context());
  for (const from of ['license', 'row', 'client'] as const) {
    const sale = await dueLicense(api);
    const made = await charge(api, sale);
    const start = {
      license: `/licenses/${sale.license.id}`,
      row: `/payments?client=${sale.client.id}`,
      client: `/clients/${sale.client.id}`,
    }[from];
    await page.goto(start);
    if (from === 'row')
      await rows(page)
        .getByRole('button', { name: /^Registrar pago/ })
        .click();
    else await page.getByRole('link', { name: 'Registrar pago' }).click();
    const form = asked(page, 'Registrar un pago');
    await form.getByLabel('Cómo se pagó').selectOption('transfer');
    await form.getByLabel('Referencia').fill('SPEI 0042');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Pago registrado')).toBeVisible();
    expect(steps(), from).toBe(3);
    // Closing leads back to where it was opened.
    await expect(page).toHaveURL(start);
    expect((await requestNow(api, made.id)).state).toBe('paid');
  }
});

test('a transfer for a licence without a request is recorded in four steps, with its renewal (MONEY-05)', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  const steps = await countSteps(page.context());
  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`registrar pago ${sale.license.license_key}`);
  await page.getByRole('option', { name: `Registrar pago de ${sale.license.license_key}` }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const form = asked(page, 'Renovar la licencia');
  await form.getByRole('radio', { name: /^Ya pagó/ }).check();
  await form.getByLabel('Referencia').fill('SPEI 0042');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Licencia renovada' })).toContainText(
    'Pago registrado',
  );
  expect(steps()).toBe(4);

  // From its page, where 'Renovar' is the first thing offered.
  const other = await dueLicense(api);
  await page.goto(`/licenses/${other.license.id}`);
  await licenseDetails(page).getByRole('button', { name: 'Renovar', exact: true }).click();
  await form.getByRole('radio', { name: /^Ya pagó/ }).check();
  await form.getByLabel('Referencia').fill('SPEI 0043');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Licencia renovada' })).toContainText(
    'Pago registrado',
  );
  expect(steps()).toBe(3);
  for (const { client } of [sale, other]) {
    const [request] = await requestsOf(api, client.id);
    expect(await requestNow(api, request?.id ?? 0)).toMatchObject({
      state: 'paid',
      lines: [{ kind: 'sold' }],
      payments: [{ method: 'transfer', amount: 1200 }],
    });
  }
});

test('the palette charges and records a payment by the client or the key that is typed', async ({
  page,
  api,
}) => {
  await name(api);
  const sale = await dueLicense(api);
  const steps = await countSteps(page.context());
  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`cobrar ${sale.license.license_key}`);
  await page
    .getByRole('option', { name: `Cobrar ${sale.license.license_key}` })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Crear cobro' }).click();
  await expect(page.getByText('Cobro creado')).toBeVisible();
  expect(steps()).toBe(3);

  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`registrar pago ${sale.client.name}`);
  await page.getByRole('option', { name: `Registrar pago de ${sale.client.name}` }).click();
  await expect(asked(page, 'Registrar un pago')).toContainText('$1,200.00 MXN');
  await page.keyboard.press('Escape');

  // By the client: its only licence that has no request is charged at once.
  const other = await dueLicense(api);
  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`cobrar ${other.client.name}`);
  await page.getByRole('option', { name: `Cobrar a ${other.client.name}` }).click();
  await expect(asked(page, 'Cobrar la renovación')).toContainText('$1,200.00 MXN');
  // Without a request it is the renewal that says that it was paid.
  await page.goto('/account');
  await box(page).click();
  await page.keyboard.insertText(`registrar pago ${other.license.license_key}`);
  await page.getByRole('option', { name: `Registrar pago de ${other.license.license_key}` }).click();
  await expect(page).toHaveURL(`/licenses/${other.license.id}?accion=renovar`);
});

test('a licence says first that it has an open request, and its client what it bought, paid and owes', async ({
  page,
  api,
}) => {
  const sale = await dueLicense(api);
  const paid = await dueLicense(api, sale.client);
  await charge(api, sale);
  const settled = await charge(api, paid);
  await api.call('POST', `${REQUESTS}${settled.id}/mark_paid/`, { method: 'transfer' });
  await page.goto(`/licenses/${sale.license.id}`);
  const headings = licenseDetails(page).getByRole('tabpanel').getByRole('heading');
  await expect(headings.first()).toHaveText('Cobros');
  // It is not charged twice.
  await expect(licenseDetails(page).getByRole('button', { name: 'Cobrar', exact: true })).toHaveCount(0);
  await page.goto(`/clients/${sale.client.id}`);
  const fact = (label: string) =>
    clientDetails(page)
      .locator('dt', { hasText: new RegExp(`^${label}$`) })
      .locator('xpath=..');
  await expect(fact('Comprado')).toContainText('$3,600.00 MXN');
  await expect(fact('Cobrado')).toContainText('$1,200.00 MXN');
  await expect(fact('Por cobrar')).toContainText('$1,200.00 MXN');
  await expect(fact('Por cobrar')).toContainText('1 cobro abierto');
  await expect(fact('Último pago')).toContainText('$1,200.00 MXN');
});

test('while the vendor has no name it is asked for with the first request, and nothing typed is lost', async ({
  page,
  api,
}) => {
  await name(api, 'License Manager');
  const sale = await dueLicense(api);
  await page.goto(`/licenses/${sale.license.id}?accion=cobrar`);
  const form = asked(page, 'Cobrar la renovación');
  await form.getByLabel('Nota para el cliente').fill('Gracias por su compra');
  await form.getByRole('button', { name: 'Crear cobro' }).click();
  const vendor = form.getByLabel('El nombre de tu empresa');
  await expect(vendor).toBeFocused();
  await expect(form.getByText('Escribe el nombre de tu empresa')).toBeVisible();
  await vendor.fill('Sistemas del Sur');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Cobro creado')).toBeVisible();
  const [made] = await requestsOf(api, sale.client.id);
  expect(made?.note).toBe('Gracias por su compra');
  expect(await api.call('GET', SETTINGS)).toMatchObject({ vendor_name: 'Sistemas del Sur' });
  // Named once, it is not asked for again.
  const next = await dueLicense(api);
  await page.goto(`/licenses/${next.license.id}?accion=cobrar`);
  await expect(page.getByRole('button', { name: 'Crear cobro' })).toBeVisible();
  await expect(page.getByLabel('El nombre de tu empresa')).toHaveCount(0);
});

for (const look of LOOKS) {
  test(`axe finds nothing in Cobros, empty and with three rows, ${look.theme} at ${look.width} px`, async ({
    page,
    api,
  }) => {
    await wear(page, look);
    await page.goto('/payments?state=review');
    await expect(page.getByText('Ningún cobro coincide')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    const sale = await dueLicense(api);
    await charge(api, sale);
    await charge(api, await dueLicense(api, sale.client));
    const other = await dueLicense(api, sale.client);
    await page.goto(`/payments?client=${sale.client.id}`);
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Nuevo cobro' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/payments?nuevo=1&cliente=${sale.client.id}`);
    await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await page.goto(`/clients/${other.client.id}`);
    await expect(clientDetails(page).getByText('Último pago')).toBeVisible();
    expect(await barriers(page)).toEqual([]);
  });
}
