import { describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { WEBHOOK_MESSAGES } from '../../../contract/system/webhooks.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { webhookJob } from './webhook-job.ts';

/** Webhooks as managed by administrators (HOOK-01, HOOK-03). */

const PATH = '/licenses/api/webhooks/';
const START = '2026-11-22T12:00:00.000Z';
const PUBLIC = [{ address: '93.184.216.34', family: 4 }];

/** All host names in these tests resolve to a public address. */
async function start(options: Parameters<typeof createTestApp>[0] = {}): Promise<TestApp> {
  const t = await createTestApp({ now: START, ...options });
  t.context.lookUp = async () => PUBLIC;
  return t;
}

const VALUES = { url: 'https://crm.example.com/avisos', types: ['license.*'] };
const create = (t: TestApp, values: object = {}, token: string | null = t.token) =>
  t.call('POST', PATH, { body: { ...VALUES, ...values }, token });

describe('a webhook', () => {
  test('is created with a secret that is shown once (HOOK-01, EVENT-04)', async () => {
    const t = await start();
    const { status, body } = await create(t, { description: 'CRM' });
    const { secret, ...shown } = body;
    expect([status, shown]).toEqual([
      201,
      {
        id: 1,
        ...VALUES,
        description: 'CRM',
        is_active: true,
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        next_attempt_at: null,
        last_delivered_at: null,
        waiting: 0,
        old_secret_until: null,
        created_at: START,
        updated_at: START,
      },
    ]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect((await t.call('GET', `${PATH}1/`)).body).toEqual(shown);
    expect((await t.call('GET', PATH)).body.results).toEqual([shown]);
    const stored = await Promise.all([
      t.db.selectFrom('webhooks').selectAll().execute(),
      t.db.selectFrom('events').selectAll().execute(),
    ]);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  });

  test('is changed field by field, and its event has the author and the changes', async () => {
    const t = await start();
    await create(t, { url: 'https://crm.example.com/avisos?clave=secreta' });
    const { body } = await t.call('PUT', `${PATH}1/`, { body: { types: ['*', 'client.created', '*'] } });
    expect([body.types, body.url, body.is_active]).toEqual([
      ['*', 'client.created'],
      'https://crm.example.com/avisos?clave=secreta',
      true,
    ]);
    await t.call('PUT', `${PATH}1/`, { body: { types: ['*', 'client.created'] } });
    const { status } = await t.call('DELETE', `${PATH}1/`);
    expect([status, (await t.call('GET', `${PATH}1/`)).status]).toEqual([200, 404]);
    const events = await t.db
      .selectFrom('events')
      .select(['type', 'subject_name', 'changes'])
      .where('type', 'in', ['webhook.created', 'webhook.updated', 'webhook.deleted'])
      .orderBy('id')
      .execute();
    const name = 'https://crm.example.com/avisos?…';
    expect(events.map((event) => [event.type, event.subject_name, JSON.parse(event.changes)])).toEqual([
      ['webhook.created', name, {}],
      ['webhook.updated', name, { types: { before: ['license.*'], after: ['*', 'client.created'] } }],
      ['webhook.deleted', name, {}],
    ]);
  });

  test('is not saved over a change of another person', async () => {
    const t = await start();
    const { body } = await create(t);
    t.clock.advance(1000);
    const headers = { 'if-match': `"${body.updated_at}"` };
    expect((await t.call('PUT', `${PATH}1/`, { body: { description: 'A' }, headers })).status).toBe(200);
    const stale = await t.call('PUT', `${PATH}1/`, {
      body: { description: 'B', updated_at: body.updated_at },
    });
    expect([stale.status, stale.body.current.description]).toEqual([412, 'A']);
    expect((await t.call('DELETE', `${PATH}1/`, { headers })).status).toBe(412);
  });

  test('is refused when twenty exist already', async () => {
    const t = await start();
    for (let count = 0; count < 20; count += 1) await create(t);
    const { status, body } = await create(t);
    expect([status, body.code, body.message]).toEqual([
      409,
      'conflict',
      'Se admiten como máximo 20 webhooks',
    ]);
  });

  test('of thirty concurrent calls twenty create one', async () => {
    const t = await start();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(t)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(10).fill(409),
    ]);
  });
});

describe('refused calls', () => {
  test.each([
    [{ url: '' }, { url: ['La dirección es obligatoria'] }],
    [{ url: 'crm' }, { url: ['Escribe una dirección completa, como https://ejemplo.com/avisos'] }],
    [
      { url: 'ftp://crm.example.com/' },
      { url: ['Escribe una dirección completa, como https://ejemplo.com/avisos'] },
    ],
    [
      { url: 'https://ana:clave@crm.example.com/' },
      { url: ['La dirección no puede llevar usuario ni contraseña'] },
    ],
    [{ url: 'http://crm.example.com/' }, { url: ['La dirección debe empezar con https://'] }],
    [{ types: [] }, { types: ['Elige al menos un evento'] }],
    [{ types: ['license.*', 'license.sold'] }, { types: ['El evento license.sold no existe'] }],
    [{ types: ['license*'] }, { types: ['El evento license* no existe'] }],
    [{ types: ['webhook.test'] }, { types: ['El evento webhook.test no existe'] }],
  ])('%j is refused at its field', async (values, errors) => {
    const t = await start();
    const { status, body } = await create(t, values);
    expect([status, body.errors]).toEqual([400, errors]);
  });

  test('a host name or an address in a private network is refused (HOOK-03)', async () => {
    const t = await start({
      env: { DEMO: '0', ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'tres tristes tigres' },
    });
    t.token = await signInAs(t, 'admin', 'tres tristes tigres');
    const refused = { url: ['La dirección lleva a una red privada o a este mismo servidor'] };
    const urls = [
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/',
      'https://0x7f.1/',
    ];
    for (const url of urls) expect([url, (await create(t, { url })).body.errors]).toEqual([url, refused]);
    t.context.lookUp = async () => [...PUBLIC, { address: '192.168.1.5', family: 4 }];
    expect((await create(t)).body.errors).toEqual(refused);
    expect((await create(t, { url: 'http://127.0.0.1:8080/' })).body.errors).toEqual({
      url: ['La dirección debe empezar con https://'],
    });
    t.context.lookUp = async () => PUBLIC;
    expect((await create(t)).status).toBe(201);
    t.context.lookUp = async () => [{ address: '10.0.0.8', family: 4 }];
    const moved = await t.call('PUT', `${PATH}1/`, { body: { url: 'https://otro.example.com/' } });
    expect(moved.body.errors).toEqual(refused);
    expect((await t.call('PUT', `${PATH}1/`, { body: { description: 'Otra' } })).status).toBe(200);
  });

  test('with WEBHOOKS_ALLOW_PRIVATE private addresses are accepted, but only with https (HOOK-03)', async () => {
    const t = await start({ env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
    t.context.lookUp = async () => [{ address: '10.0.0.8', family: 4 }];
    expect((await create(t)).status).toBe(201);
    expect((await create(t, { url: 'http://crm.example.com/' })).status).toBe(400);
  });

  test('a host name that does not exist yet is accepted', async () => {
    const t = await start();
    t.context.lookUp = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
    expect((await create(t)).status).toBe(201);
  });

  test('in demo mode a receiver on this machine may use http', async () => {
    const t = await start();
    t.context.lookUp = async () => [{ address: '::1', family: 6 }];
    expect((await create(t, { url: 'http://localhost:4000/avisos' })).status).toBe(201);
    t.context.lookUp = async () => [{ address: '10.0.0.8', family: 4 }];
    expect((await create(t, { url: 'http://localhost:4000/avisos' })).status).toBe(400);
  });

  test.each([
    ['PUT', '9/', { description: 'x' }],
    ['DELETE', '9/', undefined],
    ['POST', '9/rotate_secret/', undefined],
    ['POST', '9/test/', undefined],
    ['GET', '9/deliveries/', undefined],
    ['GET', '9/deliveries/1/', undefined],
    ['POST', '9/deliveries/1/resend/', undefined],
  ])('%s %s of an unknown webhook is 404', async (method, path, body) => {
    const t = await start();
    const answer = await t.call(method, `${PATH}${path}`, { ...(body && { body }) });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await t.call(method, `${PATH}${path}`, { ...(body && { body }), token: null })).status).toBe(401);
  });
});

test('a webhook created with an API key gets only events of records that the key may read (HOOK-01)', async () => {
  const t = await start();
  const key = async (permissions: string[]) =>
    (await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'CRM', permissions } })).body.key;
  const limited = await key(['webhooks:manage', 'clients:read', 'licenses:read', 'mails:read']);
  const refusal = (...missing: string[]) => ({ types: [WEBHOOK_MESSAGES.rights(missing)] });
  const refused = refusal(
    'software:read',
    'license_types:read',
    'payments:read',
    'audit:read',
    'imports:run',
  );
  const errorsOf = async (types: string[], token: string) => (await create(t, { types }, token)).body.errors;
  expect(await errorsOf(['*'], limited)).toEqual(refused);
  for (const types of [['license.*', 'user.*'], ['api_key.created'], ['webhook.*']])
    expect([types, await errorsOf(types, limited)]).toEqual([types, refusal('audit:read')]);
  const alone = await key(['webhooks:manage']);
  expect(await errorsOf(['mail.*'], alone)).toEqual(refusal('mails:read'));
  expect(await errorsOf(['license.issued', 'installation.activated'], alone)).toEqual(
    refusal('licenses:read'),
  );
  expect(await errorsOf(['client.updated'], alone)).toEqual(refusal('clients:read'));
  expect((await create(t, { types: ['license.*', 'mail.failed'] }, limited)).status).toBe(201);
  expect((await create(t, { types: ['*'] })).status).toBe(201);
  const moved = await t.call('PUT', `${PATH}2/`, {
    body: { url: 'https://otro.example.com/' },
    token: limited,
  });
  expect(moved.body.errors).toEqual(refused);

  // The key cannot read the messages about staff among the deliveries of a webhook that an administrator made.
  t.context.lookUp = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  await runJob(t.context, webhookJob);
  await createClient(t);
  await key(['clients:read']);
  const deliveries = `${PATH}2/deliveries/`;
  const { results } = (await t.call('GET', deliveries, { token: limited })).body;
  const ids = new Map<string, number>(
    results.map(({ type, id }: { type: string; id: number }) => [type, id]),
  );
  const read = async (type: string, token: string) => {
    const one = `${deliveries}${ids.get(type)}/`;
    const answers = [await t.call('GET', one, { token }), await t.call('POST', `${one}resend/`, { token })];
    return answers.map(({ status }) => status);
  };
  expect([...ids.keys()].sort()).toEqual(['api_key.created', 'client.created']);
  expect(await read('client.created', limited)).toEqual([200, 200]);
  expect(await read('api_key.created', limited)).toEqual([403, 403]);
  expect(await read('api_key.created', t.token)).toEqual([200, 200]);
});

test('webhooks:manage alone changes no webhook with events about staff and gets no secret of it (HOOK-01)', async () => {
  const t = await start();
  const key = async (permissions: string[]) =>
    (await t.call('POST', '/licenses/api/api-keys/', { body: { name: 'CRM', permissions } })).body.key;
  const limited = await key(['webhooks:manage', 'clients:read']);
  const auditor = await key(['webhooks:manage', 'clients:read', 'audit:read']);
  await create(t, { types: ['client.*', 'user.*'] });
  await create(t, { types: ['client.*'] });
  const before = await t.db.selectFrom('webhooks').selectAll().orderBy('id').execute();
  const one = `${PATH}1/`;
  const calls = [
    ['POST', `${one}rotate_secret/`, undefined],
    ['PUT', one, { url: 'https://otro.example.com/' }],
    ['PUT', one, { types: ['client.*'] }],
    ['PUT', one, { is_active: false }],
    ['PATCH', one, { description: 'x' }],
    ['DELETE', one, undefined],
  ] as const;
  const answers = async (token: string) => {
    const found = [];
    for (const [method, url, body] of calls) {
      const answer = await t.call(method, url, { token, ...(body && { body }) });
      found.push([answer.status, answer.body.code, answer.body.errors]);
    }
    return found;
  };
  // A key without the right to read them; a key, which is no person; a person whose password was typed long ago.
  const rights = { types: [WEBHOOK_MESSAGES.rights(['audit:read'])] };
  expect(await answers(limited)).toEqual(calls.map(() => [400, 'invalid', rights]));
  expect(await answers(auditor)).toEqual(calls.map(() => [403, 'forbidden', undefined]));
  expect((await create(t, { types: ['session.*'] }, auditor)).status).toBe(403);
  t.clock.advance(11 * 60_000);
  expect(await answers(t.token)).toEqual(calls.map(() => [403, 'step_up_required', undefined]));
  expect((await create(t, { types: ['*'] })).body.code).toBe('step_up_required');
  // Nor does a change that adds such events to another webhook.
  const added = { types: ['client.*', 'api_key.*'] };
  expect((await t.call('PUT', `${PATH}2/`, { body: added, token: auditor })).status).toBe(403);
  expect((await t.call('PUT', `${PATH}2/`, { body: added })).body.code).toBe('step_up_required');
  expect(await t.db.selectFrom('webhooks').selectAll().orderBy('id').execute()).toEqual(before);

  // A webhook without such events needs neither.
  expect((await t.call('POST', `${PATH}2/rotate_secret/`, { token: limited })).body.secret).toMatch(
    /^whsec_/,
  );
  const paused = await t.call('PUT', `${PATH}2/`, { body: { is_active: false }, token: limited });
  expect(paused.status).toBe(200);
  expect((await t.call('DELETE', `${PATH}2/`, { token: limited })).status).toBe(200);
  const confirmed = await t.call('POST', '/api/auth/step-up/', { body: { password: DEMO_ACCOUNT.password } });
  expect(confirmed.status).toBe(200);
  expect((await t.call('POST', `${one}rotate_secret/`)).body.secret).toMatch(/^whsec_/);
  expect((await t.call('DELETE', one)).status).toBe(200);
});

test('messages of a deleted webhook are not sent again', async () => {
  const t = await start();
  await create(t, { types: ['client.*'] });
  await createClient(t);
  await t.call('DELETE', `${PATH}1/`);
  expect((await t.call('POST', `${PATH}1/deliveries/1/resend/`)).status).toBe(404);
});
