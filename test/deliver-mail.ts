import { expect, onTestFinished } from 'vitest';
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

/**
 * Runs a worker until all due messages have been attempted once, except those that another worker holds. It waits for
 * those under way too: a worker that stops ends what is not sent within three seconds.
 */
export async function deliverDue({ context }: TestApp): Promise<void> {
  const now = context.now().toISOString();
  const due = context.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', mailJob.kind)
    .where('run_at', '<=', now)
    .where('failed_at', 'is', null);
  const held = (await due.where('claimed_until', '>', now).execute()).map(({ id }) => id);
  const worker = startJobs(context, quiet, [mailJob]);
  const left = async () => (await due.execute()).filter(({ id }) => !held.includes(id));
  await expect.poll(left, { interval: 10 }).toEqual([]);
  await worker.stop();
}

export const outboxOf = (testApp: TestApp) =>
  testApp.db.selectFrom('outbox').selectAll().orderBy('id').execute();

/** The delivery status of the mail about a licence, from the API. */
export const emailStatusOf = async (testApp: TestApp, id: number) =>
  (await testApp.call('GET', `/licenses/api/licenses/${id}/`)).body.email_status;
