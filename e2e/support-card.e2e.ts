import type { Page } from '@playwright/test';
import { asked } from './support/asked.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';
import { countSteps } from './support/steps.ts';

/** Support by a key or a number: what is pasted into the palette answers with one card (DESK-10). */

const box = (page: Page) => page.getByRole('banner').getByPlaceholder('Buscar...', { exact: true });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const verbsOf = (page: Page, name: string) =>
  page.getByRole('group', { name: `Acciones de ${name}` }).getByRole('option');

async function arrange(api: StaffApi) {
  const mark = unique();
  // Ten digits of this test alone, so that the number names one client.
  const digits = String(Number.parseInt(mark.slice(0, 7), 16) % 10_000_000).padStart(7, '2');
  const client = await api.createClient({
    name: `Ana ${mark}`,
    company: `Ferretería ${mark}`,
    email: `ana.${mark}@plumas.mx`,
    phone: `+52222${digits}`,
  });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    max_installations: 1,
    expiry_days: 5,
  });
  await api.activate(license.license_key, { machine_id: `PC-${mark}`, machine_name: 'Mostrador' });
  await api.heartbeat(license.license_key, `PC-${mark}`);
  return { mark, digits, client, license };
}

async function paste(page: Page, text: string) {
  await box(page).fill('');
  await page.keyboard.insertText(text);
}

test('why a licence does not work is said two steps after its key was copied, and the third leads to what makes it work', async ({
  page,
  api,
}) => {
  const { license } = await arrange(api);
  await api.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {});
  const steps = await countSteps(page.context());
  await page.goto('/account');
  const card = option(page, new RegExp(`^${license.license_key}`));
  await box(page).click();
  await page.keyboard.insertText(license.license_key);
  await expect(card).toContainText('No funciona: está suspendida');
  expect(steps()).toBe(2);
  await verbsOf(page, license.license_key).first().click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.id}\\?accion=reactivar$`));
  await expect(asked(page, 'Reactivar la licencia')).toBeVisible();
  expect(steps()).toBe(1);
});

test('a key, a machine id, a mail address and a phone number answer with one card and three buttons', async ({
  page,
  api,
}) => {
  const { mark, digits, client, license } = await arrange(api);
  await page.goto('/account');
  await box(page).click();

  await paste(page, `Mi clave es ${license.license_key.toLowerCase()}.`);
  const ofLicense = option(page, new RegExp(`^${license.license_key}`));
  for (const text of [client.name, 'Funciona en su equipo', 'No hay lugar para otro equipo', '1/1']) {
    await expect(ofLicense).toContainText(text);
  }
  await expect(ofLicense).toContainText(/Última señal\s*Hace/);
  await expect(ofLicense).toContainText('Vence en 5 días');
  await expect(verbsOf(page, license.license_key)).toHaveText(['Renovar', 'Ver actividad', 'WhatsApp']);
  await expect(page.getByRole('option', { name: `Renovar ${license.license_key}` })).toHaveCount(1);

  await paste(page, `pc-${mark}`);
  const ofMachine = option(page, /^Mostrador/);
  await expect(ofMachine).toContainText('Funciona en su equipo');
  await expect(ofMachine).toContainText(license.license_key);
  await expect(verbsOf(page, 'Mostrador')).toHaveText(['Liberar', 'Ver actividad', 'WhatsApp']);

  const ofClient = option(page, new RegExp(`^${client.name}`)).first();
  for (const pasted of [`Rosita <mailto:${client.email}>`, `222 ${digits.slice(0, 3)} ${digits.slice(3)}`]) {
    await paste(page, pasted);
    await expect(ofClient).toContainText('Su licencia funciona');
    await expect(ofClient).toContainText('1 licencia · 1 equipo');
    await expect(ofClient).toContainText('Vence en 5 días');
    await expect(verbsOf(page, client.name)).toHaveText([
      `Nueva licencia para ${client.name}`,
      'Ver actividad',
      'WhatsApp',
    ]);
  }
  // A name is answered with lines, not with a card.
  await paste(page, client.name);
  await expect(ofClient).toBeVisible();
  await expect(ofClient).not.toContainText('funciona');
});

test('the card of a machine opens a chat with its client, and that of a client says which licence does not work', async ({
  page,
  api,
}) => {
  const { mark, client, license } = await arrange(api);
  await page.goto('/account');
  await box(page).click();
  await paste(page, `PC-${mark}`);
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'chat' }));
  const chat = page.waitForEvent('popup');
  await verbsOf(page, 'Mostrador').last().click();
  expect((await chat).url()).toContain(client.phone.slice(1));

  await api.createLicense({ client: client.id, software: license.software.id, expiry_date: '2020-01-31' });
  await paste(page, client.email);
  const card = option(page, new RegExp(`^${client.name}`)).first();
  await expect(card).toContainText('1 de sus 2 licencias no funciona');
  await expect(card).toContainText(`Caja ${mark}: está vencida`);
});

for (const look of LOOKS) {
  test(`axe finds nothing in a card, and nothing is cut, ${look.theme}, ${look.width} px`, async ({
    page,
    api,
  }) => {
    const { license } = await arrange(api);
    await page.goto('/account');
    await wear(page, look);
    // Once it is drawn, the page listens to keys.
    await expect(box(page)).toBeVisible();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Buscador' });
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.insertText(license.license_key);
    await expect(option(page, new RegExp(`^${license.license_key}`))).toContainText('Funciona en su equipo');
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    expect(await palette.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
}
