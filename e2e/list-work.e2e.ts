import type { Page } from '@playwright/test';
import { barriers, LOOKS } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { hold } from './support/network.ts';
import { callsTo, expect, queryOf, type StaffApi, test, unique } from './support/staff.ts';

/** Work of staff with a list: sorting, filtering, saving a view, and changing many records at once. */

const rows = (page: Page) => page.locator('[data-row-key]');
const bar = (page: Page) => page.getByRole('region', { name: 'Acciones en lote' });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Seleccionar ${name}` });

/** Clients that a search for the returned mark finds: 'Ana', 'Beto', 'Carla', … */
async function clients(api: StaffApi, names: readonly string[]) {
  const mark = unique();
  const made = [];
  for (const name of names) made.push(await api.createClient({ name: `${name} ${mark}` }));
  return { mark, made };
}

async function licenses(api: StaffApi, count: number) {
  const { mark, made } = await clients(api, ['Ana']);
  const software = await api.createSoftware();
  const issued = [];
  for (let position = 0; position < count; position++) {
    issued.push(await api.createLicense({ client: made[0]!.id, software: software.id }));
  }
  return { mark, client: made[0]!, issued };
}

test('clicking a column heading sorts the rows, the order is in the URL, and Back undoes it (LIST-01)', async ({
  page,
  api,
}) => {
  const { mark } = await clients(api, ['Beto', 'Carla', 'Ana']);
  const calls = callsTo(page, 'GET', '/licenses/api/clients/');
  await page.goto(`/clients?q=${mark}`);
  const heading = page.getByRole('columnheader', { name: 'Cliente', exact: true });
  await expect(heading).toHaveAttribute('aria-sort', 'none');
  await expect(rows(page).first()).toContainText('Ana');

  await heading.getByRole('button').click();
  await expect(page).toHaveURL(/ordering=name(&|$)/);
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows(page)).toContainText(['Ana', 'Beto', 'Carla']);
  expect(queryOf(calls.at(-1))).toMatchObject({ ordering: 'name', search: mark });

  await heading.getByRole('button').press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(rows(page)).toContainText(['Carla', 'Beto', 'Ana']);

  await page.goBack();
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows(page)).toContainText(['Ana', 'Beto', 'Carla']);
});

test("filters of 'Filtros' show as chips that can be removed, and the URL contains them (LIST-02)", {
  tag: '@gate',
}, async ({ page, api }) => {
  const { mark, issued } = await licenses(api, 2);
  await api.activate(issued[0]!.license_key, { machine_id: 'caja-1' });
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page)).toHaveCount(2);

  await page.getByRole('button', { name: 'Filtros', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Filtros' });
  await dialog.getByRole('checkbox', { name: 'Sin equipos' }).check();
  // Each filter is applied as soon as it is changed, behind the dialog.
  await expect(page).toHaveURL(/unused=true/);
  await dialog.getByLabel('Vence en').fill('0');
  await expect(dialog.getByText('Escribe un número de días entre 1 y 36,525')).toBeVisible();
  await expect(page).not.toHaveURL(/expiring_within/);
  await dialog.getByLabel('Vence en').fill('400');
  // When the dialog closes, a value that still waits for the pause in typing is applied.
  await dialog.getByRole('button', { name: 'Listo' }).click();

  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/unused=true&expiring_within=400/);
  await expect(rows(page)).toHaveCount(1);
  const chips = page.getByRole('list', { name: 'Filtros activos' }).getByRole('listitem');
  await expect(chips).toHaveText(['Vence en: 400 días', 'Sin equipos']);
  // All changes are one entry in the history.
  await page.goBack();
  await expect(chips).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
  await page.goForward();
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Quitar filtro Sin equipos' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(chips).toHaveText(['Vence en: 400 días']);
  await page.getByRole('button', { name: 'Limpiar filtros' }).click();
  await expect(chips).toHaveCount(0);
  await expect(page).toHaveURL(/\/licenses$/);
});

test('selected rows stay selected on other pages, a filter clears the selection, and failed records are listed (LIST-01)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { mark, made } = await clients(api, ['Zoe', 'Eva', 'Dora', 'Carla', 'Beto', 'Ana']);
  const software = await api.createSoftware();
  await api.createLicense({ client: made[0]!.id, software: software.id });
  await page.goto(`/clients?q=${mark}&ordering=name`);
  const all = page.getByRole('checkbox', { name: 'Seleccionar los de esta página' });

  await box(page, `Ana ${mark}`).check();
  await expect(bar(page).getByText('1 seleccionado', { exact: true })).toBeVisible();
  await expect(all).toBeChecked({ indeterminate: true });
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await box(page, `Zoe ${mark}`).check();
  await expect(bar(page).getByText('2 seleccionados')).toBeVisible();

  await bar(page).getByRole('button', { name: 'Más', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Eliminar 2 clientes' });
  await expect(dialog.getByRole('listitem')).toHaveText([`Ana ${mark}`, `Zoe ${mark}`]);
  await dialog.getByRole('button', { name: 'Eliminar' }).click();
  await expect(dialog.getByText('1 cliente eliminado', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText(
    `Zoe ${mark}No se puede eliminar el cliente porque tiene 1 licencia asociada.`,
  );
  await dialog.getByRole('button', { name: 'Cerrar' }).first().click();

  // Records that failed stay selected.
  await expect(bar(page).getByText('1 seleccionado', { exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(5);
  await page.getByLabel('Filtrar por estado').selectOption('active');
  await expect(bar(page)).toBeHidden();
});

test('an action on all matching records is one call with the filters, and becomes a job when there are many (LIST-01)', async ({
  page,
  api,
}) => {
  const count = 101;
  const { mark } = await clients(
    api,
    Array.from({ length: count }, (_, position) => `Masivo ${position}`),
  );
  const calls = callsTo(page, 'POST', '/licenses/api/clients/bulk_action/');
  await page.goto(`/clients?q=${mark}`);
  await page.getByRole('checkbox', { name: 'Seleccionar los de esta página' }).check();
  await bar(page)
    .getByRole('button', { name: `Seleccionar los ${count} que coinciden` })
    .click();
  await expect(bar(page).getByText(`${count} seleccionados`)).toBeVisible();

  await bar(page).getByRole('button', { name: 'Cambiar estado' }).click();
  const dialog = page.getByRole('dialog', { name: `Cambiar estado de ${count} clientes` });
  await expect(dialog.getByText(`búsqueda «${mark}»`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cambiar estado' }).click();
  await expect(dialog.getByLabel('Nuevo estado')).toHaveAccessibleDescription('Selecciona un estado');
  await dialog.getByLabel('Nuevo estado').selectOption('Suspendido');
  await dialog.getByRole('button', { name: 'Cambiar estado' }).click();

  await expect(page.getByText(`Estado cambiado en ${count} clientes`)).toBeVisible({ timeout: 20_000 });
  expect(calls[0]?.postDataJSON()).toEqual({
    action: 'set_status',
    status: 'suspended',
    filters: { search: mark },
    expected_count: count,
  });
  await expect(rows(page).getByText('Suspendido')).toHaveCount(5);
  await expect(bar(page)).toBeHidden();
});

test("by keyboard alone, 'Reenviar correo' is sent for two selected licences (LIST-01)", async ({
  page,
  api,
}) => {
  const { mark, issued } = await licenses(api, 2);
  const calls = callsTo(page, 'POST', '/licenses/api/licenses/bulk_action/');
  await page.goto(`/licenses?q=${mark}`);
  await expect(rows(page)).toHaveCount(2);
  const { keyboard } = page;

  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 60; steps++) {
      await keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
      });
      if (focused === name) return;
    }
    throw new Error(`Tab never reached '${name}'`);
  };
  await page.getByRole('searchbox', { name: 'Buscar licencias' }).focus();
  await tabTo('Seleccionar las de esta página');
  await keyboard.press('Space');
  await expect(bar(page).getByText('2 seleccionadas')).toBeVisible();
  await tabTo('Más');
  await keyboard.press('Enter');
  const resend = page.getByRole('menuitem', { name: 'Reenviar correo 2' });
  await resend.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Reenviar correo de 2 licencias' })).toBeVisible();
  await tabTo('Reenviar');
  await keyboard.press('Enter');

  await expect(page.getByText('Correo reenviado de 2 licencias')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Licencias', exact: true })).toBeFocused();
  const sent = calls[0]?.postDataJSON();
  expect(sent).toMatchObject({ action: 'resend_email' });
  expect(sent.ids.toSorted()).toEqual(issued.map(({ id }) => id).toSorted());
});

test('software cards are selected, exported and deactivated together (LIST-01)', async ({ page, api }) => {
  const mark = unique();
  for (const name of ['Caja', 'Ruta']) await api.createSoftware({ name: `${name} ${mark}`, version: '1.0' });
  await page.goto(`/software?q=${mark}`);
  await box(page, `Caja ${mark} (1.0)`).check();
  const download = page.waitForEvent('download');
  await bar(page).getByRole('button', { name: 'Exportar seleccionados' }).click();
  expect(new URL((await download).url()).protocol).toBe('blob:');
  await bar(page).getByRole('button', { name: 'Cambiar estado' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cambiar estado de 1 software' });
  await dialog.getByLabel('Nuevo estado').selectOption('Inactivo');
  await dialog.getByRole('button', { name: 'Cambiar estado' }).click();
  await expect(page.getByText('Estado cambiado en 1 software')).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Caja' })).toContainText('Inactivo');
});

test('a checkbox ticked while a search is pending or its rows arrive stays ticked (LIST-01)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createClient({ name: `Alma ${mark}a` });
  await api.createClient({ name: `Bruno ${mark}b` });
  const box = page.getByRole('checkbox', { name: `Seleccionar Alma ${mark}a` });
  const search = page.getByPlaceholder('Buscar clientes...');
  const table = page.locator('tbody [data-row-key]');
  // The row is selected before the search has started.
  await page.clock.install();
  await page.goto(`/clients?q=${mark}`);
  await expect(table).toHaveCount(2);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await search.fill(`${mark}a`);
  await box.check();
  await page.clock.runFor(350);
  await page.clock.resume();
  await expect(table).toHaveCount(1);
  await expect(box).toBeChecked();
  await expect(bar(page)).toContainText('1 seleccionado');

  // The mouse button is pressed while the old rows are shown, and released when the new ones are.
  await page.goto(`/clients?q=${mark}`);
  await expect(table).toHaveCount(2);
  const answer = await hold(page, new RegExp(`search=${mark}a`));
  await search.fill(`${mark}a`);
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  const place = (await box.boundingBox())!;
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
  await page.mouse.down();
  const arrived = page.waitForResponse(new RegExp(`search=${mark}a`));
  answer.release();
  await (await arrived).finished();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  await page.mouse.up();
  await expect(table).toHaveCount(1);
  await expect(box).toBeChecked();
});

test('a view is saved, opened and deleted, and is listed beside the predefined views (LIST-03)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const { mark } = await licenses(api, 1);
  const name = `Premium ${mark}`;
  await page.goto(`/licenses?q=${mark}&type=premium&ordering=-price`);
  await page.getByRole('button', { name: 'Vistas' }).click();
  const panel = page.getByRole('dialog', { name: 'Vistas' });
  await expect(panel.getByRole('list', { name: 'Sugeridas' }).getByRole('listitem')).toHaveText([
    'Vencen en 30 días',
    'Pruebas por vencer',
    'Sin instalaciones',
    'Correo fallido',
    'Asientos completos',
  ]);
  await panel.getByLabel('Nombre de la vista').fill(name);
  await panel.getByRole('checkbox', { name: 'Compartir con el equipo' }).check();
  await panel.getByRole('button', { name: 'Guardar vista' }).click();
  await expect(panel.getByRole('button', { name, exact: true })).toBeVisible();

  await panel.getByRole('button', { name: 'Asientos completos' }).click();
  await expect(page).toHaveURL(/\/licenses\?seats_full=true$/);
  await page.getByRole('button', { name: 'Vistas' }).click();
  // Views of licences that end soon are sorted by their end, earliest first.
  for (const [view, query] of [
    ['Vencen en 30 días', 'expiring_within=30&ordering=expiry_date'],
    ['Pruebas por vencer', 'type=trial&expiring_within=7&ordering=expiry_date'],
  ] as const) {
    await panel.getByRole('button', { name: view }).click();
    await expect(page).toHaveURL((url) => url.search === `?${query}`);
    await page.getByRole('button', { name: 'Vistas' }).click();
    await expect(panel.getByRole('button', { name: view })).toHaveAttribute('aria-current', 'true');
  }
  await panel.getByRole('button', { name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`q=${mark}&type=premium&ordering=-price$`));
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Vistas' }).click();
  await panel.getByRole('button', { name: `Eliminar vista ${name}` }).click();
  await expect(panel.getByRole('button', { name, exact: true })).toHaveCount(0);
});

test("a client's row menu issues a licence for that client, and predefined views show clients that need attention (LIST-03)", async ({
  page,
  api,
}) => {
  const { mark } = await clients(api, ['Ana']);
  await page.goto(`/clients?q=${mark}`);
  await rows(page).first().getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Nueva licencia' }).click();
  await expect(page).toHaveURL(/\/licenses\?nuevo=1&cliente=\d+$/);
  const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await expect(form.getByRole('combobox', { name: 'Cliente' })).toHaveValue(new RegExp(mark));

  await page.goto('/clients');
  await page.getByRole('button', { name: 'Vistas' }).click();
  await page.getByRole('dialog', { name: 'Vistas' }).getByRole('button', { name: 'Pendientes' }).click();
  await expect(page).toHaveURL(/\/clients\?status=pending$/);
});

test('the page size is five until the user chooses another, which is then remembered (D133)', async ({
  page,
  api,
}) => {
  const { mark } = await clients(api, ['Ana', 'Beto', 'Carla', 'Dora', 'Eva', 'Zoe']);
  await page.goto(`/clients?q=${mark}`);
  await expect(rows(page)).toHaveCount(5);
  await page.getByLabel('Por página').selectOption('10');
  await expect(rows(page)).toHaveCount(6);
  const calls = callsTo(page, 'GET', '/licenses/api/licenses/');
  await page.goto('/licenses');
  await expect(page.getByLabel('Por página')).toHaveValue('10');
  expect(queryOf(calls[0])).toMatchObject({ page_size: '10' });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a licence row has three lines and a menu of actions, and the filters open in a sheet (D134)', async ({
    page,
    api,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { mark, issued } = await licenses(api, 1);
    await page.goto(`/licenses?q=${mark}`);
    const row = rows(page).first();
    await expect(row).toContainText(issued[0]!.license_key);
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(120);
    await expect(row.getByRole('button', { name: 'Editar' })).toBeHidden();

    await row.getByRole('button', { name: 'Más acciones' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Ver detalles',
      'Editar',
      '¿Por qué?',
      'Renovar',
      'Cobrar',
      'Agregar lugares',
      'Prórroga',
      'Suspender',
      'Cancelar licencia',
      'Transferir',
      'Cambiar clave',
      'Archivo sin conexión',
      'Constancia',
      'Eliminar',
    ]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(licenseDetails(page)).toBeVisible();
    await page.goBack();

    await page.getByRole('button', { name: 'Filtros', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Filtros' });
    await sheet.getByLabel('Filtrar por estado').selectOption('suspended');
    await expect(page).toHaveURL(/status=suspended/);
    await sheet.getByRole('button', { name: 'Listo' }).click();
    await expect(page.getByText('No hay licencias')).toBeVisible();
  });

  test('the bar shows the first bulk action with its name, and its menu lists the others (LIST-01)', async ({
    page,
    api,
  }) => {
    const { mark } = await licenses(api, 2);
    await page.goto(`/licenses?q=${mark}`);
    await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
    await expect(bar(page)).toContainText('2 seleccionadas');
    const words = bar(page)
      .getByRole('button', { name: 'Renovar 2', exact: true })
      .getByText('Renovar 2')
      .last();
    await expect(words).toBeVisible();
    // A text that only screen readers get is one pixel wide.
    expect((await words.boundingBox())?.width).toBeGreaterThan(40);
    expect((await bar(page).boundingBox())?.height, 'it leaves the list its place').toBeLessThanOrEqual(132);
    await bar(page).getByRole('button', { name: 'Más acciones' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Suspender 2',
      'Cobrar 2',
      'Cambiar estado 2',
      'Reenviar correo 2',
      'Exportar seleccionadas',
      'Añadir etiqueta 2',
      'Quitar etiqueta 2',
      'Cancelar licencia 2',
      'Eliminar 2',
    ]);
    await page.getByRole('menuitem', { name: 'Suspender' }).click();
    await page
      .getByRole('dialog', { name: 'Suspender 2 licencias' })
      .getByRole('button', { name: 'Suspender', exact: true })
      .click();
    await expect(page.getByText('2 licencias suspendidas')).toBeVisible();
  });
});

for (const { theme, width } of LOOKS) {
  test(`axe finds nothing in the bulk, filter and view controls of lists, ${theme}, ${width} px (LIST-01, LIST-02, LIST-03)`, async ({
    page,
    api,
  }) => {
    test.setTimeout(90_000);
    const { mark } = await licenses(api, 2);
    await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
    const found: string[] = [];
    const look = async (name: string) => {
      found.push(...(await barriers(page)).map((barrier) => `${name}: ${barrier}`));
    };
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/licenses?q=${mark}&active=true&ordering=-expiry_date`);
    await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
    await expect(bar(page)).toBeVisible();
    await look('bar');
    // Three actions are buttons on a wide screen, one on a phone; this action is in the menu.
    await bar(page)
      .getByRole('button', { name: width < 640 ? 'Más acciones' : 'Más' })
      .click();
    await expect(page.getByRole('menu')).toBeVisible();
    await look('bar menu');
    await page.getByRole('menuitem', { name: 'Cambiar estado' }).click();
    await expect(page.getByLabel('Nuevo estado')).toBeVisible();
    await look('bulk dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filtros', exact: true }).click();
    await expect(page.getByLabel('Vence en')).toBeVisible();
    await look('filters');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Vistas' }).click();
    await expect(page.getByLabel('Nombre de la vista')).toBeVisible();
    await look('views');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Nombre de la vista')).toBeHidden();
    if (width < 640) {
      await rows(page).first().getByRole('button', { name: 'Más acciones' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await look('row menu');
    }
    expect(found).toEqual([]);
  });
}
