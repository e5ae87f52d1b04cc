import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../server/app.ts';
import type { AppContext } from '../../server/context.ts';
import { JOBS } from '../../server/features/index.ts';
import { openAccount, PROVIDERS, readAccounts } from '../../server/features/payments/payment-accounts.ts';
import { ProviderAway } from '../../server/features/payments/providers/provider.ts';
import { SERVER_CHECKS } from '../../server/features/system/checks/all-checks.ts';
import { runChecks } from '../../server/features/system/checks/run-checks.ts';
import { startJobs } from '../../server/jobs/runner.ts';
import { mailerOf } from '../../server/mailer.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { quiet } from '../deliver-mail.ts';
import { createLicense } from '../factories.ts';
import { startMercadoPago } from '../payment-providers.ts';
import { startSmtpPeer } from '../smtp-peer.ts';
import { startReceiver } from '../webhook-receiver.ts';

/** A drill: a server with OUTBOUND=0 on a restored copy sends nothing (OPS-03). */

/** A second server with OUTBOUND=0 on the same database. */
async function drillOf(t: TestApp) {
  const config = { ...t.context.config, outbound: false };
  const context: AppContext = { ...t.context, config, mailer: mailerOf(config) };
  const app = await buildApp(context);
  await app.ready();
  onTestFinished(() => app.close());
  const call = async (method: 'GET' | 'POST', url: string) => {
    const headers = { authorization: `Bearer ${t.token}` };
    const answer = await app.inject({ method, url, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { context, call };
}

test('with OUTBOUND=0 no mail, webhook or provider call is sent, and each waits with that reason (OPS-03)', async () => {
  const [smtp, receiver, mp] = [await startSmtpPeer(), await startReceiver(), await startMercadoPago()];
  onTestFinished(() => smtp.stop());
  const t = await createTestApp({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'ventas@example.com', MERCADO_PAGO_URL: mp.url },
  });
  await t.call('POST', '/licenses/api/webhooks/', { body: { url: receiver.url, types: ['client.*'] } });
  await t.call('PUT', '/licenses/api/settings/payments/', {
    body: { mercado_pago: { enabled: true, access_token: mp.token } },
  });
  await createLicense(t);
  const called = mp.calls.length;
  expect(called).toBeGreaterThan(0);

  const drill = await drillOf(t);
  const jobs = startJobs(drill.context, quiet, JOBS);
  await setTimeout(1500);
  await jobs.stop();
  expect([smtp.offered.length, receiver.connections(), mp.calls.length]).toEqual([0, 0, called]);
  const outbox = await t.db.selectFrom('outbox').select(['status', 'attempts']).execute();
  expect(outbox).toEqual([{ status: 'queued', attempts: 0 }]);
  const deliveries = await t.db.selectFrom('webhook_deliveries').select('status').execute();
  expect(deliveries).toEqual([{ status: 'waiting' }]);

  // Calls that send something at once are refused too.
  for (const path of ['webhooks/1/test/', 'webhooks/1/deliveries/1/resend/']) {
    const answer = await drill.call('POST', `/licenses/api/${path}`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'OUTBOUND=0: de este servidor no sale ningún webhook',
    ]);
  }
  const account = openAccount(drill.context, (await readAccounts(t.db)).mercado_pago)!;
  await expect(PROVIDERS.mercado_pago.identify(account)).rejects.toThrow(ProviderAway);
  await expect(drill.context.mailer.send({} as never, new AbortController().signal)).rejects.toThrow(
    'OUTBOUND=0',
  );
  expect([receiver.connections(), mp.calls.length]).toEqual([0, called]);

  // Health and checks report it.
  expect((await drill.call('GET', '/api/health/')).body).toMatchObject({ outbound: false, email: 'error' });
  expect((await drill.call('GET', '/licenses/api/system/')).body).toMatchObject({ outbound: false });
  const found = await runChecks(SERVER_CHECKS, drill.context);
  expect(found.find(({ id }) => id === 'configuration')).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('OUTBOUND=0'),
  });
  const ids = found.map(({ id }) => id);
  for (const id of ['public_url', 'certificate', 'smtp', 'spf', 'dmarc']) expect(ids).not.toContain(id);
  expect(found.filter(({ state }) => state === 'failure')).toEqual([]);
  expect(smtp.offered).toEqual([]);

  // Waiting messages are sent when a normal server uses the database again.
  const again = startJobs(t.context, quiet, JOBS);
  await smtp.waitFor(() => true);
  while (receiver.received.length === 0) await setTimeout(20);
  await again.stop();
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['client.created']);
});
