import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLine } from '../../../contract/base/text.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { storeCollectedChecks } from './checks/collect-checks.ts';
import { storeMachineNames } from './machine-names.ts';

const API = '/licenses/api';
const DESCRIBED = {
  installations: ['machine_name', 'mac_address', 'ip_address', 'notes', 'app_version', 'os'],
  'installation/heartbeat': ['machine_name', 'ip_address', 'app_version', 'os'],
  'license/validate': ['app_version', 'os'],
  trial: ['machine_name', 'name', 'email', 'app_version', 'os'],
} as const;
type Path = keyof typeof DESCRIBED;

/** Any JSON, and texts with what databases, terminals and screens stumble over. */
const unusual = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    'x'.repeat(6000),
    '\u202eabc',
    '\ud800',
    'a\u0000b',
    ' \t\n ',
    1e308,
    -0,
    '@',
    'no es correo',
  ),
);

describe('no call of a program is refused for what only describes its machine', {
  tags: ['INPUT-12'],
}, () => {
  let t: TestApp;
  let license: { id: number; license_key: string };
  let limited: { license_key: string };
  let software: string;
  let asking: { code: string };

  beforeAll(async () => {
    t = await createTestApp({ closeAfterTest: false, env: { TRUST_PROXY: '127.0.0.1' } });
    license = await createLicense(t, { max_installations: 5 });
    const type = await createLicenseType(t, { validity_days: 15 });
    const values = {
      name: 'Caja',
      trial_type: type.id,
      trial_email: 'optional',
      trial_daily_limit: 10_000,
    } as const;
    software = (await createSoftware(t, values)).code;
    // Made here, because a session does not last as long as the clock runs ahead below.
    asking = await createSoftware(t, { name: 'Nómina', trial_type: type.id, trial_email: 'required' });
    limited = await createLicense(t, { updates_until: '2026-11-21' });
  });
  afterAll(() => t.close());

  let number = 0;
  const send = (path: Path, fields: object, headers: Record<string, string> = {}) => {
    number += 1;
    const who =
      path === 'trial'
        ? { software, machine_id: `equipo-${number}` }
        : { license_key: license.license_key, machine_id: 'caja' };
    const ip = { 'x-forwarded-for': `198.51.${Math.floor(number / 250)}.${number % 250}` };
    return t.call('POST', `${API}/${path}/`, {
      token: null,
      body: { ...fields, ...who },
      headers: { ...ip, ...headers },
    });
  };

  test.each(Object.keys(DESCRIBED) as Path[])(
    '%s takes any JSON in these fields, and stores it clean',
    async (path) => {
      const fields = fc.record(Object.fromEntries(DESCRIBED[path].map((name) => [name, unusual])), {
        requiredKeys: [],
      });
      await t.call('POST', `${API}/installations/`, {
        token: null,
        body: { license_key: license.license_key, machine_id: 'caja' },
      });
      await fc.assert(
        fc.asyncProperty(fields, async (values) => {
          // The limit of calls of one machine is another rule.
          t.clock.advance(60_000);
          const { status, body } = await send(path, values);
          expect([path, status < 300, body.errors]).toEqual([path, true, undefined]);
        }),
        { numRuns: triesOf(120) },
      );
      await storeCollectedChecks(t.context);
      await storeMachineNames(t.context);
      const rows = await t.db
        .selectFrom('installations')
        .select(['machine_name', 'mac_address', 'ip_address', 'app_version', 'os', 'search_text'])
        .execute();
      for (const { search_text, ...facts } of rows) {
        for (const fact of Object.values(facts)) expect(isLine(fact)).toBe(true);
        expect(search_text.isWellFormed()).toBe(true);
      }
      for (const { name, email } of await t.db.selectFrom('clients').select(['name', 'email']).execute()) {
        expect([isLine(name), isLine(email)]).toEqual([true, true]);
      }
    },
  );

  test('a number is taken as its text, and an instant counts by the day of its own offset', async () => {
    const { body } = await send('installations', {
      app_version: 4.2,
      machine_name: 7,
      os: { name: 'Windows' },
    });
    expect(body).toMatchObject({ app_version: '4.2', machine_name: '7' });
    for (const released_on of ['2026-11-21T23:30:00-06:00', '2026-11-21', '', null]) {
      expect((await send('license/validate', { released_on })).status).toBe(200);
    }
    const unread = await send('license/validate', { released_on: 'ayer' });
    expect([unread.status, Object.keys(unread.body.errors)]).toEqual([400, ['released_on']]);
  });

  test('the updates of a licence are compared with the day of the offset of an instant', async () => {
    const reasonFor = async (released_on: string) =>
      (
        await t.call('POST', `${API}/license/validate/`, {
          token: null,
          body: { license_key: limited.license_key, machine_id: 'caja', released_on },
        })
      ).body.reason;
    expect(await reasonFor('2026-11-21T23:30:00-06:00')).toBeNull();
    expect(await reasonFor('2026-11-22T05:30:00Z')).toBe('updates_ended');
  });

  test('with Prefer: handling=strict each of these fields is refused as before', async () => {
    const strict = { prefer: 'handling=strict' };
    for (const [path, names] of Object.entries(DESCRIBED) as [Path, readonly string[]][]) {
      const long = Object.fromEntries(names.map((name) => [name, 'x'.repeat(6000)]));
      const { status, body } = await send(path, long, strict);
      expect([path, status, Object.keys(body.errors).sort()]).toEqual([path, 400, [...names].sort()]);
      const numbers = Object.fromEntries(names.map((name) => [name, 1]));
      expect((await send(path, numbers, strict)).status).toBe(400);
      const fine = Object.fromEntries(
        names.map((name) => [name, name === 'email' ? 'ana@example.com' : 'x']),
      );
      expect((await send(path, fine, strict)).status).toBeLessThan(300);
    }
    expect((await send('trial', { email: 'no es correo' }, strict)).body.errors).toHaveProperty('email');
  });

  test('a required mail address, the nonce, the key and the machine still refuse a call', async () => {
    for (const email of ['no es correo', 5, null, {}]) {
      const body = { software: asking.code, machine_id: 'caja', email };
      const answer = await t.call('POST', `${API}/trial/`, { token: null, body });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['email']]);
    }
    for (const wrong of [{ nonce: 'corto' }, { machine_id: {} }, { license_key: 7 }]) {
      const body = { license_key: license.license_key, machine_id: 'caja', ...wrong };
      const answer = await t.call('POST', `${API}/license/validate/`, { token: null, body });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, Object.keys(wrong)]);
    }
  });
});
