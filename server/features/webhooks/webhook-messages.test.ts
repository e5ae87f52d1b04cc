import { expect, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { type Received, type Receiver, signatureOf, startReceiver } from '../../../test/webhook-receiver.ts';
import { webhookJob } from './webhook-job.ts';

/** The content of a message: its record and its signature (HOOK-01). */

const PATH = '/licenses/api/webhooks/';
const START = '2026-11-22T12:00:00.000Z';
const HOUR_MS = 3_600_000;

async function start(types: string[]): Promise<{ t: TestApp; receiver: Receiver; secret: string }> {
  const t = await createTestApp({ now: START });
  const receiver = await startReceiver();
  const { body } = await t.call('POST', PATH, { body: { url: receiver.url, types } });
  return { t, receiver, secret: body.secret };
}

const typesOf = ({ received }: Receiver) => received.map(({ body }) => body.type);
/** What was sent without its headers: a signature or an id there may contain four letters by chance. */
const textsOf = ({ received }: Receiver) => received.map(({ text }) => text).join('\n');
const signaturesOf = ({ headers }: Received) => String(headers['webhook-signature']).split(' ');

test('a message contains the event and its record, and is signed', async () => {
  const { t, receiver, secret } = await start(['client.*']);
  const headers = { 'x-request-id': 'pedido-123' };
  const { body: client } = await t.call('POST', '/licenses/api/clients/', {
    headers,
    body: {
      name: 'Ana',
      email: 'ana@example.com',
      phone: '5512345678',
      notes: 'Paga tarde',
      tax_id: 'XAXX010101000',
    },
  });
  await runJob(t.context, webhookJob);
  const [message] = receiver.received;
  const event = await t.db
    .selectFrom('events')
    .select('id')
    .where('type', '=', 'client.created')
    .executeTakeFirstOrThrow();
  const { notes, tax_id, tax_regime, cfdi_use, tax_condition, tags, contacts, contacts_bounced, ...shown } =
    client;
  const { licenses, installations, email_bounced_at, portal_last_sign_in, warnings, suggestions, ...record } =
    shown;
  expect([notes, tax_id]).toEqual(['Paga tarde', 'XAXX010101000']);
  expect(message!.body).toEqual({
    type: 'client.created',
    timestamp: START,
    data: {
      id: event.id,
      at: START,
      type: 'client.created',
      actor: { kind: 'user', id: 1, name: 'Administrador Demo' },
      subject: { kind: 'client', id: client.id, name: 'Ana' },
      client: { id: client.id, name: 'Ana' },
      license: null,
      changes: {},
      reason: null,
      ip: '127.0.0.1',
      request_id: 'pedido-123',
      record,
    },
  });
  expect(message!.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': String(Date.parse(START) / 1000),
  });
  expect(message!.headers['webhook-id']).toMatch(/^msg_[\w-]{22}$/);
  expect(signaturesOf(message!)).toEqual([signatureOf(message!, secret)]);
});

test('a message contains the record as it was at its event, for a deletion its last state', async () => {
  const { t, receiver } = await start(['client.*']);
  const { id } = await createClient(t, { name: 'Ana', notes: 'Primera', tax_id: 'XAXX010101000' });
  const url = `/licenses/api/clients/${id}/`;
  await t.call('PUT', url, { body: { name: 'Ana Ríos', notes: 'Segunda', tax_id: '' } });
  await t.call('PUT', url, { body: { notes: 'Tercera' } });
  await t.call('DELETE', url);
  await runJob(t.context, webhookJob);
  expect(receiver.received.map(({ body: { type, data } }) => [type, data.record.name, data.changes])).toEqual(
    [
      ['client.created', 'Ana', {}],
      ['client.updated', 'Ana Ríos', { name: { before: 'Ana', after: 'Ana Ríos' } }],
      ['client.updated', 'Ana Ríos', {}],
      ['client.deleted', 'Ana Ríos', {}],
    ],
  );
  expect(textsOf(receiver)).not.toMatch(/Primera|Segunda|Tercera|XAXX|"notes"|"tax_id"/);
});

test('an event without an active webhook for its type creates no message', async () => {
  const { t, receiver } = await start(['license.suspended', 'software.*']);
  await t.call('POST', PATH, { body: { url: receiver.url, types: ['*'], is_active: false } });
  await createClient(t);
  await createSoftware(t, { name: 'Caja' });
  await runJob(t.context, webhookJob);
  expect(typesOf(receiver)).toEqual(['software.created']);
});

test('every kind of record can be sent, and no message contains a secret (EVENT-04)', async () => {
  const { t, receiver, secret } = await start(['*']);
  const license = await createLicense(t, { notes: 'Nota interna' });
  const { body: seat } = await activate(t, license.license_key, 'caja-01');
  await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, {
    body: { reason: 'Falta el pago' },
  });
  await t.call('DELETE', `/licenses/api/installations/${seat.id}/`);
  await t.call('POST', '/licenses/api/license-types/', {
    body: { name: 'Anual', base_price: 1, max_installations: 1, validity_days: 365 },
  });
  const { body: key } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'CRM', permissions: ['clients:read'] },
  });
  await t.call('PUT', '/licenses/api/settings/', { body: { vendor_name: 'Sistemas del Centro' } });
  await t.call('POST', '/licenses/api/signing-keys/rotate/', { body: {} });
  const { body: other } = await t.call('POST', PATH, { body: { url: receiver.url, types: ['mail.sent'] } });
  await t.call('PUT', `${PATH}1/`, { body: { description: 'Todo' } });
  await t.call('PUT', '/api/auth/user/', { body: { names: 'Ada' } });
  await t.deliveredMail();
  await t.call('POST', '/api/auth/logout/', {});
  await runJob(t.context, webhookJob);
  const records = Object.fromEntries(
    receiver.received.map(({ body: { type, data } }) => [
      type,
      data.record as Record<string, unknown> | null,
    ]),
  );
  expect(records).toMatchObject({
    'license.issued': { id: license.id, license_key: license.license_key, status: 'active' },
    'license.suspended': { id: license.id, status: 'suspended' },
    'installation.activated': { machine_id: 'caja-01' },
    'installation.released': { machine_id: 'caja-01', license_key: license.license_key },
    'license_type.created': { name: 'Anual' },
    'software.created': { version: '1.0.0' },
    'api_key.created': { name: 'CRM', last_four: key.key.slice(-4) },
    'settings.updated': { vendor_name: 'Sistemas del Centro' },
    'signing_key.rotated': null,
    'session.revoked': null,
    'webhook.created': { types: ['mail.sent'] },
    'user.updated': { username: 'admin', names: 'Ada' },
  });
  // Mails are delivered concurrently: about the licence, and to the maker of the key.
  const mailed = receiver.received.filter(({ body }) => body.type === 'mail.sent');
  const kinds = new Set(mailed.map(({ body }) => (body.data.record as { kind: string }).kind));
  expect([...kinds].sort()).toEqual(['license_issued', 'security_notice']);
  // A webhook gets no message about itself.
  expect(records['webhook.updated']).toBeUndefined();
  const all = JSON.stringify(receiver.received);
  for (const hidden of [secret, other.secret, key.key]) expect(all).not.toContain(hidden.slice(6));
  expect(textsOf(receiver)).not.toMatch(/Nota interna|password|hash|"html"|private_key/);
});

test('for 24 hours after a rotation messages are signed with both secrets (HOOK-01)', async () => {
  const { t, receiver, secret } = await start(['client.*']);
  const { status, body } = await t.call('POST', `${PATH}1/rotate_secret/`);
  expect([status, body.old_secret_until]).toEqual([200, '2026-11-23T12:00:00.000Z']);
  expect(body.secret).not.toBe(secret);
  const newest = async () => {
    await t.call('POST', `${PATH}1/test/`);
    return receiver.received.at(-1)!;
  };
  const both = await newest();
  expect(signaturesOf(both)).toEqual([signatureOf(both, body.secret), signatureOf(both, secret)]);
  const { body: again } = await t.call('POST', `${PATH}1/rotate_secret/`);
  const latest = await newest();
  expect(signaturesOf(latest)).toEqual([signatureOf(latest, again.secret), signatureOf(latest, body.secret)]);
  t.clock.advance(24 * HOUR_MS);
  t.token = await signInAs(t, 'admin', 'admin123');
  const alone = await newest();
  expect(signaturesOf(alone)).toEqual([signatureOf(alone, again.secret)]);
  expect((await t.call('GET', `${PATH}1/`)).body.old_secret_until).toBeNull();
});

test('a test message has the form of an event, and its answer contains that of the receiver (HOOK-02)', async () => {
  const { t, receiver, secret } = await start(['client.*']);
  receiver.answer = () => (response) => response.writeHead(200).end(`hola${'ñ'.repeat(2000)}\u0000`);
  const { status, body } = await t.call('POST', `${PATH}1/test/`);
  const [message] = receiver.received;
  expect([status, body.type, body.status, body.event, body.message_id]).toEqual([
    200,
    'webhook.test',
    'delivered',
    null,
    message!.headers['webhook-id'],
  ]);
  expect(body.attempts).toHaveLength(1);
  expect(body.attempts[0]).toMatchObject({ status: 200, problem: null, by_hand: true });
  expect(Buffer.byteLength(body.attempts[0].answer)).toBeLessThanOrEqual(1024);
  expect(body.body).toBe(message!.text);
  expect(message!.body.data).toMatchObject({ type: 'webhook.test', id: null, record: { id: 1 } });
  expect(signaturesOf(message!)).toEqual([signatureOf(message!, secret)]);
  receiver.answer = () => 500;
  const failed = await t.call('POST', `${PATH}1/test/`);
  expect([failed.body.status, failed.body.attempts[0].problem]).toEqual(['failed', 'status']);
  // A failed test does not count as a failure of the webhook.
  expect((await t.call('GET', `${PATH}1/`)).body).toMatchObject({ failing_since: null, waiting: 0 });
});
