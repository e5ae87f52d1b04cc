import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientDetails } from '../../contract/clients/clients.ts';
import type { LicenseType } from '../../contract/license-types/license-types.ts';
import type { PaymentRequest } from '../../contract/payments/payment-requests.ts';
import { CODE_SUBJECT, codeIn, mailTo } from '../../e2e/support/portal.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import type { Automation } from './automation.ts';
import { startFirefox } from './firefox.ts';
import { pageOf } from './page.ts';
import { startWebKit } from './webkit.ts';

/** The main job in the two engines that the other browser tests do not use (docs/decisions/149-three-engines-at-night.md). */

const ENGINES = { Firefox: startFirefox, WebKitGTK: startWebKit };
const WIDTH = 1280;
const HEIGHT = 900;
const PICTURES = join(import.meta.dirname, '..', '..', 'test-results', 'engines');
const client = { name: 'Óscar Núñez', email: 'oscar.nunez@example.com' };

describe.each(Object.entries(ENGINES))('%s', (engine, start) => {
  let server: RunningServer;
  let automation: Automation;
  let page: ReturnType<typeof pageOf>;
  let call: <T>(method: string, path: string, body?: object) => Promise<T>;

  beforeAll(async () => {
    server = await startServer();
    automation = await start(WIDTH, HEIGHT);
    page = pageOf(automation, server.url);
    call = await staffOf(server.url);
    await call('PUT', '/licenses/api/settings/', { portal_enabled: true, vendor_name: 'Sistemas Río' });
  });

  afterAll(async () => {
    await automation?.close();
    await server?.stop();
  });

  /** A picture to look at afterwards; nothing compares it. */
  const keep = async (name: string): Promise<void> => {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(PICTURES, `${engine}-${name}.png`), await automation.picture());
    expect(await page.overflow(), `${name}: wider than the window`).toBe(0);
  };

  test('staff sign in, create a client and issue a licence', async () => {
    await page.open('/login');
    await page.fill('Usuario', 'admin');
    await page.fill('Contraseña', 'admin123');
    await page.press('button', 'Iniciar Sesión');
    await page.sees('Bienvenido al sistema de gestión de licencias');
    await page.find('heading', 'Para hoy');
    await keep('dashboard');

    await page.press('link', 'Clientes');
    await page.press('button', 'Nuevo Cliente');
    await page.fill('Nombre', client.name);
    await page.fill('Email', client.email);
    await page.fill('Teléfono Principal', '5512345678');
    await keep('client-form');
    await page.press('button', 'Crear Cliente');
    await page.sees('Cliente creado exitosamente');

    await page.press('link', 'Licencias');
    await page.press('button', 'Nueva Licencia');
    await page.fill('Cliente', 'nunez');
    await page.press('option', client.email);
    await page.choose('Software', 'Caja Fácil');
    await page.choose('Tipo de Licencia', 'Anual');
    await keep('license-form');
    await page.press('button', 'Crear Licencia');
    await page.sees('¡Licencia Creada Exitosamente!');
    const key = await page.reads(/[2-9A-HJ-NP-Z]{5}(?:-[2-9A-HJ-NP-Z]{5}){4}/);
    await keep('license-created');
    await page.press('button', 'Cerrar');

    const { valid } = await call<{ valid: boolean }>('POST', '/licenses/api/license/validate/', {
      license_key: key,
      machine_id: 'caja-principal',
    });
    expect(valid).toBe(true);
    await page.press('link', 'Clientes');
    await page.fill('Buscar clientes', 'nunez');
    await page.find('row', client.email);
    const id = (await clientsOf(call)).id;
    await page.open(`/clients/${id}`);
    await page.sees('Detalles del Cliente');
    await page.press('tab', 'Licencias');
    await page.sees(key);
    await keep('client');
  });

  test("staff release a machine on the client's page, and act in Para hoy", async () => {
    const { id } = await clientsOf(call);
    const { results: types } = await call<{ results: LicenseType[] }>('GET', '/licenses/api/license-types/');
    const licence = await call<{ license_key: string }>('POST', '/licenses/api/licenses/', {
      client: id,
      software: 1,
      license_type_config: types.find(({ name }) => name.includes('Anual'))!.id,
      price: 900,
      expiry_days: 3,
    });
    await call('POST', '/licenses/api/installations/', {
      license_key: licence.license_key,
      machine_id: 'mostrador',
    });
    await page.open(`/clients/${id}`);
    await page.find('link', 'Llamar al +5512345678');
    await page.press('tab', 'Instalaciones');
    await page.press('button', 'Liberar mostrador');
    await page.sees('Equipo liberado exitosamente');
    await keep('released');
    await page.press('button', 'Deshacer');
    await page.find('button', 'Liberar mostrador');

    const matter = `La licencia de ${client.name} está por vencer`;
    await page.open('/dashboard');
    await page.press('button', `Hecho: ${matter}`);
    await page.sees('Marcado como hecho');
    await page.press('button', 'Deshacer');
    await page.press('button', `Renovar: ${matter}`);
    await page.find('heading', 'Renovar la licencia');
    await keep('inbox');
    await page.press('button', 'Renovar');
    await page.sees('Licencia renovada');
    await page.misses(matter);
  });

  test('a client signs in to the portal with the code of a mail, and sees the licence', async () => {
    await page.open('/portal');
    await page.fill('Su correo electrónico', client.email);
    await page.press('button', 'Enviarme el código');
    const code = codeIn(await mailTo(server, client.email, CODE_SUBJECT));
    await page.fill('Código de seis números', code);
    await page.press('button', 'Entrar');
    await page.sees('Vigente');
    await page.sees('Caja Fácil');
    await keep('portal');
  });

  test('a client pays a renewal on the page of its link', async () => {
    const type = await call<LicenseType>('POST', '/licenses/api/license-types/', {
      name: 'Mensual de prueba',
      base_price: 250,
      max_installations: 1,
      validity_days: 30,
    });
    const licence = await call<{ id: number }>('POST', '/licenses/api/licenses/', {
      client: (await clientsOf(call)).id,
      software: 1,
      license_type_config: type.id,
      price: 250,
    });
    const { url } = await call<PaymentRequest>('POST', '/licenses/api/payment-requests/', {
      lines: [{ license: licence.id, kind: 'renewal' }],
      notify: false,
    });
    await page.open(new URL(url).pathname);
    await page.sees('Mensual de prueba');
    await keep('pay');
    await page.press('button', 'Pagar con Pago de prueba');
    await page.press('button', 'Aprobar');
    await page.sees('Recibimos su pago');
    await keep('paid');
  });

  const clientsOf = async (ask: typeof call): Promise<ClientDetails> => {
    const { results } = await ask<{ results: ClientDetails[] }>(
      'GET',
      `/licenses/api/clients/?search=${encodeURIComponent(client.email)}`,
    );
    return results[0]!;
  };
});

/** Calls of a signed-in administrator. */
async function staffOf(url: string) {
  const ask = async <T>(method: string, path: string, body?: object, token?: string): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { token } = await ask<{ token: string }>('POST', '/api/auth/login/', {
    username: 'admin',
    password: 'admin123',
  });
  return <T>(method: string, path: string, body?: object) => ask<T>(method, path, body, token);
}
