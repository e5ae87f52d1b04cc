import type { Page } from '@playwright/test';
import type { License } from '../contract/licenses/licenses.ts';
import { MAIL_PORT, ownAddress, type SmtpPeer, startSmtpPeer } from '../test/smtp-peer.ts';
import { asked } from './support/asked.ts';
import { licenseDetails } from './support/details.ts';
import { countSteps } from './support/effort.ts';
import { expect, test } from './support/fixtures.ts';
import type { RunningServer } from './support/server.ts';

/**
 * An empty installation for production, from the link in its log to the first licence that is paid: every step is
 * counted, so that there can only become fewer (DESK-06, DESK-07).
 */

const setup = (page: Page) => page.getByRole('region', { name: 'Primeros pasos', exact: true });
const menu = (page: Page) => page.getByRole('navigation').first();

/** Opens a step from the dashboard, where the one before has ticked itself. */
async function openStep(page: Page, title: string, done: number): Promise<void> {
  if (!new URL(page.url()).pathname.startsWith('/dashboard')) {
    await menu(page).getByRole('link', { name: 'Dashboard' }).click();
  }
  await expect(setup(page).getByText(`${done} de 8 listos`)).toBeVisible();
  await setup(page).getByRole('link', { name: title, exact: true }).click();
}

interface Walk {
  page: Page;
  server: RunningServer;
  peer: SmtpPeer;
  /** The address of the peer. */
  host: string;
  /** The key of the licence, as its mail says it. */
  key: string;
}

/** The parts of the walk, each with the steps that it takes. */
const PARTS: readonly { title: string; steps: number; walk: (walk: Walk) => Promise<void> }[] = [
  {
    title: 'El primer administrador',
    steps: 3,
    walk: async ({ page }) => {
      await page.getByLabel('Nombre', { exact: true }).fill('Ana Ruiz');
      await page.getByLabel('Email').fill('ana@tienda.example');
      await expect(page.getByLabel('Usuario')).toHaveValue('ana');
      await page.getByLabel('Contraseña', { exact: true }).fill('tres tristes tigres tragan');
      await page.keyboard.press('Enter');
      await expect(setup(page)).toBeVisible();
    },
  },
  {
    title: 'Tu empresa',
    steps: 2,
    walk: async ({ page }) => {
      await openStep(page, 'Tu empresa', 0);
      await page.getByLabel('Nombre de la empresa').fill('Sistemas del Sur');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Configuración guardada')).toBeVisible();
    },
  },
  {
    title: 'Correo',
    steps: 7,
    walk: async ({ page, host }) => {
      await openStep(page, 'Correo', 1);
      await expect(page.getByRole('region', { name: 'Servidor de correo' })).toContainText(
        'Sin servidor de correo',
      );
      await page.getByRole('button', { name: 'Configurar' }).click();
      const form = page.getByRole('dialog', { name: 'Servidor de correo' });
      await form.getByLabel('Servidor').fill(host);
      await form.getByLabel('Puerto').selectOption(String(MAIL_PORT));
      await form.getByLabel('Seguridad').selectOption({ label: 'Sin cifrado' });
      await form.getByRole('button', { name: 'Guardar cambios' }).click();
      await expect(page.getByText('Servidor de correo guardado')).toBeVisible();
    },
  },
  {
    title: 'Cómo te pagan',
    steps: 4,
    walk: async ({ page }) => {
      await openStep(page, 'Cómo te pagan', 2);
      await page.getByLabel('Instrucciones para el cliente').fill('BBVA, CLABE 012345678901234567');
      await page
        .getByRole('form', { name: 'Pagos' })
        .getByRole('button', { name: 'Guardar cambios' })
        .click();
      await expect(page.getByText('Pagos guardados')).toBeVisible();
    },
  },
  {
    title: 'Software',
    steps: 4,
    walk: async ({ page }) => {
      await openStep(page, 'Software', 3);
      const form = page.getByRole('dialog', { name: 'Nuevo Software' });
      await form.getByLabel('Nombre').fill('Caja Fácil');
      await form.getByLabel('Versión').fill('1.0');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Caja Fácil' })).toBeVisible();
    },
  },
  {
    title: 'Tipo de licencia',
    steps: 4,
    walk: async ({ page }) => {
      await openStep(page, 'Tipo de licencia', 4);
      const form = page.getByRole('dialog', { name: 'Nuevo Tipo de Licencia' });
      await form.getByLabel('Nombre').fill('Anual');
      await form.getByLabel('Precio Base').fill('1200');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('row', { name: /Anual/ })).toBeVisible();
    },
  },
  {
    title: 'Clientes',
    steps: 5,
    walk: async ({ page }) => {
      await openStep(page, 'Clientes', 5);
      const form = page.getByRole('dialog', { name: 'Nuevo Cliente' });
      await form.getByLabel('Nombre', { exact: true }).fill('Papelería López');
      await form.getByLabel('Email', { exact: true }).fill('lopez@papeleria.example');
      await form.getByLabel('Teléfono Principal').fill('+525512345678');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Cliente creado exitosamente')).toBeVisible();
    },
  },
  {
    title: 'La licencia',
    steps: 6,
    walk: async (walk) => {
      const { page, peer } = walk;
      await menu(page).getByRole('link', { name: 'Dashboard' }).click();
      await expect(setup(page).getByText('6 de 8 listos')).toBeVisible();
      await setup(page).getByRole('link', { name: 'Emitir una licencia' }).click();
      const form = page.getByRole('dialog', { name: 'Nueva Licencia' });
      await form.getByRole('combobox', { name: 'Cliente' }).fill('López');
      await page.getByRole('option', { name: /Papelería López/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await form.getByRole('button', { name: 'Usar Caja Fácil' }).click();
      await form.getByRole('button', { name: 'Usar Anual' }).click();
      await form.getByRole('button', { name: 'Crear Licencia' }).click();
      const created = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
      await expect(created).toBeVisible();
      await expect(created.getByText('Falta entregar la clave')).toHaveCount(0);
      const { email: mail } = await peer.waitFor(({ to }) => to.includes('lopez@papeleria.example'));
      walk.key = /[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/.exec(mail.text ?? '')?.[0] ?? '';
      await expect(created).toContainText(walk.key);
      expect(mail.from?.name).toBe('Sistemas del Sur');
    },
  },
  {
    title: 'El pago',
    steps: 10,
    walk: async (walk) => {
      const { page, server, peer } = walk;
      const created = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
      await created.getByRole('button', { name: 'Cerrar', exact: true }).last().click();
      await page.getByRole('link', { name: walk.key }).first().click();
      await licenseDetails(page).getByRole('button', { name: 'Más acciones' }).click();
      await page.getByRole('menuitem', { name: 'Cobrar' }).click();
      await page.getByRole('button', { name: 'Crear cobro' }).click();
      const charged = asked(page, 'Cobro creado');
      const linkIn = (text = '') => new RegExp(`${server.url}/pagar/\\S+`).exec(text)?.[0];
      const { email: mail } = await peer.waitFor(({ email }) => linkIn(email.text) !== undefined);
      // What the client sees of it, without a provider that takes cards.
      const client = await page.context().newPage();
      await client.goto(linkIn(mail.text) ?? '');
      await expect(client.getByText('BBVA, CLABE 012345678901234567')).toBeVisible();
      await client.close();
      await charged.getByRole('button', { name: 'Cerrar', exact: true }).last().click();
      await licenseDetails(page).getByRole('link', { name: '$1,200.00 MXN' }).click();
      await page.getByRole('button', { name: 'Registrar pago' }).click();
      const form = asked(page, 'Registrar un pago');
      await form.getByLabel('Cómo se pagó').selectOption('transfer');
      await form.getByRole('button', { name: 'Registrar pago' }).click();
      await expect(page.getByText('Pago registrado')).toBeVisible();
    },
  },
];

test('an empty installation for production comes to its first paid licence (DESK-06, DESK-07, PAY-01)', async ({
  browser,
  freshServer,
  guard,
}) => {
  test.slow();
  // The mail server of this test is on this machine.
  const server = await freshServer({ NODE_ENV: 'production', DEMO: undefined, MAIL_ALLOW_PRIVATE: '1' });
  const host = ownAddress();
  const peer = await startSmtpPeer({ at: { host, port: MAIL_PORT } });
  const context = await browser.newContext({ baseURL: server.url });
  await guard.watch(context);
  const steps = await countSteps(context);
  const page = await context.newPage();
  await page.goto(/https?:\S+\/primer-administrador\S+/.exec(server.output())?.[0] ?? 'no link in the log');

  const walk: Walk = { page, server, peer, host, key: '' };
  const taken: [string, number][] = [];
  for (const part of PARTS) {
    await test.step(part.title, () => part.walk(walk));
    taken.push([part.title, steps()]);
  }

  const paid = await context.request.get(`/licenses/api/licenses/?search=${walk.key}`, {
    headers: {
      authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('license_manager_token'))}`,
    },
  });
  const { results } = (await paid.json()) as { results: License[] };
  expect(Date.parse(results[0]?.expiry_date ?? '') - Date.now(), 'a second year is paid').toBeGreaterThan(
    600 * 86_400_000,
  );
  await context.close();
  await peer.stop();
  // Exactly: who needs fewer steps writes the smaller number here and into docs/promises.md.
  expect(taken).toEqual(PARTS.map(({ title, steps }) => [title, steps]));
});
