import type { Page } from '@playwright/test';
import type { View } from './view.ts';

/** A file with two invalid rows, in the format of a spreadsheet. */
const SHEET = [
  'Nombre;Correo;Celular;Compañía;Ciudad;RFC;Vendedor',
  'Rosa Medina;rosa.medina@ejemplo.com;+525512345678;Papelería La Esquina;Guadalajara;XAXX010101000;Paco',
  'Iván Torres;ivan.torres.ejemplo.com;+525598765432;Taller Torres;Puebla;;Paco',
  'Elena Cruz;elena.cruz@ejemplo.com;+523312345678;Consultorio Cruz;Zapopan;;Rosa',
  'Óscar Vela;oscar.vela@ejemplo.com;123;Imprenta Vela;León;;Rosa',
  'Pilar Soto;pilar.soto@ejemplo.com;+528112345678;Despacho Soto;Monterrey;;Rosa',
].join('\r\n');

const chooseFile = (name: string, text: string) => async (page: Page) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Elegir archivo' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
};

const uploadSheet = async (page: Page) => {
  await chooseFile('clientes.csv', SHEET)(page);
  await page.getByText('Relaciona tus columnas').waitFor();
};

const checkSheet = async (page: Page) => {
  await uploadSheet(page);
  await page.getByRole('button', { name: 'Revisar archivo' }).click();
  await page.getByText('Revisa antes de importar').waitFor();
};

const runSheet = async (page: Page) => {
  await checkSheet(page);
  await page.getByRole('button', { name: /^Importar \d/ }).click();
  await page.getByText('Importación terminada').waitFor();
};

/** Deletes the records created by `runSheet`, so that the next theme starts with the same data. */
const removeImported = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('license_manager_token')}` };
    const found = await fetch('/licenses/api/clients/?search=ejemplo.com&page=1&page_size=50', { headers });
    for (const { id } of (await found.json()).results) {
      await fetch(`/licenses/api/clients/${id}/`, { method: 'DELETE', headers });
    }
  });

/** The steps of an import. */
export const IMPORTS: View[] = [
  { name: 'import-file', address: '/imports?kind=clients', ready: 'Elige tu archivo' },
  {
    name: 'import-spreadsheet',
    address: '/imports?kind=clients',
    ready: 'Elige tu archivo',
    act: async (page) => {
      await chooseFile('Clientes.xlsx', 'PK\u0003\u0004')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'import-columns',
    address: '/imports?kind=clients',
    ready: 'Elige tu archivo',
    act: uploadSheet,
  },
  { name: 'import-review', address: '/imports?kind=clients', ready: 'Elige tu archivo', act: checkSheet },
  {
    name: 'import-result',
    address: '/imports?kind=clients',
    ready: 'Elige tu archivo',
    act: runSheet,
    undo: removeImported,
  },
];
