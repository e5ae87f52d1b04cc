import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { View } from './view.ts';

/** Opens a webhook whose receiver runs in this process, with a message that it accepted. */
const openWebhook = async (page: Page) => {
  const receiver = createServer((_request, response) => response.end('{"ok":true}'));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/avisos`;
  const id = await page.evaluate(async (address) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('license_manager_token')}`,
      'content-type': 'application/json',
    };
    const post = async (path: string, body: object) =>
      (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    const types = ['license.*', 'client.created'];
    const made = await post('/licenses/api/webhooks/', { url: address, types, description: 'CRM de ventas' });
    await post(`/licenses/api/webhooks/${made.id}/test/`, {});
    return made.id;
  }, url);
  await page.goto(`/settings/webhooks?ver=${id}`);
  await page.getByText('Aceptado (200)').waitFor();
  receiver.close();
};

const listWebhook = async (page: Page) => {
  await openWebhook(page);
  await page.getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

const removeWebhooks = (page: Page) =>
  page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('license_manager_token')}` };
    const found = await (await fetch('/licenses/api/webhooks/', { headers })).json();
    for (const { id } of found.results) {
      await fetch(`/licenses/api/webhooks/${id}/`, { method: 'DELETE', headers });
    }
  });

/** The account and the settings. */
export const SETTINGS: View[] = [
  { name: 'settings-templates', address: '/settings/plantillas', ready: 'Resumen semanal' },
  {
    name: 'settings-template',
    address: '/settings/plantillas/license_issued',
    ready: 'Vista previa',
  },
  { name: 'settings-mails', address: '/settings/correos', ready: 'Los correos enviados' },
  { name: 'settings-mail-server', address: '/settings/correos?servidor=1', ready: 'Remitente' },
  { name: 'settings-users', address: '/settings/usuarios', ready: 'admin@example.com' },
  { name: 'settings-users-new', address: '/settings/usuarios?nuevo=1', ready: 'Al aceptar' },
  { name: 'settings-keys', address: '/settings/claves', ready: 'Nueva clave' },
  {
    name: 'settings-webhooks',
    address: '/settings/webhooks',
    ready: 'Nuevo webhook',
    act: listWebhook,
    undo: removeWebhooks,
  },
  {
    name: 'settings-webhooks-details',
    address: '/settings/webhooks',
    ready: 'Nuevo webhook',
    act: openWebhook,
    undo: removeWebhooks,
  },
  { name: 'settings-webhooks-new', address: '/settings/webhooks?nuevo=1', ready: 'Qué avisa' },
  { name: 'settings-audit', address: '/settings/auditoria', ready: 'inició sesión' },
  { name: 'settings-portal', address: '/settings/portal', ready: 'Todo está guardado' },
  { name: 'settings-payments', address: '/settings/pagos', ready: 'Impuesto (%)' },
  { name: 'account', address: '/account', ready: 'Verificación en dos pasos' },
  { name: 'settings', address: '/settings/empresa', ready: 'Todo está guardado' },
  {
    name: 'settings-changed',
    address: '/settings/empresa',
    ready: 'Todo está guardado',
    act: async (page) => {
      await page.getByLabel('Nombre de la empresa').fill('Sistemas del Río');
      await page.getByText('Hay cambios sin guardar').waitFor();
    },
    undo: (page) => page.getByRole('button', { name: 'Descartar cambios' }).click(),
  },
  { name: 'settings-reminders', address: '/settings/avisos', ready: 'Todo está guardado' },
];
