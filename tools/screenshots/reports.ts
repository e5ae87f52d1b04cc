import type { Page } from '@playwright/test';
import type { View } from './view.ts';

const openTables = async (page: Page) => {
  const buttons = page.getByRole('button', { name: /^Ver tabla/ });
  await buttons.first().waitFor();
  // A pressed button has another name.
  while ((await buttons.count()) > 0) await buttons.first().click();
};

/** Chooses a month with the keyboard. */
const readMonth = async (page: Page) => {
  await page.getByRole('slider').first().focus();
  await page.keyboard.press('ArrowLeft');
};

/** Reports. */
export const REPORTS: View[] = [
  { name: 'reports', address: '/reports', ready: 'Importe por renovar' },
  { name: 'reports-licenses', address: '/reports?tab=licencias', ready: 'Conversión' },
  { name: 'reports-usage', address: '/reports?tab=uso', ready: 'Lugares usados' },
  { name: 'reports-clients', address: '/reports?tab=clientes', ready: 'En riesgo' },
  { name: 'reports-tables', address: '/reports', ready: 'Importe por renovar', act: openTables },
  { name: 'reports-month', address: '/reports', ready: 'Importe por renovar', act: readMonth },
  { name: 'reports-empty', address: '/reports?software=999', ready: 'Aún no hay ventas' },
  {
    name: 'reports-printed',
    address: '/reports',
    ready: 'Importe por renovar',
    act: (page) => page.emulateMedia({ media: 'print' }),
  },
];
