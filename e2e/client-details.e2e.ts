import type { Page } from '@playwright/test';
import type { ClientDetails } from '../contract/clients/clients.ts';
import { asked } from './support/asked.ts';
import { barriers } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { callsTo, expect, test, unique } from './support/staff.ts';
import { forgetPasswords } from './support/step-up.ts';

const LIST = '/licenses/api/clients/';
const HOUR = 60 * 60_000;

const details = clientDetails;
const tab = (page: Page, name: string) => details(page).getByRole('tab', { name: new RegExp(`^${name}`) });
/** The value beside a label in a description list. */
const fact = (page: Page, label: string) =>
  details(page)
    .locator('dt', { hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd');

/** Changes some fields in the answer with a client's details. */
async function answerWith(page: Page, id: number, change: (client: ClientDetails) => void): Promise<void> {
  await page.route(`**${LIST}${id}/`, async (route) => {
    const answer = await route.fetch();
    const client: ClientDetails = await answer.json();
    change(client);
    await route.fulfill({ response: answer, json: client });
  });
}

test('the details dialog opens from the row and by its address (SEED-2.7-01, SEED-2.7-02, SEED-2.3-06)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const calls = callsTo(page, 'GET', `${LIST}${client.id}/`);
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${LIST}${client.id}/`, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/clients?q=${mark}`);
  await page.getByRole('button', { name: 'Ver detalles' }).click();
  await expect(details(page).getByText('Cargando información del cliente...')).toBeVisible();
  release();
  await expect(details(page)).toContainText(client.email);
  expect(calls).toHaveLength(1);
  await expect(page).toHaveURL(new RegExp(`/clients\\?q=${mark}&ver=${client.id}$`));

  await tab(page, 'Licencias').click();
  await expect(tab(page, 'Licencias')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/tab=licencias/);
  await page.reload();
  await expect(tab(page, 'Licencias')).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(details(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/clients\\?q=${mark}$`));

  await page.goto(`/clients?ver=${client.id}`);
  await expect(details(page)).toContainText(client.email);
  await details(page).getByRole('button', { name: 'Cerrar' }).click();
  await expect(details(page)).toBeHidden();
  await expect(page).toHaveURL(/\/clients$/);
});

test("an unknown client id shows 'not found', in the dialog and on the page (DESK-05)", async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  await page.goto('/clients?ver=999999999');
  await expect(page.getByRole('dialog').getByText('Cliente no encontrado')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/clients$/);
  await page.goto('/clients/999999999');
  await expect(details(page).getByText('Cliente no encontrado')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Clientes' }).click();
  await expect(page).toHaveURL(/\/clients$/);
});

test('the tab Resumen shows every field of a client (SEED-2.7-03, SEED-2.7-06, SEED-2.7-07, SEED-2.7-08, SEED-2.7-09, SEED-2.7-10, SEED-2.7-11)', async ({
  page,
  api,
}) => {
  const client = await api.createClient({
    name: 'Óscar Núñez',
    company: 'Panadería La Espiga',
    client_type: 'large_business',
    status: 'suspended',
    phone: '+522221234567',
    phone_secondary: '+522227654321',
    address: 'Av. Juárez 10',
    city: 'Cholula',
    state: 'Puebla',
    postal_code: '72760',
    website: 'https://espiga.example.com',
    contact_person: 'Lucía Ramos',
    contact_position: 'Compras',
    tax_id: 'LES010203AB4',
    notes: 'Primera línea\nSegunda línea',
    last_contact: '2026-01-31',
  });
  await page.goto(`/clients?ver=${client.id}`);
  await expect(details(page).getByRole('tab')).toHaveText(['Resumen', /^Licencias/, /^Instalaciones/]);
  await expect(details(page).getByRole('heading', { name: 'Detalles del Cliente', level: 2 })).toBeVisible();
  await expect(details(page).getByRole('heading', { name: 'Óscar Núñez', level: 3 })).toBeVisible();
  for (const text of ['Óscar Núñez', client.email, 'Suspendido']) {
    await expect(details(page).getByText(text, { exact: true })).toBeVisible();
  }
  await expect(fact(page, 'Empresa')).toHaveText('Panadería La Espiga');
  await expect(fact(page, 'Tipo de Cliente')).toHaveText('Gran Empresa');
  await expect(fact(page, 'Teléfono Principal')).toHaveText('+522221234567');
  await expect(fact(page, 'Teléfono Secundario')).toHaveText('+522227654321');
  await expect(fact(page, 'Dirección')).toHaveText('Av. Juárez 10Cholula, Puebla72760, México');
  await expect(details(page).getByRole('link', { name: 'https://espiga.example.com' })).toHaveAttribute(
    'rel',
    'noreferrer',
  );
  const summary = details(page).getByRole('tabpanel');
  await expect(summary.locator('dl').first()).toHaveText(
    /Licencias0Instalaciones0Cliente desde\d{2}\/\d{2}\/\d{4}/,
  );
  await expect(details(page).getByRole('heading', { name: 'Información Adicional' })).toBeVisible();
  await expect(fact(page, 'Persona de Contacto')).toHaveText('Lucía Ramos');
  await expect(fact(page, 'Cargo')).toHaveText('Compras');
  await expect(fact(page, 'RFC/CUIT')).toHaveText('LES010203AB4');
  await expect(fact(page, 'Notas')).toHaveText('Primera línea\nSegunda línea', { useInnerText: true });
  // A date without a time is the same day in time zones west of Greenwich (D106).
  await expect(fact(page, 'Último Contacto')).toHaveText('31/01/2026');

  await details(page).getByRole('button', { name: 'Editar' }).click();
  await expect(page.getByRole('dialog', { name: 'Editar Cliente' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('tab Resumen shows no label for a missing value, and no empty block (SEED-2.7-08, SEED-2.7-09, SEED-2.7-12)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  let change: (client: ClientDetails) => void = (answer) => {
    answer.contact_person = '';
  };
  await answerWith(page, client.id, (answer) => change(answer));
  await page.goto(`/clients/${client.id}`);
  await expect(details(page).getByText(client.email)).toBeVisible();
  for (const label of ['Sitio Web', 'Teléfono Secundario', 'Cargo', 'RFC/CUIT', 'Último Contacto']) {
    await expect(details(page).getByText(label, { exact: true })).toHaveCount(0);
  }
  const block = details(page).getByRole('heading', { name: 'Información Adicional' });
  await expect(block).toHaveCount(0);
  for (const field of ['contact_person', 'notes', 'tax_id'] as const) {
    change = (answer) => {
      answer.contact_person = '';
      answer[field] = 'Algo';
    };
    await page.reload();
    await expect(block).toBeVisible();
    await expect(details(page).getByText('Algo', { exact: true })).toBeVisible();
  }
});

test('tab Licencias lists the licences of the client (SEED-2.7-04, SEED-2.7-13, SEED-2.7-14, SEED-2.7-15, SEED-2.7-16, SEED-2.7-17, SEED-2.7-18, SEED-2.7-19, SEED-2.7-20, SEED-4-11, SEED-4-14)', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const client = await api.createClient();
  const software = await api.createSoftware({
    name: 'Caja Fácil',
    version: unique(),
    description: 'Punto de venta',
  });
  await api.createLicense({
    client: client.id,
    software: software.id,
    license_type: 'enterprise',
    price: 100,
    original_price: 100,
    expiry_date: '2026-01-31',
  });
  const offer = await api.createLicense({
    client: client.id,
    software: software.id,
    price: 1200,
    original_price: 1500,
    discount_percentage: 20,
    promotion_name: 'Buen Fin',
    promotion_description: 'Hasta agotar existencias',
    max_installations: 5,
  });
  await api.activate(offer.license_key, { machine_id: 'caja-1' });
  await page.goto(`/clients/${client.id}`);
  await expect(tab(page, 'Licencias')).toHaveText('Licencias2');
  await tab(page, 'Licencias').click();
  const panel = details(page).getByRole('tabpanel', { name: /^Licencias/ });
  const cards = panel.getByRole('article');
  await expect(cards).toHaveCount(2);

  const promoted = cards.filter({ hasText: offer.license_key });
  await expect(promoted.getByRole('heading')).toHaveText(`Caja Fácil ${software.version}`);
  for (const text of [
    'Activa',
    'Premium',
    'Punto de venta',
    '$1,200.00',
    '20% de descuento',
    'Buen Fin',
    '1/5',
    'Válida',
  ]) {
    await expect(promoted.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(promoted.getByText('Hasta agotar existencias')).toBeVisible();
  await expect(promoted.getByText('$1,500.00')).toHaveCSS('text-decoration-line', 'line-through');
  await promoted.getByRole('button', { name: 'Copiar' }).click();
  await expect(promoted.getByRole('button', { name: 'Copiada' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(offer.license_key);

  const old = cards.filter({ hasNotText: offer.license_key });
  await expect(old.getByText('Expirada', { exact: true })).toBeVisible();
  await expect(old.getByText('31/01/2026')).toBeVisible();
  await expect(old.getByText('Empresarial', { exact: true })).toBeVisible();
  await expect(old.getByText('$100.00')).toHaveCount(1);
  await expect(old.getByText(/descuento/)).toHaveCount(0);
});

test('every status has its Spanish badge, and a licence without expiry shows that it has none (SEED-3-17)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const statuses = {
    expired: 'Expirada',
    suspended: 'Suspendida',
    cancelled: 'Cancelada',
    inactive: 'Inactiva',
    trial: 'Trial',
  } as const;
  for (const status of ['expired', 'suspended', 'cancelled', 'inactive', 'trial'] as const) {
    await api.createLicense({
      client: client.id,
      software: software.id,
      status,
      expiry_days: null,
      expiry_date: null,
    });
  }
  await page.goto(`/clients/${client.id}?tab=licencias`);
  for (const label of Object.values(statuses)) {
    await expect(details(page).getByRole('article').getByText(label, { exact: true })).toBeVisible();
  }
  await expect(details(page).getByText('Sin expiración', { exact: true })).toHaveCount(5);
});

test('a client without licences and installations gets an empty message in both tabs (SEED-2.7-21, SEED-2.7-26)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  await page.goto(`/clients/${client.id}?tab=licencias`);
  await expect(details(page).getByText('No hay licencias', { exact: true })).toBeVisible();
  await expect(details(page).getByText('Este cliente no tiene licencias asignadas.')).toBeVisible();
  await tab(page, 'Instalaciones').click();
  await expect(details(page).getByText('No hay instalaciones', { exact: true })).toBeVisible();
  await expect(details(page).getByText('Este cliente no tiene instalaciones registradas.')).toBeVisible();
});

test('tab Instalaciones lists the installations of the client (SEED-2.7-05, SEED-2.7-22, SEED-2.7-23, SEED-2.7-24, SEED-2.7-25, SEED-4-12, SEED-9-10)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  const software = await api.createSoftware({ name: 'Caja Fácil', version: unique() });
  const license = await api.createLicense({ client: client.id, software: software.id });
  await api.activate(license.license_key, {
    machine_id: 'caja-01',
    machine_name: 'Caja principal',
    mac_address: '02:00:5E:10:00:01',
    ip_address: '192.0.2.10',
    notes: 'Junto a la entrada',
  });
  await api.activate(license.license_key, { machine_id: 'caja-02', machine_name: 'Bodega' });
  await api.activate(license.license_key, { machine_id: 'caja-03', machine_name: 'Mostrador' });
  await api.activate(license.license_key, { machine_id: 'caja-04', machine_name: 'Oficina' });
  await api.heartbeat(license.license_key, 'caja-01');
  const hoursSilent: Record<string, number> = { 'caja-02': 23, 'caja-03': 25 };
  await answerWith(page, client.id, (answer) => {
    for (const installation of answer.installations) {
      const hours = hoursSilent[installation.machine_id];
      if (hours) installation.last_heartbeat = new Date(Date.now() - hours * HOUR).toISOString();
    }
  });
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  await expect(tab(page, 'Instalaciones')).toHaveText('Instalaciones4');
  const card = (name: string) => details(page).getByRole('article').filter({ hasText: name });

  const first = card('Caja principal');
  for (const text of [
    'Activa',
    `Caja Fácil ${software.version}`,
    'Premium',
    license.license_key,
    '02:00:5E:10:00:01',
    'caja-01',
    '192.0.2.10',
    'Junto a la entrada',
    'Hace un momento',
  ]) {
    await expect(first.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(
    first.locator('dt', { hasText: 'Fecha de Activación' }).locator('xpath=following-sibling::dd'),
  ).toHaveText(/^\d{2}\/\d{2}\/\d{4}, \d{2}:\d{2}$/);
  await expect(card('Bodega').getByText('Activa', { exact: true })).toBeVisible();
  await expect(card('Bodega').getByText('Hace 23 horas')).toBeVisible();
  await expect(card('Mostrador').getByText('Inactiva', { exact: true })).toBeVisible();
  await expect(card('Mostrador').getByText('Hace 1 día')).toBeVisible();
  await expect(card('Oficina').getByText('Inactiva', { exact: true })).toBeVisible();
  await expect(card('Oficina').getByText('Nunca', { exact: true })).toBeVisible();
});

test('installations that the server sends only inside the licences are shown (D114)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id });
  await api.activate(license.license_key, { machine_id: 'caja-01', machine_name: 'Caja principal' });
  await answerWith(page, client.id, (answer) => {
    Reflect.deleteProperty(answer, 'installations');
  });
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  await expect(details(page).getByRole('heading', { name: 'Caja principal' })).toBeVisible();
});

test('an administrator downloads all data of a client, and erases them after giving a reason', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}`, notes: 'Prefiere la mañana' });
  await page.goto(`/clients/${client.id}`);
  const downloaded = page.waitForEvent('download');
  await details(page).getByRole('button', { name: 'Descargar datos' }).click();
  expect((await downloaded).suggestedFilename()).toBe(`cliente_${client.id}.json`);

  await details(page).getByRole('button', { name: 'Borrar datos personales' }).click();
  const question = asked(page, '¿Borrar los datos personales?');
  await expect(question).toContainText(`Ana ${mark}`);
  await expect(question).toContainText('Quedan sus licencias con precios y fechas');
  await question.getByRole('button', { name: 'Borrar datos personales' }).click();
  await expect(question.getByText('El motivo es obligatorio')).toBeVisible();
  await question.getByLabel('Motivo').fill('Lo pidió por escrito');
  await question.getByRole('button', { name: 'Borrar datos personales' }).click();
  await expect(page.getByText('Los datos personales se borraron')).toBeVisible();
  await expect(details(page)).toContainText(`Cliente borrado ${client.id}`);
  await expect(details(page)).not.toContainText(client.email);
  await expect(details(page)).toContainText('borró los datos personales del cliente');
});

test('erasing asks for the password in a second dialog, and a refusal leaves the typed reason and the client unchanged (PEOPLE-05)', async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/40[03]/);
  const client = await api.createClient({ name: `Ana ${unique()}` });
  await page.goto(`/clients/${client.id}`);
  await details(page).getByRole('button', { name: 'Borrar datos personales' }).click();
  const question = asked(page, '¿Borrar los datos personales?');
  await question.getByLabel('Motivo').fill('Lo pidió por escrito');
  forgetPasswords(server);
  await question.getByRole('button', { name: 'Borrar datos personales' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirma tu identidad' });
  await expect(confirm.getByLabel('Contraseña')).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(question.getByLabel('Motivo')).toHaveValue('Lo pidió por escrito');
  expect((await api.call<ClientDetails>('GET', `${LIST}${client.id}/`)).email).toBe(client.email);

  await question.getByRole('button', { name: 'Borrar datos personales' }).click();
  await confirm.getByLabel('Contraseña').fill('otra');
  await page.keyboard.press('Enter');
  await expect(confirm.getByText('La contraseña no es correcta')).toBeVisible();
  await confirm.getByLabel('Contraseña').fill('admin123');
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  await expect(page.getByText('Los datos personales se borraron')).toBeVisible();
  await expect(details(page)).toContainText(`Cliente borrado ${client.id}`);
});

test('the tabs of a client with more than a hundred licences and machines page over all of them (D114)', async ({
  page,
  api,
}) => {
  const [client, software] = await Promise.all([api.createClient(), api.createSoftware()]);
  const oldest = await api.createLicense({
    client: client.id,
    software: software.id,
    max_installations: 200,
    expiry_days: 3,
  });
  for (let done = 0; done < 105; done += 15)
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        api.activate(oldest.license_key, { machine_id: `caja-${done + index}` }),
      ),
    );
  await api.call('POST', '/licenses/api/licenses/batch/', {
    quantity: 104,
    client: client.id,
    software: software.id,
    license_type: 'premium',
    price: 100,
  });

  await page.goto(`/clients/${client.id}`);
  await expect(tab(page, 'Licencias')).toHaveText(/105/);
  await expect(tab(page, 'Instalaciones')).toHaveText(/105/);
  // The summary finds the licence that ends first, although it is not among the newest hundred.
  await expect(details(page).getByText(oldest.license_key)).not.toHaveCount(0);
  await details(page).getByRole('button', { name: 'Ver las 105 licencias' }).click();
  const panel = details(page).getByRole('tabpanel');
  const rows = panel.getByRole('listitem');
  await expect(panel).toContainText('Mostrando 1 a 20 de 105 licencias');
  await expect(rows).toHaveCount(20);
  await expect(panel.getByText(oldest.license_key)).toHaveCount(0);
  await panel.getByRole('button', { name: '6', exact: true }).click();
  await expect(panel).toContainText('Mostrando 101 a 105 de 105 licencias');
  await expect(rows).toHaveCount(5);
  await expect(panel.getByText(oldest.license_key)).toBeVisible();

  await tab(page, 'Instalaciones').click();
  await expect(panel).toContainText('Mostrando 1 a 20 de 105 equipos');
  await panel.getByRole('button', { name: '6', exact: true }).click();
  await expect(rows).toHaveCount(5);
  const last = rows.last();
  const name = await last.getByRole('heading').innerText();
  await last.getByRole('button', { name: 'Liberar' }).click();
  await expect(rows).toHaveCount(4);
  await expect(panel).toContainText('Mostrando 101 a 104 de 104 equipos');
  await expect(panel.getByText(name, { exact: true })).toHaveCount(0);
  await expect(tab(page, 'Instalaciones')).toHaveText(/104/);

  await page.goto(`/licenses/${oldest.id}`);
  const license = licenseDetails(page);
  await expect(license).toContainText('Mostrando 1 a 20 de 104 equipos');
  await license.getByRole('button', { name: 'Siguiente' }).click();
  await expect(license).toContainText('Mostrando 21 a 40 de 104 equipos');
});
