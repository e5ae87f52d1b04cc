import type { Page } from '@playwright/test';
import { enterCredentials } from './sign-in.ts';
import type { View } from './view.ts';

/** The session ends while a user types; after sign-in the text is still there. */
const loseSession = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Nuevo Cliente' });
  await dialog.getByRole('textbox', { name: 'Nombre', exact: true }).fill('Panadería La Espiga');
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill('pedidos@laespiga.example.com');
  await dialog.getByRole('textbox', { name: 'Teléfono Principal', exact: true }).fill('+525512345678');
  await page.evaluate(async () => {
    const token = localStorage.getItem('license_manager_token');
    const headers = { authorization: `Bearer ${token}` };
    await (await fetch('/api/auth/logout/', { method: 'POST', headers })).text();
  });
  // Another call of the page may end the session before the button is pressed.
  await dialog
    .getByRole('button', { name: 'Crear Cliente' })
    .click({ timeout: 3000 })
    .catch(() => undefined);
  await page.waitForURL('**/login');
};

const comeBack = async (page: Page) => {
  await loseSession(page);
  await enterCredentials(page);
  await page.getByText('Lo que escribiste sigue aquí').waitFor();
};

/** Forms that outlive their session. */
export const DRAFTS: View[] = [
  { name: 'clients-new-draft', address: '/clients?nuevo=1', ready: 'Información Personal', act: comeBack },
  { name: 'login-draft', address: '/clients?nuevo=1', ready: 'Información Personal', act: loseSession },
];
