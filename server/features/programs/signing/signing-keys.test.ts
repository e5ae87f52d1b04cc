import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OFFLINE_DAYS_MAX } from '../../../../contract/base/limits.ts';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { createLicense } from '../../../../test/factories.ts';
import { runJob } from '../../../../test/run-job.ts';
import { housekeepingJob } from '../../system/housekeeping/housekeeping-job.ts';
import { makeSigningKeys } from './make-signing-keys.ts';
import { keepForFile } from './signing-keys.queries.ts';

const LIST = '/licenses/api/signing-keys/';
const ROTATE = `${LIST}rotate/`;
const JWKS = '/.well-known/jwks.json';
const DAY_MS = 24 * 60 * 60 * 1000;

const stateOf = async (t: TestApp) => {
  const { body } = await t.call('GET', LIST);
  return Object.fromEntries(
    body.results.map(({ kid, state }: { kid: string; state: string }) => [kid, state]),
  );
};
const kidOf = async (t: TestApp, requested: string) =>
  Object.entries(await stateOf(t)).find(([, state]) => state === requested)?.[0] ?? '';

describe('the keys that sign answers', { tags: ['PROG-01'] }, () => {
  test('the current and the next key exist from the first start, and anyone may read their public keys', async () => {
    const t = await createTestApp();
    const { status, body, headers } = await t.call('GET', JWKS, { token: null });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(body.keys).toHaveLength(2);
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: 'EC',
        crv: 'P-256',
        x: expect.stringMatching(/^[\w-]{43}$/),
        y: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        use: 'sig',
        alg: 'ES256',
      });
    }
    expect(Object.values(await stateOf(t)).sort()).toEqual(['current', 'next']);
    const { body: list } = await t.call('GET', LIST);
    for (const { public_pem, public_jwk } of list.results) {
      expect(createPublicKey(public_pem).export({ format: 'jwk' })).toMatchObject({ x: public_jwk.x });
    }
  });

  test('another start creates no keys, and a start after a kill between the two creates the missing one', async () => {
    const t = await createTestApp();
    const before = await stateOf(t);
    await Promise.all([1, 2, 3].map(() => makeSigningKeys(t.context, t.context.now())));
    expect(await stateOf(t)).toEqual(before);

    await t.db.deleteFrom('signing_keys').where('state', '=', 'next').execute();
    await Promise.all([1, 2, 3].map(() => makeSigningKeys(t.context, t.context.now())));
    expect(await kidOf(t, 'current')).toBe(Object.keys(before).find((kid) => before[kid] === 'current'));
    expect(Object.values(await stateOf(t)).sort()).toEqual(['current', 'next']);
  });

  test('a rotation makes the next key current, still publishes the old one, and is one event', async () => {
    const t = await createTestApp();
    const [current, next] = [await kidOf(t, 'current'), await kidOf(t, 'next')];
    const { status, body } = await t.call('POST', ROTATE);
    expect(status).toBe(200);
    expect(body.results).toHaveLength(3);
    expect(await stateOf(t)).toMatchObject({ [current]: 'retired', [next]: 'current' });
    const { body: set } = await t.call('GET', JWKS, { token: null });
    expect(set.keys.map(({ kid }: { kid: string }) => kid)).toEqual(expect.arrayContaining([current, next]));
    const events = await t.call('GET', '/licenses/api/events/?type=signing_key.rotated');
    expect(events.body.results).toMatchObject([
      { subject: { kind: 'signing_key', name: next }, changes: { kid: { before: current, after: next } } },
    ]);
  });

  test('a rotation of a key that no longer signs changes nothing', async () => {
    const t = await createTestApp();
    const current = await kidOf(t, 'current');
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await t.call('POST', ROTATE, { body: { current } }));
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409]);
    expect(answers[1]?.body.code).toBe('conflict');
    expect(Object.keys(await stateOf(t))).toHaveLength(3);
  });

  test('concurrent rotations of the same current key rotate it once', async () => {
    const t = await createTestApp();
    const current = await kidOf(t, 'current');
    const answers = await Promise.all([1, 2, 3, 4].map(() => t.call('POST', ROTATE, { body: { current } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(Object.values(await stateOf(t)).sort()).toEqual(['current', 'next', 'retired']);
  });

  test('ten minutes after the password a rotation asks for it again (PEOPLE-05)', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00.000Z' });
    t.clock.advance(11 * 60_000);
    const refused = await t.call('POST', ROTATE);
    expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
    expect((await t.call('POST', ROTATE)).status).toBe(200);
  });

  test('a rotation without the permission, or with an API key, is forbidden', async () => {
    const t = await createTestApp();
    const made = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Programa', permissions: ['signing_keys:manage'] },
    });
    const token = made.body.key;
    expect((await t.call('GET', LIST, { token })).status).toBe(200);
    const answer = await t.call('POST', ROTATE, { token });
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect((await t.call('GET', LIST, { token: null })).status).toBe(401);
    expect((await t.call('POST', ROTATE, { body: { current: 5 } })).status).toBe(400);
  });

  test('a retired key is deleted when everything that it signed has expired, and not before', async () => {
    const t = await createTestApp({ now: '2026-11-22T12:00:00.000Z' });
    const [first, second] = [await kidOf(t, 'current'), await kidOf(t, 'next')];
    await t.call('POST', ROTATE);
    await t.call('POST', ROTATE);
    const start = t.context.now().getTime();
    const fileEnd = new Date(start + 1000 * DAY_MS).toISOString();
    await keepForFile(t.db, second, fileEnd);
    // A file that ends earlier does not shorten the time.
    await keepForFile(t.db, second, new Date(start + DAY_MS).toISOString());

    const kidsAfter = async (days: number) => {
      t.clock.set(new Date(start + days * DAY_MS));
      await runJob(t.context, housekeepingJob);
      const { body } = await t.call('GET', JWKS, { token: null });
      return body.keys.map(({ kid }: { kid: string }) => kid);
    };
    expect(await kidsAfter(OFFLINE_DAYS_MAX + 0.9)).toContain(first);
    const later = await kidsAfter(OFFLINE_DAYS_MAX + 1.1);
    expect(later).not.toContain(first);
    expect(later).toContain(second);
    expect(await kidsAfter(999)).toContain(second);
    expect(await kidsAfter(1001)).toHaveLength(2);
  });

  test('without a key a signed answer fails as a server error, and an unsigned one works', async () => {
    const t = await createTestApp();
    const { license_key } = await createLicense(t);
    await t.db.deleteFrom('signing_keys').execute();
    const validate = (extra: object) =>
      t.call('POST', '/licenses/api/license/validate/', {
        token: null,
        body: { license_key, machine_id: 'caja-1', ...extra },
      });
    expect((await validate({})).status).toBe(200);
    expect((await validate({ nonce: 'q3JX0u8c5mS1hV7bT2wYzA' })).status).toBe(500);
  });

  test('no answer, event or row contains an unencrypted private key', { tags: ['EVENT-04'] }, async () => {
    const t = await createTestApp();
    await t.call('POST', ROTATE);
    const rows = await t.db.selectFrom('signing_keys').selectAll().execute();
    const secrets = rows.map(({ kid, private_key }) =>
      t.context.secrets.open(private_key, `signing-key:${kid}`),
    );
    const scalars = secrets.map((pem) => pem.split('\n').slice(1, 2).join(''));
    const shown = [
      await t.call('GET', LIST),
      await t.call('GET', JWKS),
      await t.call('GET', '/licenses/api/events/'),
    ].map(({ text }) => text);
    for (const text of [...shown, JSON.stringify(rows)]) {
      expect(text).not.toContain('PRIVATE KEY');
      expect(text).not.toContain('"d":');
      for (const scalar of scalars) expect(text).not.toContain(scalar);
    }
  });
});
