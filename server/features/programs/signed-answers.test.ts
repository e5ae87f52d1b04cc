import { describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createLicense, createSoftware } from '../../../test/factories.ts';
import { type Jwk, keyHash, machineHash, readToken } from '../../../test/license-token.ts';

const NOW = '2026-11-22T18:00:00.000Z';
const IAT = Date.parse(NOW) / 1000;
const DAY_S = 24 * 60 * 60;
const NONCE = 'q3JX0u8c5mS1hV7bT2wYzA';
const MACHINE = 'caja-1';

const CALLS = {
  validate: '/licenses/api/license/validate/',
  activate: '/licenses/api/installations/',
  heartbeat: '/licenses/api/installation/heartbeat/',
  release: '/licenses/api/installations/release/',
} as const;
type Call = keyof typeof CALLS;

const ask = (t: TestApp, call: Call, body: object) =>
  t.call('POST', CALLS[call], { token: null, body: { machine_id: MACHINE, ...body } });

const keysOf = async (t: TestApp): Promise<Jwk[]> =>
  (await t.call('GET', '/.well-known/jwks.json', { token: null })).body.keys;

/** The status, the reason or code, and the verified claims of an answer to a call with a nonce. */
async function signed(t: TestApp, call: Call, body: object) {
  const answer = await ask(t, call, { nonce: NONCE, ...body });
  const { claims, header } = readToken(answer.body.token, await keysOf(t));
  return { status: answer.status, body: answer.body, claims, header };
}

describe('a signed answer', { tags: ['PROG-01'] }, () => {
  test('validation, activation and heartbeat return a token with exactly these claims', async () => {
    const t = await createTestApp({ now: NOW, env: { PUBLIC_URL: 'https://licencias.example.com' } });
    const { id: software } = await createSoftware(t, { name: 'Punto de Venta' });
    const license = await createLicense(t, {
      software,
      max_installations: 3,
      features: { usuarios: 25 },
      offline_days: 10,
    });
    const { license_key } = license;
    const first = await signed(t, 'activate', { license_key });
    const again = await signed(t, 'activate', { license_key });
    const valid = await signed(t, 'validate', { license_key });
    const beat = await signed(t, 'heartbeat', { license_key });
    expect([first, again, valid, beat].map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    const calls = ['activate', 'activate', 'validate', 'heartbeat'];
    for (const [index, { header, claims }] of [first, again, valid, beat].entries()) {
      expect(header).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'license+jwt' });
      expect(claims).toEqual({
        iss: 'https://licencias.example.com',
        aud: 'punto-de-venta',
        sub: String(license.id),
        iat: IAT,
        nbf: IAT,
        exp: IAT + 10 * DAY_S,
        jti: expect.stringMatching(/^[\w-]{22}$/),
        nonce: NONCE,
        mid: machineHash(MACHINE),
        key_hash: keyHash(license_key),
        call: calls[index],
        seat: true,
        valid: true,
        reason: null,
        status: 'active',
        license_type: 'premium',
        features: { usuarios: 25 },
        seats: 3,
        license_expires: license.expiry_date,
        usable_until: license.expiry_date,
        updates_until: null,
        utc_offset: -6 * 60 * 60,
        in_grace: false,
      });
    }
    const ids = [first, again, valid, beat].map(({ claims }) => claims.jti);
    expect(new Set(ids).size).toBe(4);
  });

  test('without a nonce no answer has a token', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    for (const call of ['activate', 'validate', 'heartbeat'] as const) {
      for (const key of [license_key, 'nada']) {
        const { body } = await ask(t, call, { license_key: key });
        expect(body).not.toHaveProperty('token');
      }
    }
  });

  test('a nonce has 16 to 64 characters of base64 or base64url', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    for (const call of Object.keys(CALLS) as Call[]) {
      for (const nonce of [
        'a'.repeat(15),
        'a'.repeat(65),
        `${'a'.repeat(16)}ñ`,
        `${'a'.repeat(16)} `,
        5,
        null,
        '',
      ]) {
        const { status, body } = await ask(t, call, { license_key, nonce });
        expect([status, Object.keys(body.errors)]).toEqual([400, ['nonce']]);
        expect(body).not.toHaveProperty('token');
      }
    }
    for (const nonce of [
      'a'.repeat(16),
      'Z-_9'.repeat(16),
      'Z+/9'.repeat(16),
      crypto.randomUUID(),
      'q3JX0u8c5mS1hV7bT2wYzA==',
    ]) {
      expect((await signed(t, 'validate', { license_key, nonce })).claims.nonce).toBe(nonce);
    }
  });

  test('the token for a machine without a seat is valid for five minutes only', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(t);
    const { claims } = await signed(t, 'validate', { license_key });
    expect(claims).toMatchObject({ valid: true, reason: null, seat: false, exp: IAT + 300 });
  });

  test('it is never valid longer than the licence and its grace', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { expiry_days: 2, grace_days: 3, offline_days: 30 });
    const end = Math.floor(Date.parse(String(license.expiry_date)) / 1000);
    const { claims } = await signed(t, 'activate', { license_key: license.license_key });
    expect(claims.exp).toBe(end + 3 * DAY_S);
    t.clock.set(new Date((end + DAY_S) * 1000));
    const late = await signed(t, 'heartbeat', { license_key: license.license_key });
    expect(late.claims).toMatchObject({
      exp: end + 3 * DAY_S,
      usable_until: new Date((end + 3 * DAY_S) * 1000).toISOString(),
      valid: true,
      in_grace: true,
      status: 'active',
    });
    expect((await signed(t, 'validate', { license_key: license.license_key })).claims).toMatchObject({
      exp: end + 3 * DAY_S,
      in_grace: true,
    });
  });

  test('a licence without an end is valid offline for its days without connection', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(t, { expiry_days: null, offline_days: 0 });
    const { claims } = await signed(t, 'activate', { license_key });
    expect(claims).toMatchObject({ exp: IAT, license_expires: null });
  });
});

describe('a signed answer identifies its question', { tags: ['PROG-01'] }, () => {
  test('key_hash is the hash of the key exactly as it was sent', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    const typed = [
      license_key,
      ` ${license_key.toLowerCase()}`,
      license_key.replaceAll('-', ''),
      license_key.replaceAll('-', ' '),
      license_key.replaceAll('-', '\u2013'),
    ];
    for (const key of typed) {
      for (const call of ['activate', 'validate', 'heartbeat'] as const) {
        const { claims } = await signed(t, call, { license_key: key });
        expect([key, claims.valid, claims.key_hash]).toEqual([key, true, keyHash(license_key)]);
      }
    }
    for (const key of ['otra-clave 1', 'OLD_100/z', '-', '\u2013']) {
      const { claims } = await signed(t, 'validate', { license_key: key });
      const counted = key.replace(/[^!-~]|-/g, '').toUpperCase();
      expect([claims.reason, claims.key_hash]).toEqual(['not_found', keyHash(counted)]);
    }
  });

  test('the refusal of an unknown key never has the hash of a licence’s key, also when characters are added to that key', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    await activate(t, license_key, MACHINE);
    const longer = ['日', 'ñ', '\u0301', 'А'].map((sign) => license_key + sign);
    for (const key of [...longer, license_key.replaceAll('-', '·')]) {
      for (const call of ['validate', 'heartbeat'] as const) {
        const { claims } = await signed(t, call, { license_key: key });
        expect([key, call, claims.reason]).toEqual([key, call, 'not_found']);
        expect(claims.key_hash).not.toBe(keyHash(license_key));
      }
    }
  });

  test('an answer about a pasted key has the hash of the text, and never that of an invented key in it (INPUT-10)', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    await activate(t, license_key, MACHINE);
    const fullWidth = [...license_key]
      .map((sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))
      .join('');
    for (const call of ['validate', 'heartbeat'] as const) {
      for (const sign of ['\u0085', '\ue000', '😀', '”']) {
        const { claims } = await signed(t, call, { license_key: license_key + sign });
        expect([sign, claims.reason, claims.key_hash]).toEqual([sign, null, keyHash(license_key)]);
      }
      for (const invented of ['', 'INVENTADA ']) {
        const { claims } = await signed(t, call, { license_key: invented + fullWidth });
        expect([invented, claims.reason]).toEqual([invented, null]);
        expect(claims.key_hash).not.toBe(keyHash(invented));
      }
    }
  });

  test('after the key was replaced, the answers for both keys contain the key that was asked, and the seat stays', async () => {
    const t = await createTestApp();
    const { id, license_key } = await createLicense(t);
    await activate(t, license_key, MACHINE);
    const { body } = await t.call('POST', `/licenses/api/licenses/${id}/replace_key/`, {
      body: { reason: 'Se publicó' },
    });
    const old = await signed(t, 'heartbeat', { license_key });
    expect(old.claims).toMatchObject({ reason: 'not_found', key_hash: keyHash(license_key), seat: false });
    for (const call of ['validate', 'heartbeat'] as const) {
      const { claims } = await signed(t, call, { license_key: body.license_key });
      expect(claims).toMatchObject({ valid: true, seat: true, key_hash: keyHash(body.license_key) });
    }
  });

  test('the token of a release says that it is for a release, also when the machine has no seat', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t, { self_release: true });
    await activate(t, license_key, MACHINE);
    for (const status of [200, 404]) {
      const answer = await signed(t, 'release', { license_key });
      expect(answer.status).toBe(status);
      expect(answer.claims).toMatchObject({
        ...{ call: 'release', key_hash: keyHash(license_key), nonce: NONCE },
        ...{ valid: false, reason: 'not_activated', seat: false },
      });
    }
    const unknown = await signed(t, 'release', { license_key: 'nada' });
    expect(unknown.claims).toMatchObject({
      ...{ call: 'release', reason: 'not_found', key_hash: keyHash('nada') },
    });
  });

  test('the claim seat is true only while the machine has a seat', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { seat_mode: 'floating', lease_minutes: 10 });
    const { license_key } = license;
    const seat = async (call: Call) => (await signed(t, call, { license_key })).claims.seat;
    expect(await seat('validate')).toBe(false);
    expect(await seat('heartbeat')).toBe(false);
    expect(await seat('activate')).toBe(true);
    expect(await seat('validate')).toBe(true);
    t.clock.set(new Date((IAT + 11 * 60) * 1000));
    expect(await seat('validate')).toBe(false);
    expect(await seat('heartbeat')).toBe(false);
    expect(await seat('activate')).toBe(true);
    expect(await seat('heartbeat')).toBe(true);
    expect(await seat('release')).toBe(false);
  });

  test('the claim seat stays true while the licence is suspended', async () => {
    const t = await createTestApp();
    const { id, license_key } = await createLicense(t);
    await activate(t, license_key, MACHINE);
    await t.call('POST', `/licenses/api/licenses/${id}/suspend/`, { body: {} });
    for (const call of ['validate', 'heartbeat'] as const) {
      const { claims } = await signed(t, call, { license_key });
      expect(claims).toMatchObject({ valid: false, reason: 'suspended', seat: true, exp: claims.iat + 300 });
    }
  });
});

describe('the token of a refusal', { tags: ['PROG-01'] }, () => {
  /** A licence in a given state, with a machine that had a seat before. */
  async function licenseIn(state: string) {
    const t = await createTestApp({ now: NOW });
    const license = await createLicense(t, { expiry_days: 5, max_installations: 1 });
    const { license_key } = license;
    const url = `/licenses/api/licenses/${license.id}/`;
    if (state === 'installation_limit') await activate(t, license_key, 'otra');
    else if (state !== 'not_activated') await activate(t, license_key, MACHINE);
    if (state === 'expired') {
      t.clock.set(new Date(Date.parse(String(license.expiry_date)) + 1000));
      t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
    } else if (['inactive', 'suspended', 'cancelled'].includes(state)) {
      await t.call('PUT', url, { body: { status: state } });
    }
    return { t, license };
  }

  const STATUSES: Record<string, Partial<Record<Call, number>>> = {
    inactive: { validate: 200, activate: 403, heartbeat: 200 },
    suspended: { validate: 200, activate: 403, heartbeat: 200 },
    cancelled: { validate: 200, activate: 403, heartbeat: 200 },
    expired: { validate: 200, activate: 403, heartbeat: 200 },
    installation_limit: { validate: 200, activate: 409 },
    not_activated: { validate: 200, heartbeat: 404 },
  };

  test.each(Object.keys(STATUSES))(
    'contains the reason %s in each call that refuses for it',
    async (reason) => {
      const { t, license } = await licenseIn(reason);
      const at = Math.floor(t.context.now().getTime() / 1000);
      for (const [call, status] of Object.entries(STATUSES[reason] ?? {})) {
        const question = {
          license_key: license.license_key,
          ...(call === 'validate' && { require_seat: true }),
        };
        const answer = await signed(t, call as Call, question);
        expect(answer.status, call).toBe(status);
        expect(answer.claims, call).toMatchObject({
          valid: false,
          reason,
          sub: String(license.id),
          aud: expect.stringContaining('programa-'),
          iat: at,
          exp: at + 300,
          nonce: NONCE,
          mid: machineHash(MACHINE),
          key_hash: keyHash(license.license_key),
          call,
          seats: 1,
          in_grace: false,
        });
      }
    },
  );

  test('the token for an unknown key has null claims of the licence, and the software that was asked for', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, code } = await createSoftware(t, { name: 'Punto de Venta' });
    for (const [call, status] of [
      ['validate', 200],
      ['activate', 404],
      ['heartbeat', 404],
    ] as const) {
      for (const [software, aud] of [
        [undefined, null],
        [code, code],
        [id, code],
        ['PUNTO DE VENTA', code],
        ['otro-programa', 'otro-programa'],
      ] as const) {
        const answer = await signed(t, call, {
          license_key: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA',
          ...(software !== undefined && { software }),
        });
        expect(answer.status).toBe(status);
        expect(answer.claims).toEqual({
          iss: expect.any(String),
          aud,
          sub: null,
          iat: IAT,
          nbf: IAT,
          exp: IAT + 300,
          jti: expect.any(String),
          nonce: NONCE,
          mid: machineHash(MACHINE),
          key_hash: keyHash('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA'),
          call,
          seat: false,
          valid: false,
          reason: 'not_found',
          status: null,
          license_type: null,
          features: null,
          seats: null,
          license_expires: null,
          usable_until: null,
          updates_until: null,
          utc_offset: -6 * 60 * 60,
          in_grace: null,
        });
      }
    }
  });

  test('contains neither a person nor the key', { tags: ['EVENT-04'] }, async () => {
    const t = await createTestApp();
    const license = await createLicense(t, { notes: 'una nota' });
    const { claims } = await signed(t, 'activate', {
      license_key: license.license_key,
      machine_name: 'Caja',
    });
    const text = JSON.stringify(claims);
    for (const word of [
      license.license_key,
      license.client_name,
      license.client_email,
      MACHINE,
      'Caja',
      'nota',
    ]) {
      expect(text).not.toContain(word);
    }
  });

  test('is missing for a call above the rate limit', async () => {
    const t = await createTestApp({ now: NOW });
    const { license_key } = await createLicense(t);
    for (let i = 0; i < 60; i += 1) await ask(t, 'validate', { license_key });
    const answer = await ask(t, 'validate', { license_key, nonce: NONCE });
    expect(answer.status).toBe(429);
    expect(answer.body).not.toHaveProperty('token');
    for (let i = 0; i < 20; i += 1) await ask(t, 'validate', { license_key: 'nada' });
    for (const call of Object.keys(CALLS) as Call[]) {
      const { status, body } = await ask(t, call, { license_key: 'nada', nonce: NONCE });
      expect([status, body.token]).toEqual([429, undefined]);
    }
  });
});

describe('the software sent by a program', { tags: ['API-03'] }, () => {
  async function twoProducts() {
    const t = await createTestApp({ now: NOW });
    const own = await createSoftware(t, { name: 'Punto de Venta', version: '1.0' });
    const other = await createSoftware(t, { name: 'Nómina', version: '1.0' });
    const { license_key, id } = await createLicense(t, { software: own.id });
    return { t, own, other, license_key, id };
  }

  test('is accepted as code, as name in any case, as id, and as another version of it', async () => {
    const { t, own, license_key } = await twoProducts();
    const later = await createSoftware(t, { name: 'Punto de Venta', version: '2.0' });
    const names = [own.code, own.id, String(own.id), ' PUNTO de venta ', later.id, own.code.toUpperCase()];
    for (const call of ['activate', 'validate', 'heartbeat'] as const) {
      for (const software of names) {
        const { status, body } = await ask(t, call, { license_key, software });
        expect(status < 300, `${call} ${software}`).toBe(true);
        expect(body.reason ?? null).toBeNull();
      }
    }
    // After a new name, the software is still found by the code in installed programs, and also by the new name.
    await t.call('PUT', `/licenses/api/software/${own.id}/`, { body: { name: 'Caja' } });
    for (const software of [own.code, 'Caja', 'Punto de Venta']) {
      expect((await ask(t, 'heartbeat', { license_key, software })).status, software).toBe(200);
    }
  });

  test('the code of another product gives wrong_software: 200 in validation, 403 in other calls, signed for the sent product', async () => {
    const { t, other, license_key, id } = await twoProducts();
    const without = await ask(t, 'validate', { license_key, software: other.code });
    expect(without.body).toMatchObject({
      success: false,
      valid: false,
      reason: 'wrong_software',
      message: 'La clave es de otro producto',
    });
    for (const [call, status] of [
      ['validate', 200],
      ['activate', 403],
      ['heartbeat', 403],
    ] as const) {
      for (const [software, aud] of [
        [other.code, other.code],
        [other.name, other.code],
        [other.id, other.code],
        ['nada', 'nada'],
        [999_999, '999999'],
      ] as const) {
        const answer = await signed(t, call, { license_key, software });
        expect(answer.status).toBe(status);
        expect(answer.body.reason ?? answer.body.code).toBe('wrong_software');
        expect(answer.claims).toMatchObject({
          aud,
          sub: String(id),
          valid: false,
          reason: 'wrong_software',
          exp: IAT + 300,
        });
      }
    }
    const { body } = await t.call('GET', `/licenses/api/installations/?license=${id}`);
    expect(body.count).toBe(0);
  });

  test('is checked after not_found and before all other reasons', async () => {
    const { t, other, license_key, id } = await twoProducts();
    await t.call('PUT', `/licenses/api/licenses/${id}/`, { body: { status: 'suspended' } });
    const software = other.code;
    expect((await ask(t, 'validate', { license_key, software })).body.reason).toBe('wrong_software');
    expect((await ask(t, 'activate', { license_key, software })).body.code).toBe('wrong_software');
    expect((await ask(t, 'heartbeat', { license_key, software })).body.code).toBe('wrong_software');
    expect((await ask(t, 'validate', { license_key: 'nada', software })).body.reason).toBe('not_found');
    expect((await ask(t, 'activate', { license_key: 'nada', software })).body.code).toBe('license_not_found');
    expect((await ask(t, 'heartbeat', { license_key: 'nada', software })).body.code).toBe(
      'license_not_found',
    );
  });

  test('that does not exist is refused', async () => {
    const { t, license_key } = await twoProducts();
    for (const software of ['', '  ', 0, -1, 1.5, {}, [], null, 'a'.repeat(201)]) {
      for (const call of Object.keys(CALLS) as Call[]) {
        const { status, body } = await ask(t, call, { license_key, software });
        expect([status, Object.keys(body.errors)], String(software)).toEqual([400, ['software']]);
      }
    }
  });

  test('a machine without a seat is not valid when require_seat is sent', async () => {
    const { t, license_key } = await twoProducts();
    const { body } = await ask(t, 'validate', { license_key });
    expect(body).toMatchObject({ valid: true, machine_registered: false });
    const required = await ask(t, 'validate', { license_key, require_seat: true });
    expect(required.body).toMatchObject({
      valid: false,
      reason: 'not_activated',
      message: 'El equipo no está activado',
      machine_registered: false,
    });
    await activate(t, license_key, MACHINE);
    const seated = await ask(t, 'validate', { license_key, require_seat: true });
    expect(seated.body).toMatchObject({ valid: true, reason: null, machine_registered: true });
    expect((await ask(t, 'validate', { license_key, require_seat: 'sí' })).status).toBe(400);
  });
});
