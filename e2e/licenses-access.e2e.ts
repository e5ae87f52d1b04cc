import type { Page } from '@playwright/test';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { licenseChoices } from './support/license-form.ts';
import { expect, test, unique } from './support/staff.ts';

/**
 * Accessibility of licences and licence types: axe reports nothing, everything works with the keyboard alone, and
 * nothing is cut off at 320 px.
 */

for (const appearance of LOOKS) {
  test.describe(`axe finds nothing on these screens, ${appearance.theme}, ${appearance.width} px`, () => {
    const found: string[] = [];
    const look = async (page: Page, name: string) => {
      found.push(...(await barriers(page)).map((barrier) => `${name}: ${barrier}`));
    };
    const visit = async (page: Page, places: readonly (readonly [path: string, text: string])[]) => {
      for (const [path, text] of places) {
        await page.goto(path);
        await expect(page.getByText(text).first()).toBeVisible();
        await look(page, path);
      }
    };

    test.beforeEach(async ({ page }) => {
      test.setTimeout(120_000);
      found.length = 0;
      await wear(page, appearance);
    });

    test('on the licences page: list, details, edit form, loading and error', async ({
      page,
      api,
      guard,
    }) => {
      guard.allowConsoleError(/500/);
      const { mark, client, software, type } = await licenseChoices(api);
      const license = await api.createLicense({
        client: client.id,
        software: software.id,
        license_type_config: type.id,
        original_price: 150,
        notes: 'Algo',
      });
      await visit(page, [
        ['/licenses', 'Mostrando'],
        [`/licenses?q=${mark}${mark}`, 'No hay licencias'],
        [`/licenses/${license.id}`, 'Correo al cliente'],
        [`/licenses?editar=${license.id}`, 'Precios y Promociones'],
      ]);
      await page.route('**/licenses/api/licenses/?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.goto('/licenses?page_size=50');
      await look(page, 'loading');
      await expect(page.getByText('Error al cargar las licencias')).toBeVisible();
      await look(page, 'load error');
      expect(found).toEqual([]);
    });

    test('in the form of a new licence: errors, open picker, and the success dialog', async ({
      page,
      api,
    }) => {
      const { mark, software, type } = await licenseChoices(api);
      await page.goto('/licenses?nuevo=1');
      await page.getByRole('button', { name: 'Crear Licencia' }).click();
      await expect(page.getByText('Debe seleccionar un cliente')).toBeVisible();
      await look(page, 'errors of the form');
      const dialog = page.getByRole('dialog', { name: 'Nueva Licencia' });
      await dialog.getByRole('combobox', { name: 'Cliente' }).fill(mark);
      await expect(page.getByRole('option')).toHaveCount(1);
      await look(page, 'open picker');
      await page.getByRole('option').click();
      await dialog.getByLabel('Software', { exact: true }).selectOption(String(software.id));
      await dialog.getByLabel('Tipo de Licencia', { exact: true }).selectOption(String(type.id));
      await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
      await expect(page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' })).toBeVisible();
      await look(page, 'created, with its toast');
      expect(found).toEqual([]);
    });

    test('in the catalogue of types, its details, form and confirmation', async ({ page, api }) => {
      const { mark, type } = await licenseChoices(api);
      await visit(page, [
        ['/license-types', 'Estado: Cargado'],
        [`/license-types?q=${mark}${mark}`, 'No hay tipos de licencia'],
        [`/license-types?ver=${type.id}`, 'Última actualización'],
        [`/license-types?editar=${type.id}`, 'Configuración de Promoción'],
      ]);
      await page.goto(`/license-types?q=${mark}`);
      // On a phone the actions of a row are in its menu, as those of clients and licences are (DESK-09).
      const more = page.getByRole('button', { name: 'Más acciones' });
      const remove = page.getByRole('button', { name: 'Eliminar' });
      await expect(remove.or(more).first()).toBeVisible();
      if (await remove.isVisible()) await remove.click();
      else {
        await more.click();
        await page.getByRole('menuitem', { name: 'Eliminar' }).click();
      }
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await look(page, 'confirmation');
      expect(found).toEqual([]);
    });
  });
}

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const nameOf = () => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    return element?.getAttribute('aria-label') ?? label ?? element?.textContent?.trim() ?? '';
  };
  for (let steps = 0; steps < 60; steps++) {
    if ((await page.evaluate(nameOf)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}

test('a licence is created, found, viewed, edited and deleted by keyboard alone', { tag: '@gate' }, async ({
  page,
  api,
}) => {
  test.slow();
  const { mark, software, type } = await licenseChoices(api);
  const key = (name: string) => page.keyboard.press(name);
  await page.goto('/licenses');
  await expect(page.getByRole('button', { name: 'Ver detalles' }).first()).toBeVisible();
  await tabTo(page, 'Nueva Licencia');
  await key('Enter');
  await expect(page.getByRole('combobox', { name: 'Cliente' })).toBeFocused();
  await page.keyboard.type(mark);
  await expect(page.getByRole('option')).toHaveCount(1);
  await key('Enter');
  await key('Tab');
  const dialog = page.getByRole('dialog', { name: 'Nueva Licencia' });
  // A native select jumps to the option that starts with the typed letters.
  const choose = async (label: string, words: string, value: number) => {
    const select = dialog.getByLabel(label, { exact: true });
    for (let steps = 0; steps < 4 && !(await select.evaluate((e) => e === document.activeElement)); steps++) {
      await key('Tab');
    }
    // After a second without a key the browser begins a new word.
    await expect(async () => {
      await page.keyboard.type(words);
      await expect(select).toHaveValue(String(value), { timeout: 2000 });
    }).toPass();
  };
  await choose('Software', `Agenda ${mark}`, software.id);
  await choose('Tipo de Licencia', `Trimestral ${mark}`, type.id);
  await expect(dialog.getByLabel('Precio', { exact: true })).toHaveValue('250');
  await tabTo(page, 'Crear Licencia');
  await key('Enter');
  const success = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
  await expect(success).toBeVisible();
  await expect(success).toBeFocused();
  await key('Escape');
  await expect(page.getByRole('button', { name: 'Nueva Licencia' })).toBeFocused();

  await tabTo(page, 'Buscar licencias');
  await page.keyboard.type(mark);
  await expect(page.getByText('Mostrando 1 a 1 de 1 licencia')).toBeVisible();
  await tabTo(page, 'Ver detalles');
  await key('Enter');
  await expect(licenseDetails(page)).toContainText(mark);
  await key('Escape');
  await expect(page.getByRole('button', { name: 'Ver detalles' })).toBeFocused();
  await tabTo(page, 'Editar');
  await key('Enter');
  await expect(page.getByRole('dialog', { name: 'Editar Licencia' })).toBeVisible();
  await tabTo(page, 'Máximo de Instalaciones');
  await key('ArrowUp');
  await key('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('cell', { name: '0/8 8 restantes' })).toBeVisible();
  page.once('dialog', (question) => void question.accept());
  await tabTo(page, 'Eliminar');
  await key('Enter');
  await expect(page.getByText('No hay licencias', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('at 320 px lists and dialogs do not scroll sideways', async ({ page, api }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const mark = unique();
  const client = await api.createClient({
    name: `Comercializadora Internacional de Productos Electrodomésticos ${mark}`,
    email: `${mark}.con.una.direccion.larguisima@subdominio.corporativo.example.com`,
  });
  const software = await api.createSoftware({ name: `Programaconunnombredeunasolapalabra${mark}` });
  const type = await api.createLicenseType({
    name: `Supercalifragilisticoespialidosotipo${mark}`,
    is_promotion: true,
    promotion_name: 'Promociónconunnombredeunasolapalabralarguísimaysinpausas',
  });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
  });
  for (const path of [
    `/licenses?q=${mark}`,
    `/licenses/${license.id}`,
    `/licenses?editar=${license.id}`,
    `/license-types?q=${mark}`,
    `/license-types?ver=${type.id}`,
    '/license-types?nuevo=1',
  ]) {
    await page.goto(path);
    await expect(
      page.getByText(/1 de 1 licencia|Correo al cliente|Precios y|Total: 1|Creado|Es promoción/).first(),
    ).toBeAttached();
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('[role=dialog], [role=dialog] *, main *')]
        .filter((element) => !element.closest('.sr-only, option, .data-table-scroller > table > thead'))
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((element) => `${element.tagName}.${element.className}`),
    );
    expect(wide, path).toEqual([]);
  }
});
