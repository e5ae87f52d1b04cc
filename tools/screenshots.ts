import { mkdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, type Cookie, chromium, type Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { localDay } from '../contract/base/time.ts';
import type { ClientDetails } from '../contract/clients/clients.ts';
import type { LicenseAnswer } from '../contract/licenses/license-can.ts';
import type { PaymentRequest } from '../contract/payments/payment-requests.ts';
import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { type RunningServer, startServer } from '../e2e/support/server.ts';
import { provideChromium } from './chromium.ts';

/**
 * `npm run screenshots` takes screenshots of all screens and dialogs of the demo, light and dark, 1440 and 390 pixels
 * wide, and stores them in .cache/screenshots, which git ignores. `npm run screenshots -- clients` takes only those
 * whose name begins with the word. For other widths and folders: `npm run screenshots -- --widths 1280,1024 --to
 * /tmp/pictures`. picture-pairs.ts puts two folders side by side on one page. docs/ contains only the images that a
 * page shows (docs-pictures.test.ts).
 */

type View = {
  name: string;
  address: string;
  /** A text that is visible once the screen is ready. */
  ready: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
  /** Actions after the screenshot. */
  undo?: (page: Page) => Promise<void>;
  signedOut?: boolean;
  /** True for a page of the client portal, where a client of the sample data is signed in. */
  portal?: boolean;
  /** True for a screen of a production installation without data and mail server. */
  empty?: boolean;
  /** The address ends with the code of this payment request, or in the console with its id. */
  pays?: keyof PaySamples;
  /** What follows the code or the id. */
  after?: string;
};

/** Payment requests in different states, created before the screenshots. */
interface PaySamples {
  open: Asked;
  paid: Asked;
  pending: Asked;
  cancelled: Asked;
  /** Its client gave notice of a transfer. */
  noticed: Asked;
  /** A part of it came in. */
  partial: Asked;
}

type Asked = Pick<PaymentRequest, 'id' | 'url'>;

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

const submit = (label: string) => async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  await page.getByText('es obligatori').first().waitFor();
};

/** Chooses how a sale is paid, in 'Nueva Licencia' or 'Renovar'. */
const choosePayment = (name: RegExp) => async (page: Page) => {
  await page.getByRole('radio', { name }).check();
  await page.getByRole('radio', { name }).scrollIntoViewIfNeeded();
};

/** Opens the form with which a client gives notice of a transfer. */
const openNotice = async (page: Page) => {
  await page.getByRole('button', { name: 'Ya hice la transferencia' }).click();
  await page.getByLabel('Día de la transferencia').waitFor();
};

/** Opens the form of a payment that a person records. */
const openPayment = async (page: Page) => {
  await page.getByRole('button', { name: 'Registrar pago' }).click();
  await page.getByLabel('Cómo se pagó').waitFor();
};

/** Goes from the payment page to the page 'Pago de prueba'. */
const pressPay = async (page: Page) => {
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await page.getByRole('button', { name: 'Aprobar' }).waitFor();
};

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
  await dialog.getByRole('button', { name: 'Crear Cliente' }).click();
  await page.waitForURL('**/login');
};

const comeBack = async (page: Page) => {
  await loseSession(page);
  await enterCredentials(page);
  await page.getByText('Lo que escribiste sigue aquí').waitFor();
};

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

/** Checks a key of the sample data, and waits for the answer. */
const checkKey = async (page: Page) => {
  await page.getByLabel('Clave de licencia').fill('DEMAA-22222-33333-44444-55555');
  await page.getByLabel('Equipo').fill('caja-01');
  await page.getByRole('button', { name: 'Probar', exact: true }).click();
  await page.getByText('El programa puede trabajar').waitFor();
  await page.getByText('Ver la respuesta firmada').scrollIntoViewIfNeeded();
};

/** A client of the sample data with several licences. */
const PORTAL_CLIENT = 'maria.rios@example.com';

const VIEWS: View[] = [
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
  { name: 'pay-open', address: '/pagar/', pays: 'open', ready: 'Su pago', signedOut: true },
  { name: 'pay-trial', address: '/pagar/', pays: 'open', ready: 'Su pago', signedOut: true, act: pressPay },
  { name: 'pay-paid', address: '/pagar/', pays: 'paid', ready: 'Recibimos su pago', signedOut: true },
  { name: 'pay-pending', address: '/pagar/', pays: 'pending', ready: 'está en camino', signedOut: true },
  {
    name: 'pay-notice',
    address: '/pagar/',
    pays: 'open',
    ready: 'Su pago',
    signedOut: true,
    act: openNotice,
  },
  { name: 'pay-noticed', address: '/pagar/', pays: 'noticed', ready: 'Usted avisó', signedOut: true },
  { name: 'pay-partial', address: '/pagar/', pays: 'partial', ready: 'lo que falta', signedOut: true },
  {
    name: 'pay-receipt',
    address: '/pagar/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
    signedOut: true,
  },
  {
    name: 'pay-receipt-printed',
    address: '/pagar/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
    signedOut: true,
    act: (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'pay-cancelled', address: '/pagar/', pays: 'cancelled', ready: 'se canceló', signedOut: true },
  { name: 'pay-unknown', address: '/pagar/x', ready: 'No encontramos este pago', signedOut: true },
  { name: 'payments', address: '/payments', ready: 'falta cobrar' },
  {
    name: 'payments-new',
    address: '/payments?nuevo=1&cliente=5',
    ready: 'Siguiente paso',
    act: (page) => page.getByRole('dialog').getByRole('checkbox').first().waitFor(),
  },
  { name: 'payments-first', address: '/payments', ready: 'Cobros', empty: true },
  { name: 'payments-received', address: '/payments/pagos', ready: 'Exportar' },
  { name: 'payment-request', address: '/payments/', pays: 'open', ready: 'Enlace de pago' },
  {
    name: 'payment-request-noticed',
    address: '/payments/',
    pays: 'noticed',
    ready: 'avisó que ya transfirió',
  },
  { name: 'payment-request-partial', address: '/payments/', pays: 'partial', ready: 'Enlace de pago' },
  {
    name: 'payment-receipt',
    address: '/payments/',
    pays: 'paid',
    after: '/recibo',
    ready: 'no es un comprobante fiscal',
  },
  { name: 'payment-request-paid', address: '/payments/', pays: 'paid', ready: 'Pago de prueba' },
  {
    name: 'payment-request-pay',
    address: '/payments/',
    pays: 'open',
    ready: 'Enlace de pago',
    act: openPayment,
  },
  {
    name: 'payment-request-refund',
    address: '/payments/',
    pays: 'paid',
    ready: 'Pago de prueba',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reembolsar' }).click();
      await page.getByText('por devolver').waitFor();
    },
  },
  {
    name: 'license-charge',
    address: '/licenses?expiring_within=30',
    ready: 'Renovar',
    act: async (page) => {
      await page.getByRole('button', { name: 'Más acciones' }).filter({ visible: true }).last().click();
      await page.getByRole('menuitem', { name: 'Cobrar' }).click();
      await page.getByLabel('Total', { exact: true }).waitFor();
    },
  },
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
  { name: 'clients-new-draft', address: '/clients?nuevo=1', ready: 'Información Personal', act: comeBack },
  // The last one, because it ends the session.
  { name: 'login-draft', address: '/clients?nuevo=1', ready: 'Información Personal', act: loseSession },
];

const { values: options, positionals: wanted } = parseArgs({
  options: {
    widths: { type: 'string', default: '1440,390' },
    to: { type: 'string', default: join(import.meta.dirname, '..', '.cache', 'screenshots') },
  },
  allowPositionals: true,
});

const THEMES = ['light', 'dark'] as const;
/** How long a step of a view may take, in milliseconds. */
const VIEW_LIMIT = 20_000;
/** Below the width of a tablet the height of a phone, otherwise that of a laptop. */
const SIZES = options.widths
  .split(',')
  .map(Number)
  .map((width) => ({ width, height: width < 768 ? 844 : 900 }));
const folder = options.to;

/** What could not be taken, and why. */
const failed: string[] = [];

/** The portal uses the device's theme, and the console the stored one. */
async function photograph(
  browser: Browser,
  { url, mailDir }: RunningServer,
  views: View[],
  samplesNow: () => Promise<PaySamples>,
  account: Account = DEMO_ACCOUNT,
): Promise<void> {
  // Requests for codes are limited, so one sign-in to the portal is used for all screenshots.
  let portalCookies: Cookie[] | undefined;
  for (const theme of THEMES) {
    for (const size of SIZES) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: size,
        locale: 'es-MX',
        timezoneId: 'America/Mexico_City',
        colorScheme: theme,
        // Without animations, so that screenshots show their final state.
        reducedMotion: 'reduce',
      });
      await context.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
      context.setDefaultTimeout(VIEW_LIMIT);
      const page = await context.newPage();
      const samples = await samplesNow();
      for (const part of ['signed out', 'portal', 'console'] as const) {
        const taken = views.filter((view) => partOf(view) === part);
        if (part === 'console') await signIn(page, account);
        if (part === 'portal' && taken.length > 0) {
          portalCookies = await enterPortal(page, mailDir, portalCookies);
        }
        for (const view of taken) {
          const name = `${view.name}-${theme}-${size.width}.png`;
          // The others are still taken, so that one run names all that fail.
          await takePicture(page, view, addressOf(view, samples), name).catch((error: Error) => {
            failed.push(`${name}: ${error.message}`);
          });
        }
      }
      await context.close();
    }
  }
}

/** Starts an installation without data for these views. It has no payment requests. */
async function photographEmpty(browser: Browser, views: View[]): Promise<void> {
  const { username, password } = FIRST_ACCOUNT;
  const server = await startServer({ DEMO: '0', ADMIN_USERNAME: username, ADMIN_PASSWORD: password });
  try {
    await photograph(browser, server, views, async () => ({}) as PaySamples, FIRST_ACCOUNT);
  } finally {
    await server.stop();
  }
}

/** The code of a payment request is the last part of its address. */
function addressOf({ address, pays, after = '' }: View, samples: PaySamples): string {
  if (pays === undefined) return address;
  const { id, url } = samples[pays];
  return address + (address.startsWith('/pagar') ? url.split('/').at(-1) : id) + after;
}

async function takePicture(page: Page, view: View, address: string, name: string): Promise<void> {
  await page.emulateMedia({ media: null });
  await page.goto(address);
  await page.getByText(view.ready).first().waitFor();
  await view.act?.(page);
  await page.waitForLoadState('networkidle');
  const isDialog = (await page.getByRole('dialog').count()) > 0;
  // A dialog covers the window, so only the window is captured. Rows outside it are rendered too.
  await page.screenshot({
    path: join(folder, name),
    fullPage: !isDialog,
    style: 'tr { content-visibility: visible !important; }',
  });
  await view.undo?.(page);
}

const partOf = ({ portal, signedOut }: View) => (portal ? 'portal' : signedOut ? 'signed out' : 'console');

/**
 * Signs a client of the sample data in to the portal with the code of a mail.
 * @param known the cookies of an earlier sign-in, which are used instead
 */
async function enterPortal(page: Page, mailDir: string, known: Cookie[] | undefined): Promise<Cookie[]> {
  if (known !== undefined) {
    await page.context().addCookies(known);
    await page.addInitScript(() => localStorage.setItem('portal_signed_in', '1'));
    return known;
  }
  await page.goto('/portal');
  await page.getByLabel('Su correo electrónico').fill(PORTAL_CLIENT);
  await page.getByRole('button', { name: 'Enviarme el código' }).click();
  await page.getByLabel('Código de seis números').fill(await codeFor(PORTAL_CLIENT, mailDir));
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('Mis licencias').first().waitFor();
  return page.context().cookies();
}

/** The code in the first mail to an address. Without SMTP, mails are files. */
async function codeFor(address: string, mailDir: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const file of await readdir(mailDir).catch(() => [])) {
      const { to, subject } = await PostalMime.parse(await readFile(join(mailDir, file)));
      const [code] = /^\d{6}/.exec(subject ?? '') ?? [];
      if (code !== undefined && to?.some((one) => one.address === address)) return code;
    }
    await setTimeout(100);
  }
  throw new Error(`no code was sent to ${address}`);
}

type Account = { username: string; password: string };

/** The administrator of the installation without data. */
const FIRST_ACCOUNT: Account = { username: 'ana', password: 'at-least-fifteen-characters' };

type Call = (method: string, path: string, body?: object) => Promise<never>;

/**
 * Switches the portal on, and creates payment requests for the sample data.
 * @returns what has them ready; it is called for each theme and width, because a payment is not pending for long
 */
async function arrange(url: string): Promise<() => Promise<PaySamples>> {
  const callAs =
    (token: string): Call =>
    async (method, path, body) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as never;
    };
  const { token }: { token: string } = await callAs('')('POST', '/api/auth/login/', DEMO_ACCOUNT);
  const call = callAs(token);
  await call('PUT', '/licenses/api/settings/', {
    portal_enabled: true,
    vendor_name: 'Sistemas Río',
    support_email: 'ayuda@example.com',
    tax_rate: 16,
    legal_name: 'Sistemas Río SA de CV',
    tax_id: 'SRI150101AB1',
    address: 'Av. Juárez 1, Monterrey',
  });
  await call('PUT', '/licenses/api/settings/payments/', {
    instructions: 'También puede pagar en efectivo en nuestra oficina.',
    transfer: {
      bank: 'BBVA',
      holder: 'Sistemas Río SA de CV',
      accounts: [{ label: 'CLABE', number: '012180000118359713', currency: 'MXN' }],
    },
  });
  await describe(call);
  return askToPay(call);
}

/** A client of the sample data with tags, contacts and notes. */
async function describe(call: Call): Promise<void> {
  const { id, ...client }: ClientDetails = await call('GET', '/licenses/api/clients/5/');
  const contact = { name: 'Luis Pérez', email: 'luis.perez@example.com', phone: '+525587654321' };
  await call('PUT', `/licenses/api/clients/${id}/`, {
    ...client,
    tags: ['Paga tarde', 'Zona norte'],
    contacts: [{ ...contact, receives: ['payments', 'reminders'] }],
  });
  const note = (text: string, more: object) =>
    call('POST', '/licenses/api/notes/', { client: id, text, ...more });
  await note('Prefiere que le llamen por la tarde.', { pinned: true });
  await note('Dijo que paga el viernes. Preguntar por la factura.', {
    remind_on: localDay(new Date(), 'America/Mexico_City'),
  });
}

/** Creates payment requests in different states, for licences that can be renewed. */
async function askToPay(call: Call): Promise<() => Promise<PaySamples>> {
  const { results }: { results: LicenseAnswer[] } = await call(
    'GET',
    '/licenses/api/licenses/?status=active&ordering=expiry_date&page=1&page_size=50',
  );
  const renewable = results.filter(({ can, currency }) => can.includes('renew') && currency === 'MXN');
  const ask = (): Promise<PaymentRequest> =>
    call('POST', '/licenses/api/payment-requests/', {
      lines: [{ license: renewable.shift()!.id, kind: 'renewal' }],
      note: 'Gracias por su preferencia.',
    });
  const askAndPay = async (result: 'approve' | 'later') => {
    const asked = await ask();
    const code = asked.url.split('/').at(-1);
    await call('POST', `/licenses/api/pay/${code}/checkout/`, { provider: 'demo' });
    await call('POST', `/licenses/api/pay/${code}/demo/`, { result });
    return asked;
  };
  const [open, paid, cancelled] = [await ask(), await askAndPay('approve'), await ask()];
  const [noticed, partial] = [await ask(), await ask()];
  await call('POST', `/licenses/api/payment-requests/${cancelled.id}/cancel/`, {});
  await call('POST', `/licenses/api/pay/${noticed.url.split('/').at(-1)}/notice/`, {
    reference: 'SPEI 0042',
  });
  await call('POST', `/licenses/api/payment-requests/${partial.id}/mark_paid/`, {
    method: 'transfer',
    reference: 'SPEI 0043',
    amount: 500,
    withheld: 50,
  });
  return async () => ({ open, paid, cancelled, noticed, partial, pending: await askAndPay('later') });
}

async function signIn(page: Page, account: Account): Promise<void> {
  await page.goto('/login');
  await enterCredentials(page, account);
  await page.waitForURL('**/dashboard');
}

async function enterCredentials(page: Page, account: Account = DEMO_ACCOUNT): Promise<void> {
  await page.getByLabel('Usuario', { exact: true }).fill(account.username);
  await page.getByLabel('Contraseña', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
}

const views = VIEWS.filter(
  (view) => wanted.length === 0 || wanted.some((name) => view.name.startsWith(name)),
);
mkdirSync(folder, { recursive: true });
const server = await startServer();
const browser = await chromium.launch({
  executablePath: provideChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const [ofEmpty, ofDemo] = [views.filter(({ empty }) => empty), views.filter(({ empty }) => !empty)];
  if (ofEmpty.length > 0) await photographEmpty(browser, ofEmpty);
  if (ofDemo.length > 0) await photograph(browser, server, ofDemo, await arrange(server.url));
  console.log(`${views.length * SIZES.length * THEMES.length - failed.length} pictures in ${folder}`);
  for (const reason of failed) console.error(`not taken: ${reason}`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
