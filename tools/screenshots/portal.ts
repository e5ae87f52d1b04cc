import type { View } from './view.ts';

/** The client's portal. */
export const PORTAL: View[] = [
  { name: 'portal-sign-in', address: '/portal', ready: 'Entre a sus licencias', signedOut: true },
  { name: 'portal-licenses', address: '/portal', ready: 'Mis licencias', portal: true },
  {
    name: 'portal-license',
    address: '/portal',
    ready: 'Mis licencias',
    portal: true,
    act: async (page) => {
      await page.getByRole('link', { name: /Caja Fácil/ }).click();
      await page.getByText('Liberar este equipo').first().waitFor();
    },
  },
  {
    name: 'portal-license-expired',
    address: '/portal',
    ready: 'Mis licencias',
    portal: true,
    act: async (page) => {
      await page.getByRole('link', { name: /Almacén Pro/ }).click();
      await page.getByText('Clave de licencia').waitFor();
    },
  },
  { name: 'portal-data', address: '/portal?datos', ready: 'Datos para su factura', portal: true },
];
