import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { XLSX_TYPE } from '../contract/imports/imports.ts';
import { workbookFile } from '../test/workbook.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, test, unique } from './support/staff.ts';
import { countSteps } from './support/steps.ts';

/** The wizard 'Importar' (IMPORT-03), with files as spreadsheets write them. */

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/**
 * Clients in Mac Roman, which has other letters at the same bytes than Windows.
 * @param more a further column: its header, and its cells
 */
function macFile(mark: string, ...more: string[]) {
  const further = (at: number) => (more.length === 0 ? '' : `;${more[at]}`);
  const text = [
    `Nombre;Correo;Teléfono;Ciudad${further(0)}`,
    `Peña Muñoz;p.${mark}@example.com;+525512345678;León${further(1)}`,
    ...(more.length > 0 ? [`Ana;a.${mark}@example.com;+525512345678;León${further(2)}`] : []),
  ].join('\n');
  const bytes: Record<string, number> = { ñ: 0x96, é: 0x8e, ó: 0x97, Ú: 0xf2 };
  const buffer = Buffer.from([...text].map((letter) => bytes[letter] ?? letter.charCodeAt(0)));
  return { name: 'mac.csv', mimeType: 'text/csv', buffer };
}

/** So many rows that the server is still busy while the page is reloaded. */
const ROWS = 4000;

/** Chooses a file with the button 'Elegir archivo'. */
async function choose(page: Page, file: ReturnType<typeof csv>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Elegir archivo' }).click();
  await (await chooser).setFiles(file);
}

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const figure = (page: Page, name: string): Locator =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd');

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Separated by semicolons, as Excel does if the comma is the decimal sign. */
const clientsFile = (mark: string) =>
  [
    'Nombre;Correo;Celular;Compañía;Vendedor',
    `Ana López;ana.${mark}@example.com;+525512345678;Papelería ${mark};Rosa`,
    `Luis Pérez;luis.${mark}.example.com;+525512345678;Taller;Rosa`,
    `Eva Ruiz;eva.${mark}@example.com;+525587654321;Café;Paco`,
    `Sara Gil;sara.${mark}@example.com;123;;Paco`,
  ].join('\r\n');

test('clients with two wrong rows are imported by mouse, from the client list and back to it (IMPORT-03)', {
  tag: '@gate',
}, async ({ page }) => {
  const mark = unique();
  await page.goto('/clients');
  await page.getByRole('link', { name: 'Importar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Importar clientes' })).toBeVisible();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar un archivo de ejemplo' }).click();
  const sample = await saved;
  expect(sample.suggestedFilename()).toBe('ejemplo-clientes.csv');
  expect(await readFile(await sample.path(), 'utf8')).toContain('Nombre,Email,');

  // A spreadsheet of another format is refused with the way to save it.
  await choose(page, { name: 'Clientes.xls', mimeType: '', buffer: Buffer.from('PK') });
  await expect(page.getByRole('alert')).toContainText('«Libro de Excel (.xlsx)»');

  await choose(page, csv('clientes.csv', clientsFile(mark)));
  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
  await expect(page).toHaveURL(/\/imports\/\d+\?paso=columnas$/);
  await expect(page.getByText('Tu archivo tiene 4 filas y 5 columnas.')).toBeVisible();
  await expect(page.getByText('Reconocimos 4 de 5.')).toBeVisible();
  const seller = page.getByLabel('Campo para «Vendedor»');
  await expect(page.getByLabel('Campo para «Correo»')).toHaveValue('email');
  await expect(seller).toHaveValue('');
  await expect(page.getByRole('listitem').filter({ hasText: 'Vendedor' })).toContainText('Rosa · Paco');

  // If a field is chosen twice, the error names it.
  await seller.selectOption('Notas');
  await page.getByLabel('Campo para «Compañía»').selectOption('Notas');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await expect(page.getByLabel('Campo para «Compañía»')).toBeFocused();
  await expect(page.getByText('Dos columnas dan el campo «Notas». Elige una.')).toHaveCount(2);
  await page.getByLabel('Campo para «Compañía»').selectOption('Empresa');
  // The error names a missing required field, and the choices survive a reload.
  await page.getByLabel('Campo para «Correo»').selectOption('No importar');
  await page.reload();
  await expect(seller).toHaveValue('notes');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await expect(page.getByRole('alert')).toContainText('Falta un campo obligatorio: Email.');
  await page.getByLabel('Campo para «Correo»').selectOption('Email (obligatorio)');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();

  await expect(step(page, 'Revisa antes de importar')).toBeFocused();
  await expect(figure(page, 'Por crear')).toHaveText('2');
  await expect(figure(page, 'Filas con error')).toHaveText('2');
  const errors = page.getByRole('table', { name: 'Errores del archivo' }).getByRole('row');
  await expect(errors).toHaveCount(3);
  await expect(errors.nth(1)).toContainText(/^3.*Email/);
  await expect(errors.nth(2)).toContainText(/^5.*Teléfono Principal/);
  const written = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar errores (CSV)' }).click();
  expect(await readFile(await (await written).path(), 'utf8')).toContain(`luis.${mark}.example.com`);

  // The browser's Back returns one step.
  await page.goBack();
  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
  await page.goForward();
  await page.getByRole('button', { name: 'Importar 2 clientes' }).click();
  await expect(step(page, 'Importación terminada')).toBeFocused();
  await expect(page.getByText('Se crearon 2 clientes.')).toBeVisible();
  await expect(page.getByText('2 filas tenían errores y no se importaron.')).toBeVisible();
  await page.reload();
  await expect(figure(page, 'Creados')).toHaveText('2');
  // The list shows only the imported records.
  const [id] = /\d+/.exec(new URL(page.url()).pathname) ?? [];
  await page.getByRole('link', { name: 'Ver clientes' }).click();
  await expect(page).toHaveURL(new RegExp(`/clients\\?import=${id}$`));
  await expect(page.getByRole('link', { name: 'Eva Ruiz' })).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Lista de clientes' }).locator('tbody [data-row-key]'),
  ).toHaveCount(2);
  await page.getByRole('button', { name: 'Quitar filtro Importación' }).click();
  await expect(page).toHaveURL(/\/clients$/);
  await page.goto(`/clients?q=papeleria ${mark}`);
  await expect(page.getByText(`ana.${mark}@example.com`)).toBeVisible();
});

test('licences are imported by keyboard with the keys of the file, and no mail is sent unless asked for (IMPORT-02, IMPORT-03)', async ({
  page,
  api,
  context,
  guard,
}) => {
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/);
  const mark = unique().toUpperCase();
  const client = await api.createClient({ email: `rosa.${mark}@example.com` });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  await page.goto('/licenses');
  // The test waits for the file dialog before pressing Enter, because the event may come immediately.
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, page.getByRole('link', { name: 'Importar' }));
  await page.keyboard.press('Enter');
  const chooseButton = page.getByRole('button', { name: 'Elegir archivo' });
  await tabTo(page, chooseButton);
  await expect(chooseButton).toBeFocused();
  await page.keyboard.press('Enter');
  const question = await chooser;
  // The connection is lost: the upload waits, and continues automatically.
  await context.setOffline(true);
  const file = [
    'License key,Customer email,Product,Categoría,Price',
    `VIEJA-${mark}-1,${client.email},${software.name},Premium,"1,500.50"`,
    `VIEJA-${mark}-2,${client.email},${software.name},Básica,900`,
  ].join('\n');
  await question.setFiles(csv('licencias.csv', file));
  await expect(page.getByText('El archivo se subirá solo en cuanto vuelva.')).toBeVisible();
  await context.setOffline(false);
  // All columns are recognised, so the review is shown at once. The button back to the columns exists.
  await expect(step(page, 'Revisa antes de importar')).toBeFocused({ timeout: 15_000 });
  await expect(page.getByText('Reconocimos las 5 columnas de tu archivo.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Atrás' }));
  await page.keyboard.press('Enter');
  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();

  await tabTo(page, page.getByRole('radio', { name: 'Crear nuevas' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Actualizar existentes' })).toBeChecked();
  await page.keyboard.press('ArrowDown');
  await tabTo(page, page.getByRole('button', { name: 'Revisar archivo' }));
  await page.keyboard.press('Enter');
  await expect(step(page, 'Revisa antes de importar')).toBeFocused();
  await expect(page.getByText('No encontramos errores.')).toBeVisible();
  await expect(page.getByLabel('Enviar por correo las licencias nuevas a sus clientes')).not.toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Importar 2 licencias' }));
  await page.keyboard.press('Enter');
  await expect(step(page, 'Importación terminada')).toBeFocused();
  await expect(page.getByText('Se crearon 2 licencias.')).toBeVisible();
  const kept = await api.call<{ results: { license_key: string; email_status: string | null }[] }>(
    'GET',
    `/licenses/api/licenses/?search=VIEJA-${mark}&page=1`,
  );
  expect(kept.results.map(({ license_key }) => license_key).sort()).toEqual([
    `VIEJA-${mark}-1`,
    `VIEJA-${mark}-2`,
  ]);
  expect(kept.results.map(({ email_status }) => email_status)).toEqual([null, null]);
});

test('fifty clients are pasted from a spreadsheet and imported with three clicks or keys, without a file (IMPORT-03)', async ({
  page,
  context,
  browserName,
}) => {
  const mark = unique();
  const rows = Array.from(
    { length: 50 },
    (_, row) => `Cliente ${row}\tc${row}.${mark}@example.com\t+525512345678`,
  );
  const cells = ['Nombre\tCorreo\tTeléfono', ...rows].join('\r\n');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/clients');
  await expect(page.getByRole('link', { name: 'Importar' })).toBeVisible();
  await page.evaluate((text) => navigator.clipboard.writeText(text), cells);
  let acts = 0;
  const act = (what: Promise<unknown>) => {
    acts += 1;
    return what;
  };
  await act(page.getByRole('link', { name: 'Importar' }).click());
  await expect(page.getByText('Arrastra tu archivo aquí, o pega tus celdas')).toBeVisible();
  await act(page.keyboard.press(browserName === 'webkit' ? 'Meta+V' : 'Control+V'));
  await expect(step(page, 'Revisa antes de importar')).toBeFocused();
  await expect(figure(page, 'Por crear')).toHaveText('50');
  await act(page.getByRole('button', { name: 'Importar 50 clientes' }).click());
  await expect(page.getByText('Se crearon 50 clientes.')).toBeVisible();
  expect(acts).toBe(3);
});

test('200 clients of a workbook are imported with four steps from the client list (IMPORT-03)', async ({
  page,
}) => {
  const mark = unique();
  const line = (row: number, cells: string[]) =>
    `<row r="${row}">${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
  const file = await workbookFile({
    sheets: {
      Clientes: [
        line(1, ['Nombre', 'Correo', 'Teléfono', 'Ciudad']),
        ...Array.from({ length: 200 }, (_, at) =>
          line(at + 2, [`Peña ${mark} ${at}`, `c${at}.${mark}@example.com`, '55 1234 5678', 'León']),
        ),
      ].join(''),
    },
  });
  const steps = await countSteps(page.context());
  await page.goto('/clients');
  await page.getByRole('link', { name: 'Importar' }).click();
  // Two of them: the button, and the file in the dialog of the system.
  await choose(page, workbook('clientes.xlsx', file));
  await expect(figure(page, 'Por crear')).toHaveText('200');
  await page.getByRole('button', { name: 'Importar 200 clientes' }).click();
  await expect(step(page, 'Importación terminada')).toBeVisible();
  await expect(page.getByText('Se crearon 200 clientes.')).toBeVisible();
  expect(steps()).toBe(4);
});

test('text pasted with the button is read, and text without rows is refused (IMPORT-03)', async ({
  page,
  context,
}) => {
  const mark = unique();
  await page.goto('/imports?kind=software');
  const paste = page.getByRole('button', { name: 'Pegar celdas' });
  // Without permission to read the clipboard, the message explains the keys.
  await paste.click();
  await expect(page.getByRole('alert')).toContainText('Presiona Ctrl+V');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('Nombre\tVersión'));
  await paste.click();
  await expect(page.getByRole('alert')).toContainText('Lo que copiaste no tiene filas.');
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    `Nombre\tVersión\tRegión\nCaja ${mark}\t1.0\tNorte`,
  );
  await paste.click();
  // If a column is not recognised, the person must decide.
  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
  await expect(page.getByText('Reconocimos 2 de 3.')).toBeVisible();
});

test('a long import continues after a reload of the page, and cancelling it asks first (IMPORT-02, IMPORT-03)', async ({
  page,
}) => {
  const mark = unique();
  const rows = Array.from({ length: ROWS }, (_, row) => `Caja ${mark},${row}.0`);
  await page.goto('/imports?kind=software');
  await choose(page, csv('software.csv', ['Nombre,Versión', ...rows].join('\n')));
  await expect(page.getByRole('progressbar', { name: 'Revisando las filas' })).toBeVisible();
  await page.reload();
  // The check continues meanwhile, and its end is shown without another reload.
  await page.getByRole('button', { name: 'Importar 4,000 software' }).click({ timeout: 60_000 });
  await expect(step(page, 'Importando')).toBeFocused();
  await expect(page.getByRole('progressbar', { name: 'Avance de la importación' })).toBeVisible();
  await expect(page.getByText('Puedes salir de esta página')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar importación' }).click();
  const question = page.getByRole('alertdialog', { name: '¿Cancelar la importación?' });
  await expect(question).toContainText('ya se guardaron se conservan');
  await question.getByRole('button', { name: 'Cancelar importación' }).click();
  await expect(step(page, 'Importación cancelada')).toBeFocused();
  await expect(page.getByRole('link', { name: 'Importar otro archivo' })).toBeVisible();
});

test('axe finds nothing in the steps of an import, and a deleted import shows a message (IMPORT-03)', async ({
  page,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  const mark = unique();
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto('/imports/999999');
    await expect(page.getByText('Esta importación ya no existe')).toBeVisible();
    await page.getByRole('link', { name: 'Importar otro archivo' }).click();
    await page.getByRole('link', { name: 'Clientes' }).last().click();
    expect(await barriers(page)).toEqual([]);
    await choose(page, csv('clientes.csv', clientsFile(mark)));
    await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
    await page.getByLabel('Campo para «Vendedor»').selectOption('Empresa');
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Campo para «Vendedor»').selectOption('Notas');
    await page.getByRole('radio', { name: 'Crear y actualizar' }).check();
    await page.getByRole('button', { name: 'Revisar archivo' }).click();
    await expect(step(page, 'Revisa antes de importar')).toBeFocused();
    await page.getByRole('button', { name: 'Corregir: Email de la fila 3' }).click();
    await expect(page.getByLabel('Email de la fila 3', { exact: true })).toBeFocused();
    expect(await barriers(page)).toEqual([]);
    await page.goto('/imports?kind=clients');
    await choose(page, macFile(mark, 'Último contacto', '31/12/2025', '12/31/2025'));
    await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revisar archivo' }).click();
    await expect(page.getByRole('region', { name: 'Lo que notamos' })).toContainText(
      'fechas en los dos órdenes',
    );
    expect(await barriers(page)).toEqual([]);
  }
});

/** A sheet of texts, as spreadsheets write them; a number stands as such. */
const sheetOf = (rows: readonly (readonly (string | number)[])[]) =>
  rows
    .map((cells, at) => {
      const written = cells.map((cell, column) => {
        const place = `${String.fromCharCode(65 + column)}${at + 1}`;
        return typeof cell === 'number'
          ? `<c r="${place}"><v>${cell}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
      });
      return `<row r="${at + 1}">${written.join('')}</row>`;
    })
    .join('');

/** A workbook of licences whose keys a spreadsheet has changed, on its second sheet, with days that prove no order. */
const badWorkbook = (mark: string) =>
  workbookFile({
    sheets: {
      Resumen: sheetOf([['Ventas de 2026'], ['Total', 2400]]),
      Claves: sheetOf([
        ['Clave de licencia', 'Correo del cliente', 'Nombre del cliente', 'Precio', 'Vence'],
        ['8.93E+18', `ana.${mark}@example.com`, 'Ana López', 1200, '05/06/2027'],
        [8910102358470000000, `luis.${mark}@gmial.com`, 'Luis Pérez', 1200, '07/08/2027'],
        [`BUENA-${mark}`, `eva.${mark}@example.com`, 'Eva Ruiz', 900, '09/10/2027'],
      ]),
    },
  });

const workbook = (name: string, buffer: Buffer) => ({
  name,
  mimeType: XLSX_TYPE,
  buffer: Buffer.from(buffer),
});

test('a workbook with keys in scientific notation is mended where its cells are shown, imported and undone by keyboard and mouse (INPUT-03, INPUT-05, INPUT-06, INPUT-07, INPUT-20)', async ({
  page,
  api,
  guard,
}) => {
  guard.allowConsoleError(/409/);
  const mark = unique().toUpperCase();
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  await page.goto('/imports?kind=licenses');
  await choose(page, workbook('claves.xlsx', await badWorkbook(mark)));
  // The sheet that has the headers is chosen already.
  const sheets = page.getByRole('radiogroup', {
    name: '«claves.xlsx» tiene varias hojas. ¿Cuál quieres importar?',
  });
  await expect(sheets.getByRole('radio', { name: 'Hoja: Claves' })).toBeFocused();
  await expect(sheets.getByRole('radio', { name: 'Hoja: Claves' })).toBeChecked();
  await page.keyboard.press('Enter');

  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
  await expect(page.getByText('Hoja «Claves». Tu archivo tiene 3 filas y 5 columnas.')).toBeVisible();
  // No column has the software: one for all rows is chosen. The clients do not exist yet.
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await expect(page.getByRole('alert')).toContainText('Falta un campo obligatorio: Software.');
  await page.getByLabel('Software', { exact: true }).selectOption(software.name);
  await page.getByRole('button', { name: 'Revisar archivo' }).click();

  await expect(step(page, 'Revisa antes de importar')).toBeFocused();
  await expect(figure(page, 'Filas con error')).toHaveText('3');
  await page.getByRole('button', { name: 'Crear los clientes que falten' }).click();
  await expect(figure(page, 'Filas con error')).toHaveText('2');
  await expect(figure(page, 'Por crear')).toHaveText('1');
  const errors = page.getByRole('table', { name: 'Errores del archivo' }).getByRole('row');
  await expect(errors).toHaveCount(3);
  await expect(errors.nth(1)).toContainText('Excel cambió este valor');
  // The order of its days is assumed and said; one click reads them the other way.
  const noticed = page.getByRole('region', { name: 'Lo que notamos' });
  await expect(noticed).toContainText(
    '«Vence» se lee con el día primero. Ninguna de sus fechas dice cuál es el orden.',
  );
  await noticed.getByRole('button', { name: 'Leer con el mes primero: Vence' }).click();
  await expect(noticed).toContainText('«Vence» se lee con el mes primero.');

  // Both cells are mended in place: Enter takes what was typed and starts no import.
  const mend = async (row: number, was: string, is: string) => {
    await page.getByRole('button', { name: `Corregir: Clave de Licencia de la fila ${row}` }).click();
    const cell = page.getByLabel(`Clave de Licencia de la fila ${row}`, { exact: true });
    await expect(cell).toBeFocused();
    await expect(cell).toHaveValue(was);
    await cell.fill(is);
    await page.keyboard.press('Enter');
    await expect(page.getByText(`Corregida: ${is}`)).toBeVisible();
    await expect(
      page.getByRole('button', { name: `Corregir: Clave de Licencia de la fila ${row}` }),
    ).toBeFocused();
  };
  await mend(2, '8.93E+18', `UNO-${mark}`);
  // What was typed survives a reload.
  await page.reload();
  await expect(page.getByText(`Corregida: UNO-${mark}`)).toBeVisible();
  await mend(3, '8910102358470000000', `DOS-${mark}`);
  await page.getByRole('button', { name: 'Guardar 2 correcciones y revisar' }).click();
  await expect(figure(page, 'Filas con error')).toHaveText('0');
  await expect(figure(page, 'Por crear')).toHaveText('3');
  // A mail that is nearly one of a known domain gets the one that was meant.
  await noticed.getByRole('button', { name: `Usar luis.${mark}@gmail.com` }).click();
  await page.getByRole('button', { name: 'Guardar 1 corrección y revisar' }).click();
  await expect(noticed).not.toContainText('gmial.com');
  await expect(page.getByText('También se crearán 3 clientes que faltan.')).toBeVisible();

  await page.getByRole('button', { name: 'Importar 3 licencias' }).click();
  await expect(step(page, 'Importación terminada')).toBeFocused();
  await expect(page.getByText('También se crearon 3 clientes.')).toBeVisible();
  const keys = async () =>
    (
      await api.call<{ results: { license_key: string; expiry_date: string }[] }>(
        'GET',
        `/licenses/api/licenses/?search=${mark}&page=1`,
      )
    ).results;
  expect((await keys()).map(({ license_key }) => license_key).sort()).toEqual([
    `BUENA-${mark}`,
    `DOS-${mark}`,
    `UNO-${mark}`,
  ]);

  // A machine uses one of them, so nothing is undone, and the reason is said.
  await api.call('POST', '/licenses/api/installations/', {
    license_key: `UNO-${mark}`,
    machine_id: `pc-${mark}`,
  });
  const undo = page.getByRole('button', { name: 'Deshacer importación' });
  await undo.click();
  const question = page.getByRole('alertdialog', { name: '¿Deshacer la importación?' });
  await expect(question).toContainText(
    'Se eliminan las 3 licencias que creó; los clientes que creó se eliminan si nada más los usa.',
  );
  await question.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByRole('alert')).toContainText('No se puede deshacer: un registro cambió o ya se usa');
  await expect(page.getByRole('table', { name: 'Lo que impide deshacerla' })).toContainText(
    'Ya se usa en un equipo',
  );
  expect(await keys()).toHaveLength(3);

  const [license] = (
    await api.call<{ results: { id: number }[] }>('GET', `/licenses/api/licenses/?search=UNO-${mark}&page=1`)
  ).results;
  const { installations } = await api.call<{ installations: { id: number }[] }>(
    'GET',
    `/licenses/api/licenses/${license!.id}/`,
  );
  await api.call('DELETE', `/licenses/api/installations/${installations[0]!.id}/`);
  await tabTo(page, undo);
  await page.keyboard.press('Enter');
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(step(page, 'Importación deshecha')).toBeFocused();
  await expect(page.getByText('Todo quedó como antes de importar.')).toBeVisible();
  await expect(undo).toBeHidden();
  expect(await keys()).toEqual([]);
  const left = await api.call<{ count: number }>('GET', `/licenses/api/clients/?search=${mark}&page=1`);
  expect(left.count).toBe(0);
});

test('letters that the file does not say how to read are chosen by their words (INPUT-04)', async ({
  page,
}) => {
  const mark = unique();
  await page.goto('/imports?kind=clients');
  await choose(page, macFile(mark));
  await expect(step(page, 'Relaciona tus columnas')).toBeFocused();
  const letters = page.getByRole('radiogroup', { name: '¿Cómo se leen bien tus letras?' });
  await letters.getByRole('radio', { name: /^Windows-1252:/ }).check();
  const name = page.getByRole('listitem').filter({ has: page.getByLabel('Campo para «Nombre»') });
  await expect(name).toContainText('Pe–a Mu–oz');
  await letters.getByRole('radio', { name: /^Mac Roman:/ }).check();
  await expect(name).toContainText('Peña Muñoz');
  await expect(page.getByLabel('Campo para «Teléfono»')).toHaveValue('phone');
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await page.getByRole('button', { name: 'Importar 1 cliente' }).click();
  await expect(step(page, 'Importación terminada')).toBeFocused();
  await page.goto(`/clients?q=p.${mark}`);
  await expect(page.getByText('Peña Muñoz')).toBeVisible();
});
