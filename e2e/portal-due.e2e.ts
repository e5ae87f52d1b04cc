import { barriers } from './support/axe.ts';
import { heading, openShop, signInByCode } from './support/portal.ts';
import { test as base, expect, type StaffApi, signIn, staffApi } from './support/staff.ts';

/** In the portal, what must be renewed comes first, with its button (DESK-08, docs/decisions/145-…). */

const test = base.extend<{ api: StaffApi }>({
  api: async ({ request }, use) => use(staffApi(request, (await signIn(request)).token)),
  page: async ({ context }, use) => use(await context.newPage()),
});

test.use({ serverEnv: {} });

const PHONE = { width: 390, height: 844 };
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('an expired licence has the filled button with the amount under its state, in the first view of a phone', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api, { settings: { tax_rate: 16 } });
  await api.call('PUT', `/licenses/api/licenses/${shop.license.id}/`, { expiry_date: day(-4) });
  await page.setViewportSize(PHONE);
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  const pay = page.getByRole('button', { name: /^Pagar \$[\d,.]+ MXN$/ });
  await expect(pay).toBeInViewport({ ratio: 1 });
  const state = (await page.getByText('Vencida', { exact: true }).boundingBox())!;
  const button = (await pay.boundingBox())!;
  expect(button.y - state.y).toBeGreaterThan(0);
  expect(button.y - state.y).toBeLessThan(200);
  // Nobody is told to write a key that the program refuses.
  await expect(page.getByText('Ningún equipo la está usando.', { exact: true })).toBeVisible();
  await expect(page.getByText('Escriba la clave en su programa')).toHaveCount(0);
  expect(await page.getByRole('button', { name: /Pagar/ }).count()).toBe(1);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);

  const amount = (await pay.textContent())!.replace('Pagar ', '');
  // One click from here to the page to pay, which asks the same amount.
  await pay.click();
  await expect(heading(page, 'Su pago')).toBeVisible();
  await expect(page.getByText(amount).first()).toBeVisible();
});

test('what ends soon or has ended comes first in the list, each with its button; the card opens the licence', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api);
  const issue = async (end: string | null) => {
    const license = await api.createLicense({ client: shop.client.id, software: shop.software.id });
    if (end !== null) await api.call('PUT', `/licenses/api/licenses/${license.id}/`, { expiry_date: end });
    return license;
  };
  const over = await issue(day(-4));
  const ending = await issue(day(9));
  const fine = await issue(null);
  await page.setViewportSize(PHONE);
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Mis licencias')).toBeVisible();
  const cards = page.getByRole('listitem');
  await expect(cards).toHaveCount(4);
  for (const [at, { license_key }] of [over, ending, fine, shop.license].entries())
    await expect(cards.nth(at)).toContainText(license_key);
  const pay = page.getByRole('button', { name: /^Pagar \$.+: Punto de venta 4\.2$/ });
  await expect(pay).toHaveCount(2);
  await expect(cards.nth(0).getByRole('button')).toHaveCount(1);
  await expect(cards.nth(1).getByRole('button')).toHaveCount(1);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  // Beside the button the whole card is the link.
  const box = (await cards.nth(0).boundingBox())!;
  await page.mouse.click(box.x + box.width - 12, box.y + 60);
  await expect(page).toHaveURL(`/portal?licencia=${over.id}`);
  await page.goBack();
  await pay.first().click();
  await expect(heading(page, 'Su pago')).toBeVisible();
});

test('where nothing can be paid, the renewal is asked for from the list or from the licence', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api, {
    license: { expiry_days: 6 },
    settings: { portal_features: { pay: false } },
  });
  await api.createLicense({ client: shop.client.id, software: shop.software.id });
  await signInByCode(page, server, shop.client.email);
  const renew = page.getByRole('button', { name: 'Pedir la renovación: Punto de venta 4.2' });
  await renew.click();
  const question = page.getByRole('dialog', { name: 'Su solicitud' });
  await expect(question.getByRole('radio', { name: 'Renovar la licencia' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(renew).toBeFocused();
  await renew.click();
  await question.getByRole('button', { name: 'Enviar solicitud' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Su solicitud llegó' })).toBeFocused();

  await page.getByRole('link', { name: new RegExp(shop.license.license_key) }).click();
  await expect(page.getByRole('button', { name: 'Pedir la renovación', exact: true })).toBeVisible();
  // The rest are rows, each with one line that explains it.
  for (const [name, about] of [
    ['Pedir algo a su proveedor', 'Más equipos u otra cosa. Le responde por correo.'],
    ['Recibir los datos por correo', 'La clave y lo que incluye, a su correo de siempre.'],
    ['Archivo para un equipo sin internet', 'Para usar el programa donde no hay conexión.'],
  ] as const)
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(about);
  await expect(page.getByRole('link', { name: 'Ver la constancia' })).toHaveAccessibleDescription(
    'Para imprimir, con un código que cualquiera puede comprobar.',
  );
});

test('before it is due, paying is a row; the bar of a meter is that of the program (SELL-03)', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api, {
    license: { meters: { facturas: { limit: 500, period: 'month', overage: 'allow' } } },
  });
  await api.activate(shop.license.license_key, { machine_id: 'caja-1' });
  await api.call('POST', '/licenses/api/usage/', {
    license_key: shop.license.license_key,
    machine_id: 'caja-1',
    records: [{ code: 'facturas', amount: 200, request_id: 'facturas-1' }],
  });
  await signInByCode(page, server, shop.client.email);
  const pay = page.getByRole('button', { name: 'Pagar la renovación' });
  await expect(pay).toHaveAccessibleDescription(/sin perder días/);
  const bar = page.getByRole('meter', { name: 'facturas' });
  const drawn = await bar.evaluate((element) => {
    const used = element.firstElementChild!;
    const part = used.getBoundingClientRect().width / element.getBoundingClientRect().width;
    return [Math.round(100 * part), getComputedStyle(used).backgroundColor];
  });
  // The colour of the vendor.
  expect(drawn).toEqual([40, 'rgb(11, 87, 208)']);
  await pay.click();
  await expect(heading(page, 'Su pago')).toBeVisible();
});
