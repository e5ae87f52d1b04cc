import { createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TestApp } from '../../../../test/app.ts';
import { createAuthenticator, type Lies } from '../../../../test/authenticator.ts';
import {
  ADMIN,
  addPasskey,
  createPasskeyApp,
  joinAs,
  ORIGIN,
  optionsOf,
  sendProof,
  signInBy,
  signInOptions,
  stepUpBy,
} from '../../../../test/passkeys.ts';

/** What was tried against passkeys (SIGN-01; docs/security.md). Each ends as a wrong response does, and opens nothing. */

const MINUTE_MS = 60_000;
const PASSKEYS = '/api/auth/passkeys/';
const WRONG = [401, 'invalid_code'];

const answerOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const sessionsOpen = async (t: TestApp) =>
  (await t.db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()).length;

/** One sign-in in which the passkey lies, and afterwards an honest one, which must work. */
async function refused(lies: Lies | ((t: TestApp) => Promise<Lies>)) {
  const t = await createPasskeyApp();
  const { authenticator } = await addPasskey(t);
  await signInBy(t, authenticator);
  const before = await sessionsOpen(t);
  const answer = await signInBy(t, authenticator, typeof lies === 'function' ? await lies(t) : lies);
  expect(await sessionsOpen(t)).toBe(before);
  // Counters go on: a lie about the counter must not lock the person out.
  expect((await signInBy(t, authenticator)).status).toBe(200);
  return answerOf(answer);
}

describe('a response', () => {
  const LIES: [string, Lies | ((t: TestApp) => Promise<Lies>)][] = [
    ['of another origin', { origin: 'http://localhost:4000' }],
    ['of another scheme', { origin: 'https://localhost:3000' }],
    ['of a longer name', { origin: 'http://localhost:3000.example.com' }],
    ['for another name (rpID)', { rpId: 'example.com' }],
    ['without the person’s verification (UV)', { verified: false }],
    ['of a page inside another page', { crossOrigin: true }],
    ['that was made to add a passkey', { type: 'webauthn.create' }],
    ['signed with another key', { key: otherKey() }],
    ['with a counter that goes back', { counter: 1 }],
    ['with a counter that stands still', { counter: 2 }],
    ['without a user handle', { userHandle: null }],
    ['with the user handle of somebody else', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['with an invented challenge', { challenge: 'MTc5NjAxMjEwMDAwMC5hLmI' }],
    ['with the challenge of another sign-in', async (t) => (await signInOptions(t)).options],
    ['with a challenge for adding a passkey', async (t) => (await optionsOf(t)).body.options],
  ];
  for (const [title, lies] of LIES) {
    test(`${title} opens no session (SIGN-01)`, async () => {
      const only =
        typeof lies === 'function' ? async (t: TestApp) => ({ challenge: (await lies(t)).challenge! }) : lies;
      expect(await refused(only)).toEqual(WRONG);
    });
  }

  test('to an altered challenge opens no session: neither its end nor its code can be changed', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const { options, token } = await signInOptions(t);
    const [end, nonce, code] = Buffer.from(options.challenge, 'base64url').toString().split('.') as string[];
    const altered = [
      `${Number(end) + 3_600_000}.${nonce}.${code}`,
      `${end}.${nonce}.`,
      `${end}.${nonce}`,
      '',
    ];
    for (const text of altered) {
      const challenge = Buffer.from(text).toString('base64url');
      const answer = await sendProof(t, { token, response: authenticator.get({ ...options, challenge }) });
      expect(answerOf(answer)).toEqual(WRONG);
    }
  });

  test('opens one session, however often and at how many places at once it is sent (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    // One that does not count, so that only the challenge says that it was used.
    const authenticator = createAuthenticator(ORIGIN, { counts: false });
    await addPasskey(t, { authenticator });
    const before = await sessionsOpen(t);
    const { options, token } = await signInOptions(t);
    const proof = { token, response: authenticator.get(options) };
    const answers = await Promise.all(Array.from({ length: 200 }, () => sendProof(t, proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOpen(t)).toBe(before + 1);
    expect([401, 429]).toContain((await sendProof(t, proof)).status);
  });

  test('of a copy with the same counter opens one session, also at once', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const starts = await Promise.all(Array.from({ length: 6 }, () => signInOptions(t)));
    const answers = await Promise.all(
      starts.map(({ options, token }) =>
        sendProof(t, { token, response: authenticator.get(options, { counter: 50 }) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(401)]);
  });

  test('with its challenge used by a wrong one is refused too', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const { options, token } = await signInOptions(t);
    const wrong = { token, response: authenticator.get(options, { verified: false }) };
    expect(answerOf(await sendProof(t, wrong))).toEqual(WRONG);
    expect(answerOf(await sendProof(t, { token, response: authenticator.get(options) }))).toEqual(WRONG);
  });

  test('after five minutes is refused (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const early = await signInOptions(t);
    const late = await signInOptions(t);
    t.clock.advance(5 * MINUTE_MS - 1);
    expect(
      (await sendProof(t, { token: early.token, response: authenticator.get(early.options) })).status,
    ).toBe(200);
    t.clock.advance(1);
    expect(
      answerOf(await sendProof(t, { token: late.token, response: authenticator.get(late.options) })),
    ).toEqual(WRONG);
  });

  test('with the token of another sign-in is refused', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const [mine, other] = [await signInOptions(t), await signInOptions(t)];
    const answer = await sendProof(t, { token: other.token, response: authenticator.get(mine.options) });
    expect(answerOf(answer)).toEqual(WRONG);
  });

  test('of one person under the credential of another opens neither account', async () => {
    const t = await createPasskeyApp();
    const mine = await addPasskey(t);
    const { token } = await joinAs(t, 'eva');
    const hers = await addPasskey(t, { token });
    const lies = { id: mine.authenticator.id, userHandle: mine.options.user.id as string };
    expect(answerOf(await signInBy(t, hers.authenticator, lies))).toEqual(WRONG);
    expect(answerOf(await signInBy(t, hers.authenticator, { userHandle: lies.userHandle }))).toEqual(WRONG);
  });

  test('of any other form is a wrong one, and no failure of the server', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const { options, token } = await signInOptions(t);
    const good = authenticator.get(options);
    const { response } = good;
    const malformed: object[] = [
      {},
      { ...good, id: 'no existe' },
      { ...good, id: 'x'.repeat(5000) },
      { ...good, rawId: 'AAAA' },
      { ...good, type: 'password' },
      { ...good, response: null },
      { ...good, response: [] },
      { ...good, response: { ...response, clientDataJSON: 'bnVsbA' } },
      { ...good, response: { ...response, clientDataJSON: '____' } },
      { ...good, response: { ...response, authenticatorData: '' } },
      { ...good, response: { ...response, authenticatorData: 'AAAA' } },
      { ...good, response: { ...response, signature: 7 } },
      { ...good, response: { ...response, userHandle: { $ne: null } } },
    ];
    for (const sent of malformed) expect((await sendProof(t, { token, response: sent })).status).toBe(401);
    for (const sent of [null, 7, 'x', []]) {
      const answer = await sendProof(t, { token, response: sent });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['response']]);
    }
    expect(Object.keys((await sendProof(t, {})).body.errors)).toEqual(['token', 'response']);
  });
});

describe('guessing', () => {
  test('ten wrong responses of a passkey and address are answered, then 429, and passwords go on (SIGN-01)', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const statuses: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      statuses.push((await signInBy(t, authenticator, { verified: false })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const right = await signInBy(t, authenticator);
    expect([right.status, Number(right.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await t.call('POST', '/api/auth/login/', { token: null, body: ADMIN })).status).toBe(200);
    // An administrator lifts it.
    await t.call('POST', '/licenses/api/users/1/unlock/');
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });

  test('unknown passkeys of an address are counted together, and lock nobody’s out', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const statuses: number[] = [];
    for (let number = 0; number < 11; number += 1) {
      statuses.push((await signInBy(t, createAuthenticator(ORIGIN), { userHandle: 'AAAA' })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });

  test('right responses are never counted', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    for (let number = 0; number < 15; number += 1) {
      expect((await signInBy(t, authenticator)).status).toBe(200);
    }
  });

  test('passwords that are guessed lock no passkey out', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const guess = () =>
      t.call('POST', '/api/auth/login/', { token: null, body: { ...ADMIN, password: 'no es esta' } });
    for (let number = 0; number < 10; number += 1) await guess();
    expect((await guess()).status).toBe(429);
    expect((await signInBy(t, authenticator)).status).toBe(200);
  });

  test('options tell nothing of who has a passkey, and write nothing', async () => {
    const t = await createPasskeyApp();
    const keysOf = async () => Object.keys((await signInOptions(t)).options).sort();
    const before = await keysOf();
    await addPasskey(t);
    const used = () => t.db.selectFrom('used_challenges').selectAll().execute();
    const stored = await used();
    expect(await keysOf()).toEqual(before);
    expect(await used()).toEqual(stored);
  });
});

describe('a stolen session', () => {
  test('confirms nothing with the thief’s own passkey, and is limited (SIGN-01, PEOPLE-05)', async () => {
    const t = await createPasskeyApp();
    await addPasskey(t);
    const thief = await joinAs(t, 'eva');
    const { authenticator } = await addPasskey(t, { token: thief.token });
    t.clock.advance(10 * MINUTE_MS + 1);
    for (let number = 0; number < 5; number += 1) {
      const answer = await stepUpBy(t, authenticator);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['passkey']]);
    }
    expect((await stepUpBy(t, authenticator)).status).toBe(429);
    expect((await optionsOf(t)).body.code).toBe('step_up_required');
    // The counter is the one of passwords: together they have five tries.
    const password = await t.call('POST', '/api/auth/step-up/', { body: { password: ADMIN.password } });
    expect(password.status).toBe(429);
  });

  test('cannot use the options of another session to add a passkey', async () => {
    const t = await createPasskeyApp();
    const { options } = (await optionsOf(t)).body;
    const thief = await joinAs(t, 'eva');
    const response = createAuthenticator(ORIGIN).create(options);
    const answer = await t.call('POST', PASSKEYS, { token: thief.token, body: { response, name: 'Mía' } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['response']]);
  });
});

/** A maker of authenticators that anybody can be: a certificate of the form that the library wants, and its key. */
const MAKER = {
  certificate: [
    'MIIBxjCCAWygAwIBAgIBATAKBggqhkjOPQQDAjBTMQswCQYDVQQGEwJNWDEPMA0GA1UECgwGUHJ1ZWJhMSIwIAYDVQQLDBlB',
    'dXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ8wDQYDVQQDDAZQcnVlYmEwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw',
    'MDBaMFMxCzAJBgNVBAYTAk1YMQ8wDQYDVQQKDAZQcnVlYmExIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24x',
    'DzANBgNVBAMMBlBydWViYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGri0xx0RYLkI2B2LEpBihdiYxlf/7MbNv0AkDav',
    'NE3Ldxtk+fANNdiGQ1SZFo1+da4rn3hiNy0yzr4vx4jj/XGjLzAtMAwGA1UdEwEB/wQCMAAwHQYDVR0OBBYEFGo3kksCgN9d',
    'Rbft/UCqch/3aSxJMAoGCCqGSM49BAMCA0gAMEUCIGNB98c5UIhFHI4NlrnwK5ae31nfypqQHd13RlR7fmCRAiEAv0dJXH4n',
    'xjbUw9ygSSypMpc6GguzSk/J9f2wPSLj2k0=',
  ].join(''),
  key: [
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3+nQrSvXdRUOCV2/SU+3W+PNGkHO0Hp/WHjGrHWzoGmhRANC',
    'AARq4tMcdEWC5CNgdixKQYoXYmMZX/+zGzb9AJA2rzRNy3cbZPnwDTXYhkNUmRaNfnWuK594YjctMs6+L8eI4/1x',
  ].join(''),
};

/** A statement that is right, so that it is refused for nothing but its certificate. */
function certified(signed: Uint8Array) {
  const bytes = Buffer.from(MAKER.key, 'base64');
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  return new Map<string, number | Uint8Array | Uint8Array[]>([
    ['alg', -7],
    ['sig', createSign('sha256').update(signed).sign(key)],
    ['x5c', [Buffer.from(MAKER.certificate, 'base64')]],
  ]);
}

describe('a passkey is not added', () => {
  const LIES: [string, Lies][] = [
    ['from another origin', { origin: 'http://localhost:4000' }],
    ['for another name (rpID)', { rpId: 'example.com' }],
    ['without the person’s verification (UV)', { verified: false }],
    ['from a page inside another page', { crossOrigin: true }],
    ['with a response that was made to sign in', { type: 'webauthn.get' }],
    ['with an invented challenge', { challenge: 'AAAA' }],
    [
      'with a statement whose certificates would be followed',
      { statement: { format: 'packed', content: certified } },
    ],
    ['with a statement of another format', { statement: { format: 'apple', content: () => new Map() } }],
    [
      'with a statement that nobody asked for',
      { statement: { format: 'none', content: () => new Map([['a', 1]]) } },
    ],
  ];
  for (const [title, lies] of LIES) {
    test(title, async () => {
      const t = await createPasskeyApp();
      const { answer } = await addPasskey(t, { lies });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['response']]);
    });
  }

  test('twice with one response, not even at once', async () => {
    const t = await createPasskeyApp();
    const { options } = (await optionsOf(t)).body;
    const response = createAuthenticator(ORIGIN).create(options);
    const send = () => t.call('POST', PASSKEYS, { body: { response, name: 'Portátil' } });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  test('after five minutes', async () => {
    const t = await createPasskeyApp();
    const { options } = (await optionsOf(t)).body;
    const response = createAuthenticator(ORIGIN).create(options);
    t.clock.advance(5 * MINUTE_MS);
    expect((await t.call('POST', PASSKEYS, { body: { response, name: 'x' } })).status).toBe(400);
  });

  test('under the credential id of somebody else, whose passkey goes on working', async () => {
    const t = await createPasskeyApp();
    const { authenticator } = await addPasskey(t);
    const thief = await joinAs(t, 'eva');
    const { answer } = await addPasskey(t, { token: thief.token, lies: { id: authenticator.id } });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
    expect((await signInBy(t, authenticator)).body.user.username).toBe('admin');
  });

  test('by an API key, which reaches no call of passkeys', async () => {
    const t = await createPasskeyApp();
    const { body } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Tienda', permissions: ['clients:read'] },
    });
    for (const [method, path] of [
      ['GET', PASSKEYS],
      ['POST', `${PASSKEYS}options/`],
      ['POST', PASSKEYS],
      ['PATCH', `${PASSKEYS}1/`],
      ['DELETE', `${PASSKEYS}1/`],
    ] as const) {
      expect(answerOf(await t.call(method, path, { token: body.key, body: {} }))).toEqual([403, 'forbidden']);
    }
  });
});

test('nothing of a passkey is in an answer but its name, and no key in an event', async () => {
  const t = await createPasskeyApp();
  const { authenticator, answer, options } = await addPasskey(t);
  const found = [
    answer.text,
    (await t.call('GET', PASSKEYS)).text,
    (await t.call('GET', '/licenses/api/events/')).text,
    (await t.call('GET', '/licenses/api/users/')).text,
  ].join('\n');
  const row = await t.db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow();
  for (const secret of [authenticator.id, row.public_key, options.user.id])
    expect(found).not.toContain(secret);
});
