import { SETTINGS_DEFAULTS } from '../contract/settings/settings.ts';
import { barriers } from './support/axe.ts';
import {
  askForCode,
  CODE_SUBJECT,
  codeIn,
  fillSeats,
  heading,
  linkIn,
  mailTo,
  openShop,
  signInByCode,
} from './support/portal.ts';
import { test as base, enter, expect, type StaffApi, signIn, staffApi, unique } from './support/staff.ts';
import { stepsOf } from './support/steps.ts';

/** The client portal with the real server and the mails that it writes (PORTAL-01 to -08). */

/** Like the test of staff.ts, but on `page` nobody is signed in to the console. */
const test = base.extend<{ api: StaffApi }>({
  api: async ({ request }, use) => use(staffApi(request, (await signIn(request)).token)),
  page: async ({ context }, use) => use(await context.newPage()),
});

// A separate server for each test, because requests for codes are limited for each IP address.
test.use({ serverEnv: {} });

const PHONE = { width: 320, height: 640 };

test('a client who knows only the mail address signs in and releases a machine (PORTAL-01, PORTAL-05)', {
  tag: '@gate',
}, async ({ page, api, server }) => {
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await page.setViewportSize(PHONE);
  await signInByCode(page, server, shop.client.email);

  // The client's only licence is shown at once.
  await expect(heading(page, 'Punto de venta 4.2')).toBeFocused();
  await expect(page.getByText('Vigente')).toBeVisible();
  await expect(page.getByText(shop.license.license_key)).toBeVisible();
  await expect(page.getByText('2 de 2 equipos en uso')).toBeVisible();
  await expect(page.getByText('Todos los lugares están ocupados')).toBeVisible();
  await expect(page.getByText('maquina-…').first()).toBeVisible();
  await expect(page.getByText('maquina-uno')).toHaveCount(0);

  await page.getByRole('button', { name: 'Liberar este equipo: Caja 1' }).click();
  const question = page.getByRole('dialog', { name: '¿Liberar Caja 1?' });
  await question.getByRole('button', { name: 'Liberar', exact: true }).click();
  await expect(question.getByText('Elija por qué lo libera')).toBeVisible();
  await question.getByRole('radio', { name: 'Se descompuso o se perdió' }).check();
  await question.getByRole('button', { name: 'Liberar', exact: true }).click();
  await expect(question).toHaveCount(0);
  const said = page.getByRole('status').filter({ hasText: 'Caja 1 quedó libre' });
  await expect(said).toBeFocused();
  await expect(page.getByText('1 de 2 equipos en uso')).toBeVisible();

  const { results } = await api.call<{ results: { type: string; actor: { kind: string } }[] }>(
    'GET',
    `/licenses/api/events/?license=${shop.license.id}&type=installation.released`,
  );
  expect(results).toMatchObject([{ actor: { kind: 'client', name: 'Zapatería Lupita' } }]);
});

test('on a slow phone a client gets from the mail to a released machine with five presses, within a minute (PORTAL-05)', async ({
  browser,
  server,
  api,
  guard,
}) => {
  const shop = await openShop(api);
  await fillSeats(api, shop);
  const phone = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await guard.watch(phone);
  const page = await phone.newPage();
  // Slowed down like a phone in Lighthouse: a normal 4G connection, and a quarter of this processor's speed.
  const devtools = await phone.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto('/portal');
  await askForCode(page, shop.client.email);
  const link = linkIn(await mailTo(server, shop.client.email, CODE_SUBJECT));

  const began = Date.now();
  // The click on the button after opening the mail's link is counted first.
  await page.goto(link);
  const steps = await stepsOf(page, async () => {
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('button', { name: 'Liberar este equipo: Caja 2' }).click();
    await page.getByText('Compré otro equipo').click();
    await page.getByRole('button', { name: 'Liberar', exact: true }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Caja 2 quedó libre' })).toBeVisible();
  });
  expect(steps).toEqual({ clicks: 4, keys: 0 });
  const seconds = (Date.now() - began) / 1000;
  test.info().annotations.push({ type: 'seconds', description: String(seconds) });
  expect(seconds).toBeLessThan(60);
  await phone.close();
});

test('a link opened in another browser asks to enter the code where it was requested, and the code still works there (PORTAL-01)', async ({
  page,
  browser,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400.*\/sign-in\/verify\//);
  const { client } = await openShop(api);
  await page.goto('/portal');
  await askForCode(page, client.email);
  const mail = await mailTo(server, client.email, CODE_SUBJECT);

  const other = await browser.newContext({ baseURL: server.url });
  await guard.watch(other);
  const elsewhere = await other.newPage();
  await elsewhere.goto(linkIn(mail));
  // The token has left the address before any click, and opening the page does not use the link.
  await expect(elsewhere).toHaveURL('/portal');
  await elsewhere.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(heading(elsewhere, 'Este enlace no sirve aquí')).toBeFocused();
  await expect(elsewhere.getByText('escríbalo allí: son los seis números')).toBeVisible();
  expect(await barriers(elsewhere)).toEqual([]);
  await elsewhere.getByRole('button', { name: 'Entrar con mi correo' }).click();
  await expect(heading(elsewhere, 'Entre a sus licencias')).toBeVisible();
  await other.close();

  const code = page.getByLabel('Código de seis números');
  await code.fill('12345');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page.getByText('El código tiene seis números')).toBeVisible();
  await code.fill(codeIn(mail) === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(code).toHaveAccessibleDescription(/El código no es correcto/);
  // The code with spaces, as copied from a mail.
  await code.fill(` ${codeIn(mail).slice(0, 3)} ${codeIn(mail).slice(3)} `);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
});

test('a client signs in, releases a machine, asks for a renewal and signs out by keyboard alone (PORTAL-02)', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await page.goto('/portal');
  await expect(page.getByLabel('Su correo electrónico')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Su correo electrónico')).toBeFocused();
  await page.keyboard.type(shop.client.email);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Revise su correo')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type(codeIn(await mailTo(server, shop.client.email, CODE_SUBJECT)));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Punto de venta 4.2')).toBeFocused();

  const press = async (name: string) => {
    for (let tries = 0; tries < 30; tries += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
      if (focused === name) return page.keyboard.press('Enter');
    }
    throw new Error(`${name} was not reached`);
  };
  await press('Liberar este equipo: Caja 2');
  const question = page.getByRole('dialog');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Liberar este equipo: Caja 2' })).toBeFocused();
  await page.keyboard.press('Enter');
  // The first answer has the focus; the arrow key moves to the second and chooses it.
  await expect(question.getByRole('radio', { name: 'Compré otro equipo' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Caja 2 quedó libre' })).toBeFocused();

  await press('Pedir algo a su proveedor');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Con factura, por favor');
  await press('Enviar solicitud');
  await expect(page.getByRole('status').filter({ hasText: 'Su solicitud llegó' })).toBeFocused();
  const mail = await mailTo(server, 'ayuda@ejemplo.mx', /Zapatería Lupita/);
  expect(mail.text).toContain('Con factura, por favor');

  await page.keyboard.press('Control+Home');
  await page.getByRole('button', { name: 'Salir' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Cerró su sesión.')).toBeVisible();
});

test('when the monthly limit of releases is reached, the page shows the day from which it is possible again, and no button (PORTAL-05)', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api, { license: { self_release: true, releases_per_month: 1 } });
  await fillSeats(api, shop);
  await signInByCode(page, server, shop.client.email);
  await page.getByRole('button', { name: 'Liberar este equipo: Caja 1' }).click();
  await page.getByRole('radio', { name: 'Otro motivo' }).check();
  await page.getByRole('button', { name: 'Liberar', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Caja 1 quedó libre' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Liberar este equipo/ })).toHaveCount(0);
  await expect(page.getByText(/Podrá hacerlo desde el 01\/\d\d\/\d{4}/)).toBeVisible();
});

test('after an idle session ends, signing in again returns to the same page (PORTAL-03)', async ({
  page,
  context,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/401/);
  const shop = await openShop(api);
  await api.createLicense({ client: shop.client.id, software: shop.software.id });
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Mis licencias')).toBeVisible();
  await page.getByRole('link', { name: new RegExp(shop.license.license_key) }).click();
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  await expect(page).toHaveURL(`/portal?licencia=${shop.license.id}`);
  await context.clearCookies();
  await page.reload();
  await expect(page.getByText('Su sesión terminó por seguridad')).toBeVisible();
  await askForCode(page, shop.client.email);
  await page
    .getByLabel('Código de seis números')
    .fill(codeIn(await mailTo(server, shop.client.email, CODE_SUBJECT, 1)));
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page.getByText(shop.license.license_key)).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Mis datos' }).click();
  await page.goBack();
  await expect(heading(page, 'Mis licencias')).toBeVisible();
});

test('a client saves own data, sees errors at refused fields, and can turn reminders off (PORTAL-04)', async ({
  page,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400.*\/portal\/me\//);
  const { client } = await openShop(api);
  await signInByCode(page, server, client.email);
  await page.getByRole('link', { name: 'Mis datos' }).click();
  await expect(heading(page, 'Mis datos')).toBeFocused();
  await page.getByLabel('Teléfono').fill('x');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByLabel('Teléfono')).toHaveAttribute('aria-invalid', 'true');
  // The number of the client's country is stored, and that is said (INPUT-02).
  await page.getByLabel('Teléfono').fill('044 55 9999 8888');
  await page.getByLabel('Régimen fiscal').selectOption('616');
  await page.getByLabel('Avisarme por correo').uncheck();
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Sus datos quedaron guardados' })).toBeVisible();
  await expect(page.getByLabel('Teléfono')).toHaveValue('+525599998888');
  await expect(page.getByLabel('Teléfono')).toHaveAccessibleDescription(
    'Lo guardamos como +525599998888, con la clave de su país',
  );
  expect(await barriers(page)).toEqual([]);
  expect(await api.call('GET', `/licenses/api/clients/${client.id}/`)).toMatchObject({
    phone: '+525599998888',
    tax_regime: '616',
    reminders: false,
  });
  await page.getByRole('button', { name: 'Cerrar todas mis sesiones' }).click();
  await expect(page.getByText('Cerró su sesión.')).toBeVisible();
});

test('a client downloads an offline file and the certificate, and gets all data by mail (PORTAL-05)', async ({
  page,
  server,
  api,
}) => {
  const shop = await openShop(api);
  await signInByCode(page, server, shop.client.email);
  await page.getByRole('button', { name: 'Archivo para un equipo sin internet' }).click();
  const question = page.getByRole('dialog', { name: 'Archivo para un equipo sin internet' });
  await question.getByLabel('Identificador del equipo').fill('bodega-01');
  await question.getByLabel('Nombre del equipo (para reconocerlo)').fill('Bodega');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    question.getByRole('button', { name: 'Descargar' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.lic/);
  await expect(page.getByRole('status').filter({ hasText: 'El archivo se descargó' })).toBeVisible();
  await expect(page.getByText('Bodega', { exact: true })).toBeVisible();
  // The license file of this machine has not expired, so only staff can release it.
  await expect(page.getByRole('button', { name: /Liberar este equipo/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Recibir los datos por correo' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Le enviamos los datos' })).toBeVisible();

  await page.getByRole('link', { name: 'Ver la constancia' }).click();
  const sheet = page.getByRole('article', { name: 'Constancia de licencia' });
  await expect(sheet).toContainText('Zapatería Lupita');
  await expect(sheet).toContainText(shop.license.license_key);
  expect(await barriers(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Salir' })).toBeHidden();
});

test('a page of another origin cannot call the portal with the client’s cookie (PORTAL-03)', {
  tag: '@gate',
}, async ({ page, context, server, api, guard }) => {
  guard.allowConsoleError(/CORS|403|ERR_FAILED|blocked/i);
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  const {
    results: [machine],
  } = await api.call<{ results: { id: number }[] }>(
    'GET',
    `/licenses/api/installations/?license=${shop.license.id}`,
  );

  // Same site but another origin: the browser sends the cookie, and the page's policy does not block the call.
  const origin = server.url.replace('127.0.0.1', 'localhost');
  const evil = await context.newPage();
  await evil.route(`${origin}/evil`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title><body></body>' }),
  );
  await evil.goto(`${origin}/evil`);
  const outcome = await evil.evaluate(
    async ([base, id]) => {
      const call = `${base}/licenses/api/portal/installations/${id}/release/`;
      const send = (init: RequestInit) =>
        fetch(call, { method: 'POST', credentials: 'include', body: '{"why":"new"}', ...init }).then(
          ({ status, type }) => `${status} ${type}`,
          (error: Error) => error.name,
        );
      const read = await fetch(`${base}/licenses/api/portal/me/`, { credentials: 'include' }).then(
        () => 'read',
        (error: Error) => error.name,
      );
      return [
        await send({ headers: { 'X-Portal': '1', 'Content-Type': 'application/json' } }),
        await send({ mode: 'no-cors', headers: { 'Content-Type': 'text/plain' } }),
        read,
      ];
    },
    [server.url, String(machine?.id)] as const,
  );
  expect(outcome[0]).toBe('TypeError');
  expect(outcome[1]).toMatch(/opaque|TypeError/);
  expect(outcome[2]).toBe('TypeError');
  // A plain form, which any page can send. The page that sends it is replaced by the answer.
  const [refusal] = await Promise.all([
    evil.waitForResponse((response) => response.request().isNavigationRequest()),
    evil.waitForURL(/\/release\/$/),
    evil.evaluate(
      ([base, id]) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = `${base}/licenses/api/portal/installations/${id}/release/`;
        document.body.append(form);
        setTimeout(() => form.submit());
      },
      [server.url, String(machine?.id)] as const,
    ),
  ]);
  expect(refusal.status()).toBe(403);
  await evil.close();
  await page.reload();
  await expect(page.getByText('2 de 2 equipos en uso')).toBeVisible();
});

test('a portal that is switched off during a session shows a message, and a licence of another client is not found (PORTAL-03)', async ({
  page,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/404/);
  const shop = await openShop(api);
  const stranger = await api.createClient();
  const other = await api.createLicense({ client: stranger.id, software: shop.software.id });
  await signInByCode(page, server, shop.client.email);
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  await page.goto(`/portal?licencia=${other.id}`);
  await expect(heading(page, 'No encontramos esa licencia')).toBeVisible();
  await api.call('PUT', '/licenses/api/settings/', SETTINGS_DEFAULTS);
  await page.reload();
  await expect(heading(page, 'Esta página no está disponible por ahora')).toBeVisible();
});

test("staff see the client's request and sign-in, send the portal link, and can view the portal as the client (PORTAL-08)", async ({
  page,
  browser,
  server,
  api,
  request,
  guard,
}) => {
  guard.allowConsoleError(/403.*\/portal\//);
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await signInByCode(page, server, shop.client.email);
  await page.getByRole('button', { name: 'Pedir algo a su proveedor' }).click();
  await page.getByRole('radio', { name: 'Usarla en más equipos' }).check();
  await page.getByRole('button', { name: 'Enviar solicitud' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Su solicitud llegó' })).toBeVisible();

  const office = await browser.newContext({ baseURL: server.url });
  await guard.watch(office);
  const desk = await office.newPage();
  await enter(desk, await signIn(request));
  await desk.goto('/dashboard');
  const asked = desk
    .getByRole('list', { name: 'Pendientes' })
    .getByRole('listitem')
    .filter({ hasText: 'Zapatería Lupita' })
    .getByRole('button', { name: 'Responder' });
  await expect(asked).toBeVisible();
  await desk.getByRole('button', { name: 'Notificaciones' }).click();
  await expect(desk.getByText('Zapatería Lupita pide más equipos para Punto de venta')).toBeVisible();
  await desk.keyboard.press('Escape');
  await asked.click();
  await desk.getByRole('dialog').getByRole('link', { name: 'Abrir el cliente' }).click();
  await expect(desk).toHaveURL(`/clients/${shop.client.id}`);
  await expect(desk.getByText('Zapatería Lupita pidió más equipos')).toBeVisible();

  const section = desk.getByRole('region', { name: 'Portal' });
  await expect(section).toContainText('Entró por última vez el');
  await section.getByRole('button', { name: 'Enviar acceso' }).click();
  await expect(desk.getByText(`Se envió el acceso a ${shop.client.email}`)).toBeVisible();
  const mail = await mailTo(server, shop.client.email, /en un solo lugar/);
  expect(mail.text).toContain(`${server.url}/portal`);
  expect(mail.text).not.toMatch(/#t=/);

  const [view] = await Promise.all([
    office.waitForEvent('page'),
    section.getByRole('button', { name: 'Ver como cliente' }).click(),
  ]);
  await view.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(heading(view, 'Punto de venta 4.2')).toBeVisible();
  await expect(view).toHaveURL('/portal');
  await expect(view.getByRole('note')).toHaveText('Así ve el portal el cliente. Aquí no puede cambiar nada.');
  await expect(view.getByRole('button', { name: 'Salir' })).toHaveCount(0);
  for (const button of await view
    .getByRole('button', { name: /Liberar|Pedir|Recibir|Archivo|constancia/ })
    .all()) {
    await expect(button).toBeDisabled();
  }
  expect(await barriers(view)).toEqual([]);
  await office.close();
});

test('a program opens the portal with access to its own licence and machine only (PORTAL-06)', async ({
  page,
  request,
  api,
}) => {
  const shop = await openShop(api);
  await fillSeats(api, shop);
  await api.createLicense({ client: shop.client.id, software: shop.software.id });
  const answer = await request.post('/licenses/api/portal/ticket/', {
    data: { license_key: shop.license.license_key, machine_id: 'maquina-uno' },
  });
  const { url } = await answer.json();
  expect(url).toContain('/portal#k=');
  await page.goto(url);
  await expect(page).toHaveURL('/portal');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Mis datos' })).toHaveCount(0);
  await expect(page.getByText('Caja 1', { exact: true })).toBeVisible();
  await expect(page.getByText('Caja 2', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Ver la constancia' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Archivo para un equipo sin internet' }).click();
  await expect(page.getByRole('dialog')).toContainText('en este equipo');
  await expect(page.getByRole('dialog').getByLabel('Identificador del equipo')).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Descargar' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.lic/);
});

test('a contact of two clients chooses after the code whose licences to see, and the header says for whom (DESK-04)', async ({
  page,
  server,
  api,
  guard,
}) => {
  guard.allowConsoleError(/400.*\/sign-in\/verify\//);
  const shop = await openShop(api);
  const email = `luis-${unique()}@despacho.example`;
  const contacts = [{ name: 'Luis Pérez', email, receives: ['portal' as const] }];
  await api.call('PUT', `/licenses/api/clients/${shop.client.id}/`, { contacts });
  const other = await api.createClient({ name: 'Ábaco y Compañía', contacts });
  await page.setViewportSize(PHONE);
  await signInByCode(page, server, email);
  await expect(heading(page, '¿A nombre de quién entra?')).toBeFocused();
  const names = page.getByRole('main').getByRole('listitem').getByRole('button');
  await expect(names).toHaveText(['Ábaco y Compañía', 'Zapatería Lupita']);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  }
  // A client that has removed the contact meanwhile cannot be chosen any more; the other one still can.
  await api.call('PUT', `/licenses/api/clients/${other.id}/`, { contacts: [] });
  await names.first().click();
  await expect(page.getByRole('alert')).toContainText('Esa opción ya no está disponible');
  await names.last().click();
  await expect(heading(page, 'Punto de venta 4.2')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Luis Pérez, por Zapatería Lupita');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await page.getByRole('link', { name: 'Mis datos' }).click();
  await expect(heading(page, 'Mis datos')).toBeVisible();
  // A contact changes neither tax data nor reminders.
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});
