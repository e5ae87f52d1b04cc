import type { View } from './view.ts';

/** Sign-in, the dashboard, and the palette. */
export const DESK: View[] = [
  { name: 'login', address: '/login', ready: 'Credenciales de demostración', signedOut: true },
  {
    name: 'login-errors',
    address: '/login',
    ready: 'Credenciales de demostración',
    signedOut: true,
    act: (page) => page.getByRole('button', { name: 'Iniciar Sesión' }).click(),
  },
  { name: 'dashboard', address: '/dashboard', ready: 'Tasa de conversión' },
  {
    name: 'dashboard-later',
    address: '/dashboard',
    ready: 'Tasa de conversión',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Más tarde/ })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'first-steps', address: '/dashboard', ready: '0 de 8 listos', empty: true },
  {
    name: 'first-steps-license',
    address: '/licenses?nuevo=1',
    ready: 'Información Básica',
    empty: true,
  },
  {
    name: 'dashboard-notifications',
    address: '/dashboard',
    ready: 'Tasa de conversión',
    act: (page) => page.getByRole('button', { name: 'Notificaciones' }).click(),
  },
  {
    name: 'dashboard-account',
    address: '/dashboard',
    ready: 'Tasa de conversión',
    act: (page) => page.getByRole('button', { name: /^Cuenta/ }).click(),
  },
  {
    name: 'palette',
    address: '/licenses',
    ready: 'Mostrando 1 a 5',
    act: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'palette-search',
    address: '/licenses',
    ready: 'Mostrando 1 a 5',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('caja');
      await page.getByRole('group', { name: 'Equipos' }).waitFor();
    },
  },
  {
    name: 'palette-card',
    address: '/licenses',
    ready: 'Mostrando 1 a 5',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('DEMAA-22222-33333-44444-55555');
      await page.getByText('Funciona en').waitFor();
    },
  },
  {
    name: 'shortcuts',
    address: '/licenses',
    ready: 'Mostrando 1 a 5',
    act: (page) => page.keyboard.press('?'),
  },
];
