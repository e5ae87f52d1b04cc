import { barriers, LOOKS, wear } from './support/axe.ts';
import { clientDetails } from './support/details.ts';
import { expect, test, unique } from './support/staff.ts';

/**
 * Accessibility of clients and software: axe reports nothing, everything works with the keyboard alone, and nothing is
 * cut off at 320 px.
 */

for (const appearance of LOOKS) {
  test(`axe finds nothing on clients and software, ${appearance.theme}, ${appearance.width} px`, async ({
    page,
    api,
    guard,
  }) => {
    test.slow();
    guard.allowConsoleError(/500|Error al crear el cliente/);
    const mark = unique();
    const client = await api.createClient({ name: `Ana ${mark}`, notes: 'Algo', tax_id: 'X' });
    const software = await api.createSoftware({ name: `Caja ${mark}` });
    const license = await api.createLicense({
      client: client.id,
      software: software.id,
      original_price: 150,
    });
    await api.activate(license.license_key, { machine_id: 'caja-1', notes: 'Algo' });
    await wear(page, appearance);
    const found: string[] = [];
    const look = async (name: string) => {
      found.push(...(await barriers(page)).map((barrier) => `${name}: ${barrier}`));
    };
    for (const [path, text] of [
      ['/clients', 'Mostrando'],
      [`/clients?q=${mark}${mark}`, 'No hay clientes'],
      [`/clients/${client.id}`, 'Información Adicional'],
      [`/clients/${client.id}?tab=licencias`, license.license_key],
      [`/clients/${client.id}?tab=instalaciones`, 'caja-1'],
      [`/clients?editar=${client.id}`, 'Información Personal'],
      // The search hides the cards of other tests of this worker.
      [`/software?q=${mark}`, `Caja ${mark}`],
      [`/software?q=${mark}${mark}`, 'No hay software'],
      [`/software/${software.id}?q=${mark}`, 'Última actualización'],
      [`/software?q=${mark}&nuevo=1`, 'Información del Software'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(text).first()).toBeVisible();
      await look(path.replaceAll(mark, '…').replaceAll(/\d+/g, 'N'));
    }
    await page.goto('/clients?nuevo=1');
    await page.getByRole('button', { name: 'Crear Cliente' }).click();
    await expect(page.getByText('El nombre es obligatorio')).toBeVisible();
    await look('errors of the form');
    await page.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Ana');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await look('question about changes');
    await page.route('**/licenses/api/clients/?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('button', { name: 'Descartar cambios' }).click();
    await page.goto('/clients?page_size=50');
    await look('loading');
    await expect(page.getByText('Error al cargar los clientes')).toBeVisible();
    await look('load error');
    expect(found).toEqual([]);
  });
}

test('a client is created, found, viewed, edited and deleted by keyboard alone', async ({ page }) => {
  const mark = unique();
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = page.locator(':focus');
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 40; steps++) {
      if ((await focused.count()) > 0 && (await focused.first().evaluate(nameOf)) === name) return;
      await press('Tab');
    }
    throw new Error(`Tab never reached ${name}`);
  };
  await page.goto('/clients');
  await expect(page.getByRole('button', { name: 'Ver detalles' }).first()).toBeVisible();
  await tabTo('Nuevo Cliente');
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Nombre', exact: true })).toBeFocused();
  await page.keyboard.type(`Ana ${mark}`);
  await press('Tab');
  await page.keyboard.type(`${mark}@example.com`);
  await page.getByRole('textbox', { name: 'Teléfono Principal' }).focus();
  await page.keyboard.type('+525512345678');
  await press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Nuevo Cliente' })).toBeFocused();

  await tabTo('Buscar clientes');
  await page.keyboard.type(mark);
  await expect(page.getByText('1 cliente', { exact: true })).toBeVisible();
  await tabTo('Ver detalles');
  await press('Enter');
  await expect(clientDetails(page)).toContainText(mark);
  await tabTo('Resumen');
  await press('ArrowRight');
  await press('Enter');
  await expect(page.getByText('Este cliente no tiene licencias asignadas.')).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('button', { name: 'Ver detalles' })).toBeFocused();
  await tabTo('Editar');
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Nombre', exact: true })).toBeFocused();
  await page.keyboard.type(' María');
  await press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row', { name: / María/ })).toBeVisible();
  page.once('dialog', (question) => void question.accept());
  await tabTo('Eliminar');
  await press('Enter');
  await expect(page.getByText('No hay clientes', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('at 320 px lists and dialogs do not scroll sideways', async ({ page, api }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const client = await api.createClient({
    name: 'Comercializadora Internacional de Productos Electrodomésticos del Bajío',
    email: `${unique()}.con.una.direccion.larguisima@subdominio.corporativo.example.com`,
    company: 'Supercalifragilisticoespialidosocompañíadeunasolapalabra',
  });
  const software = await api.createSoftware({ name: 'Programaconunnombredeunasolapalabralarguísima' });
  await api.createLicense({ client: client.id, software: software.id });
  for (const path of [
    '/clients',
    `/clients/${client.id}`,
    `/clients/${client.id}?tab=licencias`,
    '/clients?nuevo=1',
    '/software',
    `/software/${software.id}`,
  ]) {
    await page.goto(path);
    await expect(
      page.getByText(/Mostrando|Programaconun|\+525512345678|Información Personal/).first(),
    ).toBeAttached();
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('[role=dialog], [role=dialog] *, main *')]
        .filter(
          (element) => !element.closest('[role=tablist], .sr-only, .data-table-scroller > table > thead'),
        )
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((element) => `${element.tagName}.${element.className}`),
    );
    expect(wide, path).toEqual([]);
  }
});

/** A simplified accessible name, sufficient for this console. It runs in the page. */
function nameOf(element: Element): string {
  return element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
}
