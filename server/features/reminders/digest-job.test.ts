import { expect, onTestFinished, test } from 'vitest';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { deliverDue } from '../../../test/deliver-mail.ts';
import { activate, createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { startSmtpPeer } from '../../../test/smtp-peer.ts';
import { digestJob } from './digest-job.ts';

/** The weekly digest for staff (LIFE-09). 2026-11-23 is a Monday; México is at UTC-6. */

const SATURDAY = '2026-11-21T18:00:00.000Z';
const MONDAY = '2026-11-23T14:00:00.000Z';

async function createDigestApp() {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const t = await createTestApp({
    now: SATURDAY,
    env: { SMTP_URL: peer.url, PUBLIC_URL: 'https://licencias.example.com' },
  });
  await t.call('PUT', '/api/auth/user/', {
    body: { weekly_digest: true, email: 'ana@vendedor.mx', current_password: 'admin123' },
  });
  return { t, peer };
}

async function runAt(t: TestApp, moment: string): Promise<void> {
  t.clock.set(moment);
  await runJob(t.context, digestJob);
}

const digestsOf = (t: TestApp) =>
  t.db.selectFrom('outbox').selectAll().where('kind', '=', 'digest').orderBy('id').execute();

test('the digest is sent once a week, from Monday at eight on (LIFE-09)', async () => {
  const { t } = await createDigestApp();
  await runAt(t, '2026-11-23T13:59:59.000Z');
  expect(await digestsOf(t)).toEqual([]);
  t.clock.set(MONDAY);
  await Promise.all([runJob(t.context, digestJob), runJob(t.context, digestJob)]);
  await runAt(t, '2026-11-24T14:00:00.000Z');
  expect(await digestsOf(t)).toMatchObject([{ to_address: 'ana@vendedor.mx', user_id: 1 }]);
  await runAt(t, '2026-12-02T03:00:00.000Z');
  await runAt(t, '2026-12-07T13:00:00.000Z');
  expect(await digestsOf(t)).toHaveLength(2);
  await runAt(t, '2026-12-07T14:00:00.000Z');
  expect(await digestsOf(t)).toHaveLength(3);
});

test('the digest lists the tasks, with links to the lists (LIFE-09)', async () => {
  const { t, peer } = await createDigestApp();
  const client = await createClient(t, { name: 'Librería del Plata' });
  const software = await createSoftware(t, { name: 'Caja', version: '2.0' });
  const of = { client: client.id, software: software.id };
  const ending = await createLicense(t, {
    ...of,
    price: 1500,
    expiry_date: '2026-12-10',
    max_installations: 1,
  });
  await createLicense(t, { ...of, price: 500.5, expiry_date: '2026-12-15' });
  await createLicense(t, { ...of, price: 900, expiry_date: '2027-06-01' });
  await createLicense(t, { ...of, price: 10, expiry_date: '2026-11-15' });
  await t.db.updateTable('outbox').set({ status: 'failed' }).where('id', '=', 1).execute();
  await activate(t, ending.license_key, 'caja-1');
  await t.db.updateTable('installations').set({ installation_date: '2026-11-01T00:00:00.000Z' }).execute();
  await runAt(t, MONDAY);
  await deliverDue(t);
  const { email } = peer.accepted.find(({ email: { subject } }) => subject?.startsWith('Resumen semanal'))!;
  const text = email.text!.replace(/\s+/g, ' ');
  expect(text).toContain('$2,000.50 MXN');
  expect(text).toContain('10/12/2026: Librería del Plata, Caja 2.0, $1,500.00 MXN');
  expect(text).toContain('15/11/2026: Librería del Plata, Caja 2.0');
  expect(text).toContain('Librería del Plata, Caja 2.0: 1 de 1');
  for (const path of [
    '/licenses?expiring_within=30&ordering=expiry_date',
    '/licenses?expiry_from=2026-10-24&expiry_to=2026-11-23',
    '/settings/correos?status=failed',
    '/licenses?silent_for=7',
    '/licenses?seats_full=true',
  ]) {
    expect(email.html).toContain(`https://licencias.example.com${path}`.replaceAll('&', '&amp;'));
  }
});

test('the digest says of a courtesy that it is one, and no price (MONEY-09)', async () => {
  const { t, peer } = await createDigestApp();
  const client = await createClient(t, { name: 'Escuela' });
  await createLicense(t, {
    client: client.id,
    price: 0,
    complimentary: true,
    currency: 'USD',
    expiry_date: '2026-12-10',
  });
  await runAt(t, MONDAY);
  await deliverDue(t);
  const { email } = peer.accepted.find(({ email: { subject } }) => subject?.startsWith('Resumen semanal'))!;
  const text = email.text!.replace(/\s+/g, ' ');
  expect(text).toMatch(/10\/12\/2026: Escuela, .*, Cortesía/);
  expect(text).toContain('1, por cortesía');
  expect(text).not.toContain('$0.00');
});

test('the digest is not sent to users who turned it off, are inactive, have no address or whose address bounces (LIFE-09)', async () => {
  const { t, peer } = await createDigestApp();
  peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
  await runAt(t, MONDAY);
  await deliverDue(t);
  peer.answers.recipient = () => 'accept';
  await runAt(t, '2026-11-30T14:00:00.000Z');
  expect(await digestsOf(t)).toHaveLength(1);
  t.token = await signInAs(t, 'admin', 'admin123');
  await t.call('PUT', '/api/auth/user/', {
    body: { email: 'otra@vendedor.mx', current_password: 'admin123' },
  });
  await runAt(t, '2026-12-07T14:00:00.000Z');
  expect(await digestsOf(t)).toHaveLength(2);

  await t.db.updateTable('users').set({ email: '' }).execute();
  await runAt(t, '2026-12-14T14:00:00.000Z');
  await t.db.updateTable('users').set({ email: 'x@vendedor.mx', is_active: false }).execute();
  await runAt(t, '2026-12-14T14:01:00.000Z');
  await t.db.updateTable('users').set({ is_active: true, weekly_digest: false }).execute();
  await runAt(t, '2026-12-14T14:02:00.000Z');
  expect(await digestsOf(t)).toHaveLength(2);
});

test('the first digest is sent on the Monday after a user turns it on (LIFE-09)', async () => {
  const { t } = await createDigestApp();
  await runAt(t, SATURDAY);
  expect(await digestsOf(t)).toEqual([]);
});

test('the digest says when nothing is due, and a stopped run is continued by the next one (LIFE-09)', async () => {
  const { t } = await createDigestApp();
  await createLicense(t, { expiry_days: 400 });
  t.clock.set(MONDAY);
  await runJob(t.context, digestJob, AbortSignal.abort());
  expect(await digestsOf(t)).toEqual([]);
  await runJob(t.context, digestJob);
  const [digest, ...others] = await digestsOf(t);
  expect(others).toEqual([]);
  expect(digest?.body_text).toMatch(/seats_full=true: 0$/m);
});
