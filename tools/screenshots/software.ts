import type { Page } from '@playwright/test';
import type { View } from './view.ts';

/** Checks a key of the sample data, and waits for the answer. */
const checkKey = async (page: Page) => {
  await page.getByLabel('Clave de licencia').fill('DEMAA-22222-33333-44444-55555');
  await page.getByLabel('Equipo').fill('caja-01');
  await page.getByRole('button', { name: 'Probar', exact: true }).click();
  await page.getByText('El programa puede trabajar').waitFor();
  await page.getByText('Ver la respuesta firmada').scrollIntoViewIfNeeded();
};

/** Software, and the code that a program needs. */
export const SOFTWARE: View[] = [
  { name: 'software', address: '/software', ready: 'Ruta Express' },
  { name: 'software-new', address: '/software?nuevo=1', ready: 'Información del Software' },
  { name: 'software-details', address: '/software/1', ready: 'Última actualización' },
  { name: 'software-integration', address: '/software/1?tab=integracion', ready: 'Probar una clave' },
  {
    name: 'software-integration-check',
    address: '/software/1?tab=integracion',
    ready: 'Probar una clave',
    act: checkKey,
  },
];
