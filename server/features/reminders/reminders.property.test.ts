import { beforeAll, expect, test } from 'vitest';
import { addDays } from '../../../contract/base/time.ts';
import { clientUpdate } from '../../../contract/clients/clients.ts';
import { type License, licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { ReminderModel } from '../../../test/reminders-model.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { claimJobs, insertNamedJob, rescheduleJob } from '../../jobs/jobs.queries.ts';
import { LEASE_MS } from '../../jobs/runner.ts';
import type { Scope } from '../../scope.ts';
import { replaceClient } from '../clients/save-client.ts';
import { cancelLicense } from '../licenses/cancel-license.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { reinstateLicense } from '../licenses/reinstate-license.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import { suspendLicense } from '../licenses/suspend-license.ts';
import { undoRenewal } from '../licenses/undo-renewal.ts';
import { writeSettings } from '../settings/settings.queries.ts';
import { expiryJob } from './expiry-job.ts';
import { reminderJob } from './reminder-job.ts';

/**
 * Random histories of licences with clock steps, standstills and killed processes, compared with a model: exactly one
 * event for each licence and mark, and for each licence and end (LIFE-07, LIFE-08). On PostgreSQL two processes run
 * the job at once.
 */

/** REMINDER_TRIES=200 and more take minutes. */
const TRIES = Number(process.env.REMINDER_TRIES ?? triesOf(4));
const START = Date.parse('2026-11-01T12:00:00.000Z');
const HOUR = 3_600_000;

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: new Date(START).toISOString(), closeAfterTest: false });
  return t.close;
});

class Killed extends Error {}

/** A context whose process dies at its nth statement. */
function dyingAfter(context: AppContext, statements: number): AppContext {
  let left = statements;
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      left -= 1;
      if (left <= 0) throw new Killed();
      return result;
    },
  });
  return { ...context, db, forLongWork: db };
}

const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      client: fc.nat(2),
      days: fc.integer({ min: -3, max: 45 }),
      trial: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      license: fc.nat(9),
      days: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('date' as const),
      license: fc.nat(9),
      days: fc.integer({ min: -10, max: 60 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('undo' as const, 'suspend' as const, 'reinstate' as const, 'cancel' as const),
      license: fc.nat(9),
      extend: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('opt' as const), client: fc.nat(2), reminders: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('settings' as const),
      enabled: fc.nat(4).map((n) => n > 0),
      days: fc.uniqueArray(fc.constantFrom(30, 15, 7, 3, 1, 0, -1, -5), { maxLength: 5 }),
      trial: fc.uniqueArray(fc.constantFrom(5, 3, 0, -1), { maxLength: 3 }),
    }),
  },
);
const step = fc.oneof(
  { weight: 6, arbitrary: action },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      hours: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) },
        { weight: 1, arbitrary: fc.integer({ min: 48, max: 1100 }) },
      ),
      run: fc.constantFrom('once' as const, 'twice' as const, 'killed' as const, 'abandoned' as const),
      at: fc.integer({ min: 1, max: 60 }),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

const reasonless = { notify: false, reason: '' };

async function act(scope: Scope, model: ReminderModel, world: World, asked: Action): Promise<void> {
  const now = scope.now.getTime();
  const today = new Date(now - 6 * HOUR).toISOString().slice(0, 10);
  if (asked.do === 'issue') {
    const client = world.clients[asked.client]!;
    const kind = asked.trial ? 'trial' : 'premium';
    const values = {
      client,
      software: world.software,
      license_type: kind,
      status: asked.trial ? 'trial' : 'active',
      price: 1,
      expiry_date: addDays(today, asked.days),
    };
    const made = await issueLicense(scope, licenseCreate.parse(values));
    const terms = [{ term: world.nextTerm(), sold: now }];
    model.licenses.push({
      id: made.id,
      client,
      status: made.status,
      isTrial: asked.trial,
      ends: Date.parse(made.expiry_date!),
      terms,
    });
    return;
  }
  if (asked.do === 'opt') {
    const client = world.clients[asked.client]!;
    await replaceClient(scope, client, clientUpdate.parse({ reminders: asked.reminders }));
    if (asked.reminders) model.unwilling.delete(client);
    else model.unwilling.add(client);
    return;
  }
  if (asked.do === 'settings') {
    const changed = {
      reminders_enabled: asked.enabled,
      reminder_days: asked.days,
      trial_reminder_days: asked.trial,
    };
    await writeSettings(scope.tx, changed, scope.now.toISOString());
    model.settings = changed;
    model.settingsSince = now;
    return;
  }
  const license = model.licenses[asked.license % Math.max(1, model.licenses.length)];
  if (!license || (asked.do === 'renew' && license.isTrial)) return;
  const run = (): Promise<License> => {
    const { id } = license;
    switch (asked.do) {
      case 'renew':
        return renewLicense(scope, id, VERBS.renew.body.parse({ notify: false, expiry_days: asked.days }));
      case 'date':
        return changeLicense(scope, id, licenseUpdate.parse({ expiry_date: addDays(today, asked.days) }));
      case 'undo':
        return undoRenewal(scope, id);
      case 'suspend':
        return suspendLicense(scope, id, reasonless);
      case 'reinstate':
        return reinstateLicense(scope, id, { extend: asked.extend, notify: false });
      case 'cancel':
        return cancelLicense(scope, id, reasonless);
    }
  };
  const after = await run();
  license.status = after.status;
  license.ends = Date.parse(after.expiry_date!);
  if (asked.do === 'renew') license.terms.push({ term: world.nextTerm(), sold: now });
  if (asked.do === 'undo') license.terms.pop();
}

type World = { clients: number[]; software: number; nextTerm: () => number; firstEvent: number };

async function createWorld(): Promise<World> {
  for (const table of ['licenses', 'clients', 'reminder_runs', 'settings', 'jobs', 'outbox'] as const) {
    await t.db.deleteFrom(table).execute();
  }
  const clients = [];
  for (let number = 0; number < 3; number += 1) clients.push((await createClient(t)).id);
  const { id: software } = await createSoftware(t);
  const last = await t.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirst();
  let terms = 0;
  return { clients, software, nextTerm: () => (terms += 1), firstEvent: (last?.id ?? 0) + 1 };
}

/** The licences with new events since an event id, by type, and by client for reminders. */
async function eventsSince(id: number) {
  const rows = await t.db
    .selectFrom('events')
    .select(['id', 'type', 'license_id', 'client_id'])
    .where('id', '>=', id)
    .where('type', 'in', ['license.expired', 'license.reminded'])
    .orderBy('id')
    .execute();
  return {
    expired: rows.filter(({ type }) => type === 'license.expired').map((row) => row.license_id!),
    reminded: rows.filter(({ type }) => type === 'license.reminded').map((row) => row.license_id!),
    next: (rows.at(-1)?.id ?? id - 1) + 1,
  };
}

/**
 * Runs a job like a process that claims it first.
 * @returns whether it ran to its end
 */
async function runClaimed(
  job: typeof reminderJob,
  how: 'once' | 'twice' | 'killed' | 'abandoned',
  at: number,
) {
  const now = t.context.now();
  await insertNamedJob(t.db, { kind: job.kind, name: job.kind, payload: '{}', at: now, now });
  const [row] = await claimJobs(t.db, job.kind, 1, LEASE_MS, now);
  // It would mean that another process holds the lease. A clock step is longer than a lease, so this never occurs
  // here.
  if (!row) throw new Error('the lease of a dead process is still held');
  if (how === 'abandoned') return false;
  const runs = how === 'twice' ? 2 : 1;
  const context = how === 'killed' ? dyingAfter(t.context, at) : t.context;
  const results = await Promise.allSettled(Array.from({ length: runs }, () => runJob(context, job)));
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof Killed)) throw result.reason;
    return false;
  }
  await rescheduleJob(t.db, row.id, { at: now, tries: 0, error: null });
  return true;
}

const sorted = (ids: number[]) => [...ids].sort((a, b) => a - b);

test('each configured reminder and each end of each licence leads to exactly one reminder (LIFE-07, LIFE-08)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (steps) => {
      t.clock.set(new Date(START));
      const world = await createWorld();
      const model = new ReminderModel();
      let next = world.firstEvent;
      model.dueAt(START);
      await runJob(t.context, reminderJob);
      let reminders = 0;
      for (const asked of steps) {
        if (asked.do !== 'wait') {
          t.clock.advance(60_000);
          await asSystem(t, (scope) => act(scope, model, world, asked)).catch((error: unknown) => {
            if (!(error instanceof AppError)) throw error;
          });
          continue;
        }
        t.clock.advance(asked.hours * HOUR);
        const now = t.context.now().getTime();

        const awaited = model.overAt(now);
        const isRun = await runClaimed(expiryJob, asked.run, asked.at);
        const due = model.dueAt(now);
        const isDone = await runClaimed(reminderJob, asked.run, asked.at);
        const counts = await eventsSince(next);
        next = counts.next;

        // A run that was killed has stored either its whole batch or nothing.
        if (isRun || counts.expired.length > 0) {
          expect(sorted(counts.expired)).toEqual(sorted(awaited.map(({ id }) => id)));
          for (const license of awaited) model.recordEnd(license);
        }
        // A client is reminded of all its licences at once, or not at all by a run that was killed.
        const reached = [...due].filter(
          ([, licenses]) => isDone || licenses.some(({ license }) => counts.reminded.includes(license.id)),
        );
        const expected = reached.flatMap(([, licenses]) => licenses.map(({ license }) => license.id));
        for (const [client, licenses] of reached) {
          const keys = licenses.map(({ key }) => key);
          model.remind(client, now, keys);
        }
        expect(sorted(counts.reminded)).toEqual(sorted(expected));
        reminders += expected.length;
        if (isDone || (await isStored(now))) model.finishDay(now);
      }
      const stored = await t.db.selectFrom('license_reminders').select('mark').execute();
      expect(stored).toHaveLength(reminders);
      const mails = await t.db
        .selectFrom('outbox')
        .select(['client_id', 'created_at'])
        .where('kind', '=', 'license_reminder')
        .execute();
      const days = mails.map(
        ({ client_id, created_at }) =>
          `${client_id} ${new Date(Date.parse(created_at) - 6 * HOUR).toISOString().slice(0, 10)}`,
      );
      expect(new Set(days).size).toBe(days.length);
    }),
    { numRuns: TRIES },
  );
}, 3_600_000);

/** Whether a process stored, before it was killed, that the day is done. */
async function isStored(now: number): Promise<boolean> {
  const row = await t.db.selectFrom('reminder_runs').select('day').executeTakeFirst();
  return row?.day === new Date(now - 6 * HOUR).toISOString().slice(0, 10);
}
