import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLicense } from '../factories.ts';
import { answer } from './gateway.ts';
import { type Config, DAY, nowInSeconds, proxyOf, readStore } from './scene.ts';
import { good, refusal, type Suite } from './suite-base.ts';

/** Tests of results while the server answers. */
export function serverTests(suite: Suite): void {
  const { suspend, machinesOf, offline } = suite;
  describe('the SDK with a reachable server', () => {
    test('the first check takes a seat, later ones use it, and features have their values', async () => {
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: ` ${license.license_key} `, app_version: '4.2.0' });
      expect(await suite.scene.check({ ...config, has: 'modulo_nomina' })).toEqual({ ...good, has: true });
      expect(await suite.scene.check({ ...config, has: 'usuarios' })).toEqual({ ...good, has: true });
      const [machine, ...others] = await machinesOf(license.id);
      expect(others).toEqual([]);
      expect(machine).toMatchObject({ machine_id: config.machine_id });
      expect(machine.last_heartbeat).not.toBeNull();
    });

    test('a feature that is false or absent is not available', async () => {
      const { config } = await suite.newProgram();
      for (const has of ['modulo_web', 'otro', 'constructor', 'toString', '__proto__']) {
        expect(await suite.scene.check({ ...config, has })).toEqual({ ...good, has: false });
      }
      expect(await offline(suite.suspended, { has: 'modulo_nomina' })).toMatchObject({
        ok: false,
        has: false,
      });
    });

    test('refusals have the reason of the server, and remain without connection', async () => {
      const limited = await suite.scene.newLicense({ max_installations: 1 });
      await suite.scene.check(await suite.scene.program({ key: limited.license_key, machine_id: 'caja-05' }));
      const yesterday = new Date(Date.now() - 2 * DAY * 1000).toISOString().slice(0, 10);
      const expired = await suite.scene.newLicense({ expiry_date: yesterday, expiry_days: undefined });
      const cancelled = await suite.scene.newLicense({ status: 'cancelled' });
      const inactive = await suite.scene.newLicense({ status: 'inactive' });
      const other = await createLicense(suite.scene.testApp);
      const cases: [string, Partial<Config>][] = [
        ['installation_limit', { key: limited.license_key }],
        ['expired', { key: expired.license_key }],
        ['cancelled', { key: cancelled.license_key }],
        ['inactive', { key: inactive.license_key }],
        ['wrong_software', { key: other.license_key }],
        ['not_found', { key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' }],
      ];
      for (const [reason, changes] of cases) {
        const config = await suite.scene.program(changes);
        expect(await suite.scene.check(config)).toEqual(refusal(reason, false));
        expect(await offline(config)).toEqual(refusal(reason, true));
      }
    });

    test('a suspended licence remains refused without connection, and works again after the server allows it', async () => {
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: license.license_key });
      await suite.scene.check(config);
      await suspend(license.id);
      expect(await suite.scene.check(config)).toEqual(refusal('suspended', false));
      expect(await offline(config)).toEqual(refusal('suspended', true));
      expect(await offline(config, { clock: nowInSeconds() + 400 * DAY })).toEqual(
        refusal('suspended', true),
      );
      await suite.scene.testApp.call('POST', `/licenses/api/licenses/${license.id}/reinstate/`, { body: {} });
      expect(await suite.scene.check(config)).toEqual(good);
      expect(await offline(config)).toMatchObject({ ok: true, offline: true });
    });

    test('a seat that staff released is taken again by the next check', async () => {
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: license.license_key });
      await suite.scene.check(config);
      const [{ id }] = await machinesOf(license.id);
      await suite.scene.testApp.call('DELETE', `/licenses/api/installations/${id}/`);
      expect(await suite.scene.check(config)).toEqual(good);
      expect(await machinesOf(license.id)).toHaveLength(1);
    });

    test('after the key was replaced the new key uses the seat, and stored answers of the old key are used for neither', async () => {
      const license = await suite.scene.newLicense();
      const before = await suite.scene.program({ key: license.license_key });
      expect(await suite.scene.check(before)).toEqual(good);
      const seats = await machinesOf(license.id);
      const { body } = await suite.scene.testApp.call(
        'POST',
        `/licenses/api/licenses/${license.id}/replace_key/`,
        { body: { reason: 'Se publicó' } },
      );
      const after = { ...before, key: body.license_key };
      expect(await offline(after)).toEqual(refusal('no_connection', false));
      expect(await suite.scene.check(after)).toEqual(good);
      expect((await machinesOf(license.id)).map(({ id }: { id: number }) => id)).toEqual(
        seats.map(({ id }: { id: number }) => id),
      );
      expect(await offline(after)).toMatchObject({ ok: true, offline: true });
      expect(await suite.scene.check(before)).toEqual(refusal('not_found', false));
    });

    test('a key is accepted in any form also with the server', async () => {
      const { license_key } = await suite.scene.newLicense();
      const config = await suite.scene.program({ key: license_key });
      for (const key of [
        license_key.toLowerCase(),
        license_key.replaceAll('-', ''),
        license_key.replaceAll('-', ' \u2013 '),
        license_key.replaceAll('-', '\u00a0'),
      ]) {
        expect(await suite.scene.check({ ...config, key })).toEqual(good);
        expect(await offline(config)).toMatchObject({ ok: true, offline: true });
      }
    });

    test('a wrong clock does not affect a fresh answer, which also resets the stored time', async () => {
      const { config } = await suite.newProgram();
      for (const days of [-4000, 4000]) {
        expect(await suite.scene.check({ ...config, clock: nowInSeconds() + days * DAY })).toEqual(good);
        expect(Math.abs(readStore(config.store).mark - nowInSeconds())).toBeLessThan(120);
      }
    });

    test('an empty key is refused without a call', async () => {
      let questions = 0;
      const server = suite.scene.gateway.through((_question, response) => {
        questions += 1;
        answer(response, 200, {});
      });
      expect(await suite.scene.check(await suite.scene.program({ server, key: '  ' }))).toEqual(
        refusal('not_found', false),
      );
      expect(questions).toBe(0);
    });

    test('calls contain the name and version of the SDK', async () => {
      const names = new Set<string | undefined>();
      const server = suite.scene.gateway.through(({ headers }, response) => {
        names.add(headers['user-agent']);
        answer(response, 503, {});
      });
      const config = await suite.scene.program({ server });
      await suite.scene.check(config);
      await suite.scene.ask({ do: 'release', ...config });
      expect([...names]).toEqual([
        expect.stringMatching(`^license-manager-${suite.language}/\\d+\\.\\d+\\.\\d+$`),
      ]);
    });

    test('an invalid option fails at once with its name', async () => {
      const config = await suite.scene.program();
      const [key] = config.keys;
      const cases: [string, Partial<Config>][] = [
        ...['', 'licencias.example.com', 'ftp://licencias.example.com', 'https://'].map(
          (server): [string, Partial<Config>] => ['server', { server }],
        ),
        ['software', { software: ' ' }],
        ['store', { store: '' }],
        ['keys', { keys: [] }],
        ['keys', { keys: [{ ...key!, x: key!.y, y: key!.x }] }],
        ['keys', { keys: [{ ...key!, y: '' }] }],
        ['timeout', { timeout: -1 }],
      ];
      for (const [name, changes] of cases) {
        const error = await suite.scene.ask({ do: 'open', ...config, ...changes });
        expect(error, JSON.stringify(changes)).toMatch(new RegExp(`^${name}: `, 'i'));
      }
      expect(await suite.scene.ask({ do: 'open', ...config })).toBeNull();
    });

    test('calls have all fields, and a nonce that is never used twice', async () => {
      const asked: { path: string; body: Record<string, unknown> }[] = [];
      const proxy = proxyOf(suite.scene.url);
      const server = suite.scene.gateway.through((question, response) => {
        asked.push({ path: question.path, body: question.body });
        return proxy(question, response);
      });
      const license = await suite.scene.newLicense();
      const config = await suite.scene.program({ server, key: license.license_key, app_version: '4.2.0' });
      for (let i = 0; i < 2; i += 1) expect(await suite.scene.check(config)).toEqual(good);
      const named = { license_key: config.key, machine_id: config.machine_id, software: config.software };
      const about = { app_version: '4.2.0', os: expect.stringMatching(/^.{1,100}$/) };
      const nonce = expect.stringMatching(/^[\w-]{22}$/);
      const machine_name = expect.stringMatching(/^.{1,200}$/);
      const first = {
        path: '/licenses/api/license/validate/',
        body: { ...named, ...about, require_seat: true, nonce },
      };
      expect(asked).toEqual([
        first,
        { path: '/licenses/api/installations/', body: { ...named, ...about, machine_name, nonce } },
        first,
        {
          path: '/licenses/api/installation/heartbeat/',
          body: { ...named, ...about, machine_name, nonce },
        },
      ]);
      expect(new Set(asked.map(({ body }) => body.nonce)).size).toBe(4);
    });

    test('without a machine id the program uses that of the computer, different for each software', async () => {
      const id = await suite.scene.ask({ do: 'machine-id', software: suite.scene.software.code });
      expect(id).toMatch(/^([0-9a-f]{64}|[0-9a-f]{32})$/);
      const machineOf = async (machine_id?: string) =>
        suite.scene.ask({ do: 'machine-id', ...(await suite.scene.program({ machine_id })) });
      if (id.length === 64) expect(await machineOf()).toBe(id);
      expect(await machineOf(' caja-10 ')).toBe('caja-10');
      if (existsSync('/etc/machine-id') && readFileSync('/etc/machine-id', 'utf8').trim() !== '') {
        const own = readFileSync('/etc/machine-id', 'utf8').trim();
        const hash = createHash('sha256').update(`${own}\n${suite.scene.software.code}`).digest('hex');
        expect(id).toBe(hash);
        const license = await suite.scene.newLicense();
        const config = await suite.scene.program({ key: license.license_key });
        delete config.machine_id;
        expect(await suite.scene.check(config)).toEqual(good);
        expect(await machinesOf(license.id)).toMatchObject([{ machine_id: id }]);
      }
    });
  });

  describe('a rotation of the keys', () => {
    const rotate = () => suite.scene.testApp.call('POST', '/licenses/api/signing-keys/rotate/', { body: {} });

    test('a program with the current and the next key works after one rotation, after two it needs a new version', async () => {
      const { config } = await suite.newProgram();
      expect((await rotate()).status).toBe(200);
      expect(await suite.scene.check(config)).toEqual(good);
      expect(await offline(config)).toMatchObject({ ok: true, offline: true });
      expect((await rotate()).status).toBe(200);
      // After a second rotation the answer cannot be verified, and the stored token is used until its end.
      expect(await suite.scene.check(config)).toMatchObject({ ok: true, offline: true });
      expect(await suite.scene.check({ ...config, store: suite.scene.newPath() })).toEqual(
        refusal('unverified', false),
      );
      // A new version of the program, without the key that signed the stored token.
      expect(await suite.scene.check({ ...config, keys: await suite.scene.keys() })).toEqual(good);
    });
  });
}
