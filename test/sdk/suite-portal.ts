import { describe, expect, test } from 'vitest';
import { Browser, setSettings } from '../portal.ts';
import { answer } from './gateway.ts';
import type { Config } from './scene.ts';
import type { Suite } from './suite-base.ts';

/** URLs that must not reach a browser, or the shell that opens it. */
const HOSTILE = [
  'javascript:alert(1)//',
  'file:///etc/passwd',
  'data:text/html,x',
  'http://licencias.example.com/portal#k=abc',
  'http://localhost.example.com/portal#k=abc',
  'http://127.0.0.1@example.com/portal#k=abc',
  'https://a@example.com/portal#k=abc',
  'https://example.com/portal#k=abc\n',
  'https://example.com/portal#k=abc" & calc "',
  'https://example.com/portal?a=%26calc',
  ' https://example.com/portal#k=abc',
  'https:///portal#k=abc',
  `https://example.com/portal#k=${'a'.repeat(600)}`,
  '//example.com/portal',
  '',
  7,
  null,
];

/** Tests of opening the portal from a program. */
export function portalTests(suite: Suite): void {
  const { newProgram, copyOf } = suite;
  describe('portalUrl', { tags: ['PORTAL-06'] }, () => {
    const ask = (config: Config) => suite.scene.ask({ do: 'portal', ...config });
    const none = (reason: string, detail: string | null = null) => ({ url: null, reason, detail });
    const answering = (status: number, body: object) =>
      suite.scene.gateway.through((_question, response) => answer(response, status, body));

    test('returns an address that opens one portal session for the licence and the machine', async () => {
      const { testApp } = suite.scene;
      const { config, license } = await newProgram();
      expect(await ask(config)).toEqual(none('not_found'));
      await setSettings(testApp, { portal_enabled: true });
      const { url, ...why } = await ask(config);
      expect(why).toEqual({ reason: null, detail: null });
      expect(url).toMatch(/^http:\/\/[^/]+\/portal#k=[\w-]{43}$/);
      const token = url.split('#k=')[1];
      const browser = new Browser(testApp);
      expect(await browser.verify({ token })).toMatchObject({ status: 200 });
      const { body } = await browser.call('GET', 'licenses/');
      expect(body.results.map(({ id }: { id: number }) => id)).toEqual([license.id]);
      expect(await new Browser(testApp).verify({ token })).toMatchObject({ status: 400 });

      const other = { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' };
      expect(await ask({ ...config, ...other })).toEqual(none('license_not_found'));
      expect(await ask({ ...config, machine_id: 'caja-otra' })).toEqual(none('not_found'));
      expect(await ask({ ...config, software: 'otro-programa' })).toEqual(none('wrong_software'));
      await setSettings(testApp, { portal_enabled: false });
      expect(await ask(config)).toEqual(none('not_found'));
    });

    test('sends the required fields, and refuses an address from another answer', async () => {
      const asked: object[] = [];
      const server = suite.scene.gateway.through(({ path, body }, response) => {
        asked.push({ path, ...body });
        answer(response, 200, { url: 'https://clientes.example.com/portal#k=abc-_9' });
      });
      const config = copyOf(suite.activated, { server });
      const url = 'https://clientes.example.com/portal#k=abc-_9';
      expect(await ask({ ...config, key: `  ${config.key} ` })).toEqual({ url, reason: null, detail: null });
      const { key: license_key, machine_id, software } = config;
      const path = '/licenses/api/portal/ticket/';
      expect(asked).toEqual([{ path, license_key, machine_id, software }]);

      for (const hostile of HOSTILE) {
        const answered = await ask({ ...config, server: answering(200, { url: hostile }) });
        expect([hostile, answered]).toEqual([hostile, none('unverified', 'not_the_server')]);
      }
    });

    test('accepts an http address on the host that the program calls by http, as in an office without TLS', async () => {
      const answers = async (url: string) => {
        // In capitals, 'LOCALHOST' is not one of the local addresses that are always allowed, so it stands for another
        // computer.
        const server = answering(200, { url }).replace('127.0.0.1', 'LOCALHOST');
        return (await ask(copyOf(suite.activated, { server }))).url;
      };
      for (const host of ['LOCALHOST', 'LocalHost:8080']) {
        expect(await answers(`http://${host}/portal#k=abc`)).toBe(`http://${host}/portal#k=abc`);
      }
      for (const host of ['LOCALHOST2', 'LOCALHOST.example.com', 'LOCALHOST@example.com', 'x@LOCALHOST']) {
        expect([host, await answers(`http://${host}/portal#k=abc`)]).toEqual([host, null]);
      }
    });

    test('returns the reason when there is no address', async () => {
      const why = (server: string) => ask(copyOf(suite.activated, { server }));
      const good = 'https://example.com/portal#k=abc';
      expect(await why(suite.scene.nowhere)).toEqual(none('no_connection', 'unreachable'));
      const answers: [number, object, ReturnType<typeof none>][] = [
        [201, { url: good }, none('unverified', 'not_the_server')],
        [404, { code: 'not_found', url: good }, none('not_found')],
        [404, { code: 'Not <b>' }, none('unverified', 'not_the_server')],
        [407, { url: good }, none('no_connection', 'proxy')],
        [429, { code: 'rate_limited' }, none('no_connection', 'rate_limited')],
        [503, { code: 'unavailable' }, none('no_connection', 'server_error')],
      ];
      for (const [status, body, expected] of answers) {
        expect([status, await why(answering(status, body))]).toEqual([status, expected]);
      }
    });
  });
}
