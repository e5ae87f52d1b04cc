import type { Page } from '@playwright/test';
import type { PaymentRequest } from '../contract/payments/payment-requests.ts';
import { MAIL_PORT, ownAddress, type SmtpPeer, startSmtpPeer } from '../test/smtp-peer.ts';
import type { RunningServer } from '../test/start-server.ts';
import { expect, test } from './support/fixtures.ts';
import { countSteps } from './support/steps.ts';

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
    title: 'La licencia y su pago',
    steps: 7,
    walk: async (walk) => {
      const { page, server, peer } = walk;
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
      // What was paid is noted in the step that sells (MONEY-05).
      await form.getByRole('radio', { name: /^Ya pagó/ }).check();
      await form.getByLabel('Referencia').fill('SPEI 0042');
      await page.keyboard.press('Enter');
      const created = page.getByRole('dialog', { name: '¡Licencia Creada Exitosamente!' });
      await expect(created.getByText('Pago registrado: $1,200.00 MXN')).toBeVisible();
      await expect(created.getByText('Falta entregar la clave')).toHaveCount(0);
      // One mail has the key and says what was received.
      const { email: mail } = await peer.waitFor(({ to }) => to.includes('lopez@papeleria.example'));
      walk.key = /[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/.exec(mail.text ?? '')?.[0] ?? '';
      await expect(created).toContainText(walk.key);
      expect(mail.from?.name).toBe('Sistemas del Sur');
      expect(mail.text).toContain('$1,200.00 MXN');
      expect(mail.text).toContain('SPEI 0042');
      expect(server.output()).not.toContain(walk.key);
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

  const asked = await context.request.get(`/licenses/api/payment-requests/?search=${walk.key}`, {
    headers: {
      authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('license_manager_token'))}`,
    },
  });
  const { results } = (await asked.json()) as { results: PaymentRequest[] };
  expect(results).toMatchObject([{ state: 'paid', amount: 1200, lines: [{ kind: 'sold' }] }]);
  await context.close();
  await peer.stop();
  // Exactly: who needs fewer steps writes the smaller number here and into docs/promises.md.
  expect(taken).toEqual(PARTS.map(({ title, steps }) => [title, steps]));
});
