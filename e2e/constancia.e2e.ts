import type { Locator } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { barriers } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { expect, test, unique } from './support/staff.ts';

/** The certificate of a licence, and the public page to which its QR code leads (LIFE-12). */

/** Decodes the QR code on the page. */
async function scan(drawing: Locator): Promise<string> {
  const side = Number((await drawing.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await drawing.locator('path').getAttribute('d')) ?? '';
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g)) {
    for (let row = 0; row < scale; row += 1) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let dot = 0; dot < scale; dot += 1) data.fill(0, start + dot * 4, start + dot * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

test('a certificate is printed on one light page, and its QR code leads to the public check', {
  tag: '@gate',
}, async ({ page, api, browser, guard, server }) => {
  const client = await api.createClient({ name: 'Comercializadora Ríos', email: `${unique()}@example.com` });
  const software = await api.createSoftware({ name: `Caja ${unique()}`, version: '4.2.0' });
  const license = await api.createLicense({ client: client.id, software: software.id });

  await page.goto(`/licenses/${license.id}`);
  const details = licenseDetails(page);
  await details.getByRole('button', { name: 'Más acciones' }).click();
  await page.getByRole('menuitem', { name: 'Constancia', exact: true }).click();
  await expect(page).toHaveURL(`/licenses/${license.id}/constancia`);
  await expect(page).toHaveTitle(/Constancia de licencia/);
  const sheet = page.getByRole('article', { name: 'Constancia de licencia' });
  for (const text of [client.name, `${software.name} 4.2.0`, license.license_key, 'Vigente']) {
    await expect(sheet).toContainText(text);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  const url = await scan(sheet.getByRole('img', { name: /^Código QR/ }));
  await expect(sheet.getByRole('link', { name: url })).toBeVisible();

  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden();
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)');
  for (const format of ['A4', 'Letter'] as const) expect(pagesOf(await page.pdf({ format }))).toBe(1);

  // People who scan it have no session.
  const stranger = await browser.newContext({ baseURL: server.url });
  await guard.watch(stranger);
  const check = await stranger.newPage();
  const asked: string[] = [];
  check.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await check.goto(new URL(url).pathname);
  await expect(check.getByRole('heading', { name: '¿Es auténtica?' })).toBeVisible();
  const answer = check.getByRole('status');
  await expect(answer).toContainText('Sí, es auténtica');
  await expect(answer).toContainText(`${software.name} 4.2.0`);
  await expect(answer).toContainText('C••• R•••');
  await expect(answer).not.toContainText('Comercializadora');
  expect(await check.content()).not.toContain(license.license_key);
  expect(asked.filter((path) => /\/(start|main|index)-/.test(path))).toEqual([]);

  await api.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {});
  await check.reload();
  await expect(answer).toContainText('Suspendida');

  guard.allowConsoleError(/404.*\/verify\//);
  await check.goto('/verificar/2222-2222-2222-2222');
  await expect(answer).toContainText('No se encontró');
  await check.setViewportSize({ width: 390, height: 844 });
  await check.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  expect(await barriers(check, { goodPractice: true })).toEqual([]);
  await check.getByLabel('Código de verificación').fill(url.slice(-19).toLowerCase());
  await check.getByRole('button', { name: 'Comprobar' }).click();
  await expect(answer).toContainText('Sí, es auténtica');
  await stranger.close();
});
