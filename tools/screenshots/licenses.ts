import type { Page } from '@playwright/test';
import type { View } from './view.ts';

const openPicker = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Cliente' }).click();
  await page.getByRole('option').first().waitFor();
};

const issueLicense = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Nueva Licencia' });
  await openPicker(page);
  await page.getByRole('option').first().click();
  await dialog.getByLabel('Software').selectOption({ index: 1 });
  await dialog.getByLabel('Tipo de Licencia').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Crear Licencia' }).click();
  await page.getByText('¡Licencia Creada Exitosamente!').waitFor();
};

/** Chooses how a sale is paid, in 'Nueva Licencia' or 'Renovar'. */
const choosePayment = (name: RegExp) => async (page: Page) => {
  await page.getByRole('radio', { name }).check();
  await page.getByRole('radio', { name }).scrollIntoViewIfNeeded();
};

/** Licences and their types. */
export const LICENSES: View[] = [
  { name: 'licenses', address: '/licenses', ready: 'Mostrando 1 a 5' },
  { name: 'licenses-empty', address: '/licenses?q=nadie', ready: 'No hay licencias' },
  { name: 'licenses-new', address: '/licenses?nuevo=1', ready: 'Información Básica' },
  { name: 'licenses-new-picker', address: '/licenses?nuevo=1', ready: 'Información Básica', act: openPicker },
  { name: 'licenses-created', address: '/licenses?nuevo=1', ready: 'Información Básica', act: issueLicense },
  {
    name: 'licenses-new-paid',
    address: '/licenses?nuevo=1',
    ready: 'Información Básica',
    act: choosePayment(/^Ya pagó/),
  },
  {
    name: 'licenses-renew-paid',
    address: '/licenses?expiring_within=30',
    ready: 'Renovar',
    act: async (page) => {
      // The last rows of the sample are no trials.
      await page
        .getByRole('button', { name: /^Renovar/ })
        .filter({ visible: true })
        .last()
        .click();
      await choosePayment(/^Ya pagó/)(page);
    },
  },
  { name: 'licenses-edit', address: '/licenses?editar=15', ready: 'Información Básica' },
  { name: 'licenses-details', address: '/licenses/15', ready: 'Detalles de la Licencia' },
  { name: 'licenses-details-dialog', address: '/licenses?ver=15', ready: 'Condiciones de venta' },
  { name: 'license-types', address: '/license-types', ready: 'Estado: Cargado' },
  { name: 'license-types-new', address: '/license-types?nuevo=1', ready: 'Configuración de Promoción' },
  { name: 'license-types-edit', address: '/license-types?editar=4', ready: 'Configuración de Promoción' },
  { name: 'license-types-details', address: '/license-types?ver=4', ready: 'Detalles del Tipo de Licencia' },
  {
    name: 'license-types-delete',
    address: '/license-types',
    ready: 'Estado: Cargado',
    act: async (page) => {
      // On a phone a row has a menu in place of its buttons.
      const menu = page.getByRole('button', { name: /^Más acciones/ }).filter({ visible: true });
      const remove = page.getByRole('button', { name: /^Eliminar/ }).filter({ visible: true });
      await menu.or(remove).first().click();
      if ((await remove.count()) === 0) await page.getByRole('menuitem', { name: /^Eliminar/ }).click();
      await page.getByText('Confirmar Eliminación').waitFor();
    },
  },
];
