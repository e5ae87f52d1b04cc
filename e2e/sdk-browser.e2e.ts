import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/staff.ts';

const sdk = join(import.meta.dirname, '..', 'sdk', 'javascript');

test('the browser build of the SDK checks a licence, and continues to work without connection (PROG-07)', {
  tag: '@gate',
}, async ({ page, api, guard }) => {
  const dist = mkdtempSync(join(tmpdir(), 'lm-sdk-browser-'));
  execFileSync(process.execPath, [join(sdk, 'build.mjs'), dist]);
  const script = readFileSync(join(dist, 'license.browser.js'), 'utf8');
  rmSync(dist, { recursive: true });
  const [client, software] = [await api.createClient(), await api.createSoftware()];
  const license = await api.createLicense({
    ...{ client: client.id, software: software.id, expiry_days: null },
    features: { modulo_nomina: true },
    meters: { facturas: { limit: 3, period: 'never', overage: 'refuse' } },
  });
  const { results } = await api.call<{ results: { state: string; public_jwk: object }[] }>(
    'GET',
    '/licenses/api/signing-keys/',
  );
  const keys = results.filter(({ state }) => state !== 'retired').map(({ public_jwk }) => public_jwk);
  const about = { software: software.code, keys, store: 'programa', machineId: 'navegador-1' };
  await page.goto('/login');
  const program = `(async () => {
    ${script}
    const options = ${JSON.stringify(about)};
    const license = new LicenseManager.License({ ...options, server: location.origin });
    const result = await license.check(${JSON.stringify(license.license_key)});
    const { ok, reason, offline, detail, storeError } = result;
    const text = LicenseManager.messageFor(result);
    return { ok, reason, offline, detail, storeError, text, has: license.has('modulo_nomina') };
  })()`;
  const good = { ok: true, reason: null, storeError: null, text: '', has: true };
  expect(await page.evaluate(program)).toEqual({ ...good, offline: false, detail: null });
  guard.allowConsoleError(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  expect(await page.evaluate(program)).toEqual({ ...good, offline: true, detail: 'unreachable' });

  // Each use has a name of its own in localStorage, so a page that is opened again knows what is left (CODE-01).
  const uses = `(async () => {
    ${script}
    const license = new LicenseManager.License({ ...${JSON.stringify(about)}, server: location.origin });
    const told = [];
    for (const amount of [2, 2]) told.push(await license.use('facturas', amount), license.remaining('facturas'));
    return told;
  })()`;
  expect(await page.evaluate(uses)).toEqual([true, 1, false, 1]);
  expect(await page.evaluate(uses)).toEqual([false, 1, false, 1]);
  await page.context().setOffline(false);
  await page.evaluate(program);
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('.usage')));
  expect(await kept()).toEqual([]);
  const usage = `/licenses/api/licenses/${license.id}/usage/`;
  expect(await api.call('GET', usage)).toMatchObject({ results: [{ code: 'facturas', used: 2 }] });
});
