import type { Page } from '@playwright/test';
import type { View } from './view.ts';

const submit = (label: string) => async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  await page.getByText('es obligatori').first().waitFor();
};

/** The list of clients, their form and their details. */
export const CLIENTS: View[] = [
  { name: 'clients', address: '/clients', ready: 'Mostrando 1 a 5' },
  { name: 'clients-empty', address: '/clients?q=nadie', ready: 'No hay clientes' },
  { name: 'clients-new', address: '/clients?nuevo=1', ready: 'Información Personal' },
  {
    name: 'clients-new-errors',
    address: '/clients?nuevo=1',
    ready: 'Información Personal',
    act: submit('Crear Cliente'),
  },
  { name: 'clients-edit', address: '/clients?editar=5', ready: 'Información Personal' },
  { name: 'clients-details', address: '/clients/5', ready: 'Información Adicional' },
  { name: 'clients-details-licenses', address: '/clients/5?tab=licencias', ready: 'Q8VNB' },
  { name: 'clients-details-installations', address: '/clients/5?tab=instalaciones', ready: 'consultorio-1' },
  { name: 'clients-details-history', address: '/clients/5?tab=historial', ready: 'Notas fijadas' },
  { name: 'clients-details-dialog', address: '/clients?ver=5', ready: 'Sus licencias' },
  { name: 'clients-merge', address: '/clients/5?fusionar=4', ready: 'Lo que se pierde' },
  {
    name: 'clients-note',
    address: '/clients/5?tab=historial',
    ready: 'Notas fijadas',
    act: (page) => page.getByRole('textbox', { name: 'Nota nueva' }).fill('Pidió factura con otro RFC'),
    undo: (page) => page.getByRole('textbox', { name: 'Nota nueva' }).press('Escape'),
  },
  {
    name: 'clients-edit-contacts',
    address: '/clients?editar=5',
    ready: 'Información Personal',
    act: (page) => page.getByLabel('Nombre del contacto 1').scrollIntoViewIfNeeded(),
  },
  {
    name: 'clients-edit-tags',
    address: '/clients?editar=5',
    ready: 'Información Personal',
    act: (page) => page.getByRole('combobox', { name: 'Etiquetas' }).scrollIntoViewIfNeeded(),
  },
  { name: 'clients-tag', address: '/clients?tag=Zona+norte', ready: '1 cliente' },
];
