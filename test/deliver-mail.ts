import { expect, onTestFinished, vi } from 'vitest';
import { mailJob } from '../server/features/mail/mail-job.ts';
import { startJobs } from '../server/jobs/runner.ts';
import { createTestApp, type TestApp } from './app.ts';
import { type SmtpPeer, startSmtpPeer } from './smtp-peer.ts';

/** A log that discards its lines. */
export const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** The application with a fixed clock, which sends mail to a real SMTP server. */
export async function createMailingApp(now: string): Promise<{ peer: SmtpPeer; testApp: TestApp }> {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  const testApp = await createTestApp({
    now,
    env: { SMTP_URL: peer.url, MAIL_FROM: 'Ventas <ventas@vendor.example>' },
  });
  return { peer, testApp };
}

/** Runs a worker until all due messages have been attempted once. */
export async function deliverDue({ context, db }: TestApp): Promise<void> {
  const now = context.now().toISOString();
  const waiting = () =>
    db
      .selectFrom('jobs')
      .select(['id', 'claimed_until'])
      .where('kind', '=', mailJob.kind)
      .where('run_at', '<=', now)
      .where('failed_at', 'is', null)
      .execute();
  const ofOthers = (await waiting()).filter(
    ({ claimed_until }) => claimed_until !== null && claimed_until > now,
  );
  const worker = startJobs(context, quiet, [mailJob]);
  // Those that it has taken are waited for too: a stop cuts off what takes seconds. Bounds what hangs.
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(ofOthers.length), {
    timeout: 60_000,
    interval: 10,
  });
  await worker.stop();
}

export const outboxOf = (testApp: TestApp) =>
  testApp.db.selectFrom('outbox').selectAll().orderBy('id').execute();

/** The delivery status of the mail about a licence, from the API. */
export const emailStatusOf = async (testApp: TestApp, id: number) =>
  (await testApp.call('GET', `/licenses/api/licenses/${id}/`)).body.email_status;
