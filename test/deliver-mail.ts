import { expect, onTestFinished, vi } from 'vitest';
import { mailJob } from '../server/features/mail/mail-job.ts';
import { hasDueJobs } from '../server/jobs/jobs.queries.ts';
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
export async function deliverDue(testApp: TestApp): Promise<void> {
  const worker = startJobs(testApp.context, quiet, [mailJob]);
  await vi.waitFor(
    async () => expect(await hasDueJobs(testApp.db, mailJob.kind, testApp.context.now())).toBe(false),
    {
      timeout: 15_000,
      interval: 10,
    },
  );
  await worker.stop();
}

export const outboxOf = (testApp: TestApp) =>
  testApp.db.selectFrom('outbox').selectAll().orderBy('id').execute();

/** The delivery status of the mail about a licence, from the API. */
export const emailStatusOf = async (testApp: TestApp, id: number) =>
  (await testApp.call('GET', `/licenses/api/licenses/${id}/`)).body.email_status;
