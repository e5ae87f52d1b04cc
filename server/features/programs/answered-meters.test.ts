import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { FILE_TYPE, readLicenseFile, readToken } from '../../../test/license-token.ts';
import { watchStatements } from '../../../test/plans/statements.ts';
import { storeCollectedChecks } from './checks/collect-checks.ts';

const NOW = '2026-11-26T18:00:00.000Z';
const NONCE = 'a'.repeat(22);
const PATHS = {
  validate: '/licenses/api/license/validate/',
  activate: '/licenses/api/installations/',
  heartbeat: '/licenses/api/installation/heartbeat/',
  release: '/licenses/api/installations/release/',
} as const;
const METERS = {
  facturas: { limit: 10, period: 'month', overage: 'refuse' },
  timbres: { limit: 5, period: 'never', overage: 'allow' },
  correos: { limit: null, period: 'day', overage: 'refuse' },
} as const;

type Call = keyof typeof PATHS;
type Row = { code: string; used: number };

async function program(t: TestApp, values: Record<string, unknown> = {}) {
  const license = await createLicense(t, { meters: METERS, self_release: true, ...values });
  const ask = (call: Call, more: object = {}) =>
    t.call('POST', PATHS[call], {
      token: null,
      body: { license_key: license.license_key, machine_id: 'caja-1', ...more },
    });
  let ids = 0;
  const use = (code: string, amount: number) => {
    ids += 1;
    const records = [{ code, amount, request_id: `request-${ids}` }];
    return t.call('POST', '/licenses/api/usage/', {
      token: null,
      body: { license_key: license.license_key, machine_id: 'caja-1', records },
    });
  };
  return { license, ask, use };
}

async function claimsIn(t: TestApp, token: unknown, typ?: string) {
  const { body } = await t.call('GET', '/.well-known/jwks.json', { token: null });
  return readToken(token, body.keys, typ).claims;
}

describe('the meters of a licence', { tags: ['CODE-01'] }, () => {
  test('are in each answer and its token, with what was used until now', async () => {
    const t = await createTestApp({ now: NOW });
    const { ask, use } = await program(t);
    await ask('activate');
    await use('facturas', 4);
    await use('timbres', 7);
    const meters = [
      {
        ...{ code: 'facturas', limit: 10, used: 4, remaining: 6, overage: 'refuse' },
        resets_at: '2026-12-01T06:00:00.000Z',
      },
      { code: 'timbres', limit: 5, used: 7, remaining: 0, overage: 'allow', resets_at: null },
      {
        ...{ code: 'correos', limit: null, used: 0, remaining: null, overage: 'refuse' },
        resets_at: '2026-11-27T06:00:00.000Z',
      },
    ];
    for (const call of ['validate', 'activate', 'heartbeat', 'release'] as const) {
      const plain = await ask(call);
      expect([call, plain.body.meters]).toEqual([call, meters]);
      expect(plain.body).not.toHaveProperty('token');
      if (call === 'release') await ask('activate');
      const signed = await ask(call, { nonce: NONCE });
      expect([call, signed.body.meters]).toEqual([call, meters]);
      expect((await claimsIn(t, signed.body.token)).meters).toEqual(meters);
    }
  });

  test('are in the token of a refusal too, and in no body of an error', async () => {
    const t = await createTestApp({ now: NOW });
    const { license, ask } = await program(t);
    await t.call('PUT', `/licenses/api/licenses/${license.id}/`, { body: { status: 'suspended' } });
    const validated = await ask('validate', { nonce: NONCE });
    expect(validated.body).toMatchObject({ valid: false, meters: [{ code: 'facturas' }, {}, {}] });
    const { status, body } = await ask('activate', { nonce: NONCE });
    expect(status).toBe(403);
    expect(body).not.toHaveProperty('meters');
    expect((await claimsIn(t, body.token)).meters).toHaveLength(3);
    const unknown = await t.call('POST', PATHS.validate, {
      token: null,
      body: { license_key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ', machine_id: 'caja-1', nonce: NONCE },
    });
    expect(unknown.body).not.toHaveProperty('meters');
    expect(await claimsIn(t, unknown.body.token)).not.toHaveProperty('meters');
    const invalid = await t.call('POST', PATHS.heartbeat, {
      token: null,
      body: { license_key: license.license_key },
    });
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([400, ['machine_id']]);
  });

  test('are in a file, and of another period there is nothing left of what was used', async () => {
    const t = await createTestApp({ now: NOW });
    const { license, ask, use } = await program(t);
    await ask('activate');
    await use('facturas', 10);
    const fileOf = async () => {
      const { text } = await t.call('POST', `/licenses/api/licenses/${license.id}/file/`, {
        body: { machine_id: 'caja-1' },
      });
      return (await claimsIn(t, readLicenseFile(text), FILE_TYPE)).meters;
    };
    expect(await fileOf()).toMatchObject([{ code: 'facturas', used: 10, remaining: 0 }, {}, {}]);
    t.clock.set('2026-12-01T06:00:00.000Z');
    const { body } = await ask('heartbeat');
    expect(body.meters[0]).toEqual({
      ...{ code: 'facturas', limit: 10, used: 0, remaining: 10, overage: 'refuse' },
      resets_at: '2027-01-01T06:00:00.000Z',
    });
  });

  test('by term are those of the term that holds: a renewal begins anew, added seats do not', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, {
      ...{ base_price: 100, validity_days: 30, max_installations: 2 },
      meters: { envios: { limit: 3, period: 'term', overage: 'refuse' }, ...METERS },
    });
    const { license, ask, use } = await program(t, {
      ...{ license_type_config: type.id, license_type: undefined, meters: undefined, expiry_days: 30 },
    });
    await ask('activate');
    await use('envios', 2);
    const envios = async () =>
      (await ask('heartbeat')).body.meters.find(({ code }: Row) => code === 'envios');
    const first = await envios();
    expect(first).toMatchObject({ used: 2, remaining: 1, resets_at: license.expiry_date });
    const one = `/licenses/api/licenses/${license.id}/`;
    const added = await t.call('POST', `${one}add_seats/`, { body: { quantity: 1 } });
    expect([added.status, await envios()]).toEqual([200, first]);
    expect((await t.call('POST', `${one}renew/`, { body: {} })).status).toBe(200);
    expect(await envios()).toEqual(first);
    t.clock.set(new Date(Date.parse(license.expiry_date!) + 60_000).toISOString());
    expect(await envios()).toMatchObject({ used: 0, remaining: 3 });
  });

  test('are in the answer about a trial, and those of a licence without meters nowhere', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, { base_price: 1, validity_days: 15, meters: METERS });
    const software = await createSoftware(t, { name: 'Caja' });
    await t.call('PUT', `/licenses/api/software/${software.id}/`, {
      body: { trial_type: type.id, trial_email: 'no' },
    });
    const { body } = await t.call('POST', '/licenses/api/trial/', {
      token: null,
      body: { software: software.code, machine_id: 'caja-9', nonce: NONCE },
    });
    expect(body.meters.map(({ code }: Row) => code)).toEqual(Object.keys(METERS));
    expect((await claimsIn(t, body.token)).meters).toEqual(body.meters);
    const { ask } = await program(t, { meters: {} });
    for (const call of ['validate', 'activate', 'heartbeat', 'release'] as const) {
      const bare = await ask(call, { nonce: NONCE });
      expect([call, bare.status < 300, 'meters' in bare.body]).toEqual([call, true, false]);
      expect(await claimsIn(t, bare.body.token)).not.toHaveProperty('meters');
    }
  });

  test('are signed in the answer to a usage report with a nonce, which says what became of each record', async () => {
    const t = await createTestApp({ now: NOW });
    const { license, ask, use } = await program(t);
    const report = (more: object = {}) =>
      t.call('POST', '/licenses/api/usage/', {
        token: null,
        body: {
          ...{ license_key: license.license_key, machine_id: 'caja-1', nonce: NONCE },
          records: [
            { code: 'facturas', amount: 8, request_id: 'signed-1' },
            { code: 'facturas', amount: 3, request_id: 'signed-2' },
            { code: 'otro', amount: 1, request_id: 'signed-3' },
          ],
          ...more,
        },
      });
    const unseated = await report();
    expect(unseated.status).toBe(404);
    const refused = { call: 'usage', valid: false, reason: 'not_activated', nonce: NONCE };
    expect(await claimsIn(t, unseated.body.token)).toMatchObject(refused);
    await ask('activate');
    const { status, body } = await report();
    expect(status).toBe(200);
    const claims = await claimsIn(t, body.token);
    expect(claims).toMatchObject({
      ...{ call: 'usage', valid: true, seat: true, reason: null, nonce: NONCE },
      // Nothing that a program may keep.
      exp: Date.parse(NOW) / 1000 + 300,
      uses: [
        { request_id: 'signed-1', code: 'facturas', amount: 8, accepted: true },
        { request_id: 'signed-2', code: 'facturas', amount: 3, accepted: false, reason: 'limit_reached' },
        { request_id: 'signed-3', code: 'otro', amount: 1, accepted: false, reason: 'unknown_meter' },
      ],
    });
    expect(claims.meters).toEqual(body.meters);
    expect(body.meters[0]).toMatchObject({ code: 'facturas', used: 8, remaining: 2 });
    const again = await claimsIn(t, (await report()).body.token);
    expect(again.uses?.[0]).toEqual({ request_id: 'signed-1', code: 'facturas', amount: 8, accepted: true });
    // A relay may send a cheap record first, or name another day: the token says what counted, and when.
    const at = new Date(Date.parse(NOW) - 32 * 24 * 60 * 60_000).toISOString();
    const records = [
      { code: 'facturas', amount: 500, request_id: 'signed-1' },
      { code: 'facturas', amount: 2, request_id: 'signed-4' },
      { code: 'facturas', amount: 900, request_id: 'signed-4' },
      { code: 'facturas', amount: 1, request_id: 'signed-5', at },
    ];
    expect((await claimsIn(t, (await report({ records })).body.token)).uses).toEqual([
      { request_id: 'signed-1', code: 'facturas', amount: 8, accepted: true },
      { request_id: 'signed-4', code: 'facturas', amount: 2, accepted: true },
      { request_id: 'signed-4', code: 'facturas', amount: 2, accepted: true },
      { request_id: 'signed-5', code: 'facturas', amount: 1, accepted: true, past: true },
    ]);
    const unknown = await report({ license_key: 'ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ' });
    expect(await claimsIn(t, unknown.body.token)).toMatchObject({ valid: false, reason: 'not_found' });
    const { body: plain } = await use('timbres', 1);
    expect([Object.keys(plain), plain.results[0].accepted]).toEqual([['success', 'results'], true]);
    const invalid = await report({ nonce: 'corto' });
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([400, ['nonce']]);
  });

  test('cost one statement where a licence has three, and none where it has none', async () => {
    const watch = watchStatements();
    const t = await createTestApp({ now: NOW });
    const bare = await program(t, { meters: {} });
    const metered = await program(t);
    const byTerm = await program(t, {
      meters: { ...METERS, correos: { limit: 3, period: 'term', overage: 'refuse' } },
    });
    for (const { license } of [bare, metered, byTerm]) await activate(t, license.license_key, 'caja-1');
    // Without the question of the test helper, which events a call wrote.
    const times = (part: string) => watch.timesOf(part) - watch.timesOf(`"events" where "request_id"`);
    const statements = async ({ ask }: typeof bare, call: Call, nonce?: string) => {
      await ask(call, { nonce });
      // Else a slow machine stores the checks of earlier calls meanwhile.
      await storeCollectedChecks(t.context);
      const before = times('');
      const counts = watch.timesOf('usage_counts');
      watch.during('asked');
      await ask(call, { nonce });
      watch.during(null);
      return { all: times('') - before, counts: watch.timesOf('usage_counts') - counts };
    };
    for (const nonce of [undefined, NONCE]) {
      for (const call of ['validate', 'heartbeat'] as const) {
        const none = await statements(bare, call, nonce);
        expect([call, none]).toEqual([call, { all: none.all, counts: 0 }]);
        for (const licensed of [metered, byTerm]) {
          expect(await statements(licensed, call, nonce)).toEqual({ all: none.all + 1, counts: 1 });
        }
      }
    }
    // A validation: the licence with its seat; with a nonce also the key that signs.
    expect(await statements(bare, 'validate')).toMatchObject({ all: 1 });
    expect(await statements(bare, 'validate', NONCE)).toMatchObject({ all: 2 });
  });
});
