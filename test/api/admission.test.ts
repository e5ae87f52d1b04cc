import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT, POSTGRES_AT_NIGHT } from '../at-night.ts';
import { createLicense } from '../factories.ts';
import { setSettings } from '../portal.ts';

/** What each call with a licence key costs an attacker: invented machines and unknown keys (docs/decisions/114). */

const NOW = '2026-11-29T18:00:00.000Z';
const SEATS = 5;
/** What one address may send in a minute: docs/decisions/007. */
const FROM_ADDRESS = 2 * SEATS + 300;

/** Every route whose credential is a licence key, with the example of its body. */
const programRoutes = (t: TestApp) =>
  Object.entries(apiDocument(t.app).paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (operation['x-access'] !== 'license-key') return [];
      const body = operation.requestBody?.content['application/json'];
      return [{ url, method, example: body?.example as Record<string, unknown> }];
    }),
  );

async function programs() {
  const t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '127.0.0.1' } });
  await setSettings(t, { portal_enabled: true });
  const { license_key } = await createLicense(t, { max_installations: SEATS });
  const routes = programRoutes(t);
  expect(routes.length).toBeGreaterThan(5);
  const caller =
    (route: (typeof routes)[number]) =>
    async (values: { license_key: string; machine_id: string }, ip: string): Promise<number> => {
      const { software: _software, ...example } = route.example;
      const { status } = await t.call(route.method.toUpperCase(), route.url, {
        token: null,
        headers: { 'x-forwarded-for': ip },
        body: { ...example, ...values },
      });
      return status;
    };
  return { t, routes, license_key, caller };
}

const count = (statuses: number[]) => statuses.filter((status) => status !== 429).length;

describe('every call with a licence key', { tags: ['SELL-03', 'PORTAL-06'] }, () => {
  test('stops invented machines of one address, and answers others', {
    tags: [POSTGRES_AT_NIGHT],
  }, async () => {
    const { t, routes, license_key, caller } = await programs();
    for (const [index, route] of routes.entries()) {
      const call = caller(route);
      const statuses: number[] = [];
      for (let number = 0; number < FROM_ADDRESS + 2; number += 1) {
        statuses.push(
          await call({ license_key, machine_id: `inventada-${index}-${number}` }, `203.0.113.${index}`),
        );
      }
      expect([route.url, count(statuses), statuses.at(-1)]).toEqual([route.url, FROM_ADDRESS, 429]);
      expect([route.url, await call({ license_key, machine_id: 'otra' }, '198.51.100.1')]).not.toEqual([
        route.url,
        429,
      ]);
      t.clock.advance(60_000);
    }
  });

  test('stops invented machines that come from many networks of one /48', {
    tags: [NIGHT],
    // More than ten thousand calls.
    timeout: 300_000,
  }, async () => {
    const { t, routes, license_key, caller } = await programs();
    for (const [index, route] of routes.entries()) {
      const call = caller(route);
      const statuses: number[] = [];
      for (let number = 0; number < 4 * FROM_ADDRESS + 2; number += 1) {
        const ip = `2001:db8:${index + 1}:${number.toString(16)}::1`;
        statuses.push(await call({ license_key, machine_id: `inventada-${index}-${number}` }, ip));
      }
      expect([route.url, count(statuses), statuses.at(-1)]).toEqual([route.url, 4 * FROM_ADDRESS, 429]);
      t.clock.advance(60_000);
    }
  });

  test('stops unknown keys of one address and of one /48', async () => {
    const { routes, caller } = await programs();
    const unknown = { license_key: 'AAAA-BBBB-CCCC-DDDD-EEEE', machine_id: 'caja-1' };
    for (const [index, route] of routes.entries()) {
      const call = caller(route);
      const one: number[] = [];
      for (let number = 0; number < 22; number += 1) one.push(await call(unknown, `203.0.113.${index}`));
      expect([route.url, count(one)]).toEqual([route.url, 20]);
      const many: number[] = [];
      for (let number = 0; number < 82; number += 1) {
        many.push(await call(unknown, `2001:db8:${index + 1}:${number.toString(16)}::1`));
      }
      expect([route.url, count(many)]).toEqual([route.url, 80]);
    }
  });
});

describe('every other limit by address', () => {
  test.each([
    [
      'POST',
      '/licenses/api/portal/sign-in/',
      (number: number) => ({ email: `cliente-${number}@example.com` }),
      40,
    ],
    ['GET', '/licenses/api/verify/AAAA-BBBB-CCCC/', () => undefined, 80],
    ['GET', '/licenses/api/pay/AAAA-BBBB-CCCC/', () => undefined, 80],
  ])('%s %s counts the /48 of many networks too', async (method, url, bodyOf, most) => {
    const t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '127.0.0.1' } });
    await setSettings(t, { portal_enabled: true });
    const statuses: number[] = [];
    for (let number = 0; number < most + 2; number += 1) {
      const headers = { 'x-portal': '1', 'x-forwarded-for': `2001:db8:1:${number.toString(16)}::1` };
      statuses.push((await t.call(method, url, { token: null, headers, body: bodyOf(number) })).status);
    }
    expect(count(statuses)).toBe(most);
    const elsewhere = { 'x-portal': '1', 'x-forwarded-for': '2001:db8:2::1' };
    const other = await t.call(method, url, { token: null, headers: elsewhere, body: bodyOf(most + 2) });
    expect(other.status).not.toBe(429);
  });

  test('is made by addressLimits, which counts both', async () => {
    const files = (await readdir('server', { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const users: string[] = [];
    for (const name of files) {
      const text = await readFile(`server/${name}`, 'utf8');
      if (/import [^;]*\bcallers?Of\b[^;]*caller-address/.test(text)) users.push(name);
    }
    // A sign-in also has the limit of its account, over all addresses.
    expect(users.sort()).toEqual(['features/people/sign-in/sign-in-limits.ts', 'http/address-limits.ts']);
  });
});
