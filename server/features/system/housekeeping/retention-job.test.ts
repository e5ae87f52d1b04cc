import type { KyselyPlugin } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { quiet } from '../../../../test/deliver-mail.ts';
import fc, { triesOf } from '../../../../test/properties.ts';
import { asSystem } from '../../../../test/scope.ts';
import type { AppContext } from '../../../context.ts';
import type { OutboxRow } from '../../../db/tables.ts';
import { record } from '../../../records/record-event.ts';
import { changeSettings } from '../../settings/change-settings.ts';
import { applyRetention, retentionJob } from './retention-job.ts';

/** The retention of events and of the content of mails (EVENT-06, MAIL-04). */

const DAY_MS = 24 * 60 * 60_000;
const START = '2026-01-15T12:00:00.000Z';
const signal = new AbortController().signal;

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: START, closeAfterTest: false });
  return t.close;
});

/** Directly and not through HTTP, because the clock moves through years and no session lasts that long. */
const set = (events: number | null, mails: number) =>
  asSystem(t, (scope) =>
    changeSettings(scope, { event_retention_days: events, mail_retention_days: mails }, () => {}),
  );
const writeEvents = (count: number) =>
  asSystem(t, async (scope) => {
    for (let number = 0; number < count; number += 1) {
      await record(scope, { type: 'client.created', subject: { id: number, name: 'Ana' } });
    }
  });
const writeMail = (status: OutboxRow['status']) =>
  t.db
    .insertInto('outbox')
    .values({
      license_id: null,
      message_id: crypto.randomUUID(),
      to_name: 'Ana',
      to_address: 'ana@example.com',
      subject: 'Tu licencia',
      body_text: 'Hola',
      body_html: '<p>Hola</p>',
      status,
      attempts: 1,
      last_error: null,
      created_at: t.context.now().toISOString(),
      sent_at: null,
    })
    .execute();
const eventsNow = () => t.db.selectFrom('events').select(['id', 'at']).orderBy('id').execute();
const mailsNow = () =>
  t.db
    .selectFrom('outbox')
    .select(['id', 'created_at', 'status', 'body_text', 'body_html'])
    .orderBy('id')
    .execute();

/** Empties both tables in a way that only a test may use. */
async function startAnew(): Promise<void> {
  await t.db.transaction().execute(async (tx) => {
    await tx.insertInto('event_retention').values({ before: '9999-01-01T00:00:00.000Z' }).execute();
    await tx.deleteFrom('events').execute();
    await tx.deleteFrom('event_retention').execute();
    await tx.deleteFrom('outbox').execute();
  });
}

/** The same context, but its process dies at the statement with this number, so its transaction is rolled back. */
function dyingAt(statement: number): AppContext {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1;
      if (count >= statement) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...t.context, forLongWork: t.db.withPlugin(plugin) };
}

type Step =
  | { kind: 'write'; events: number; mail: OutboxRow['status'] }
  | { kind: 'wait'; halfDays: number }
  | { kind: 'keep'; events: number | null; mails: number }
  | { kind: 'run'; dieAt: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      events: fc.integer({ min: 1, max: 7 }),
      mail: fc.constantFrom('queued' as const, 'sent' as const, 'failed' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), halfDays: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('keep' as const),
      events: fc.option(fc.integer({ min: 1, max: 40 })),
      mails: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      dieAt: fc.option(fc.integer({ min: 1, max: 30 })),
    }),
  },
);

/** Steps over several months; the last run is not killed. */
const months = fc
  .array(step, { minLength: 4, maxLength: 14 })
  .map((steps): Step[] => [...steps, { kind: 'run', dieAt: null }]);

test('over months, with changed settings and killed runs, all older data is deleted and no newer data is (EVENT-06)', async () => {
  await fc.assert(
    fc.asyncProperty(months, async (steps) => {
      let kept: { events: number | null; mails: number } = { events: null, mails: 90 };
      await set(kept.events, kept.mails);
      await startAnew();
      for (const now of steps) {
        if (now.kind === 'wait') t.clock.advance((now.halfDays * DAY_MS) / 2);
        if (now.kind === 'write') {
          await writeEvents(now.events);
          await writeMail(now.mail);
        }
        if (now.kind === 'keep') {
          kept = now;
          await set(now.events, now.mails);
        }
        if (now.kind === 'run') await runAndCheck(kept, now.dieAt);
      }
    }),
    { numRuns: triesOf(25) },
  );
});

async function runAndCheck(kept: { events: number | null; mails: number }, dieAt: number | null) {
  const [eventsBefore, mailsBefore] = [await eventsNow(), await mailsNow()];
  const context = dieAt === null ? t.context : dyingAt(dieAt);
  const died = await applyRetention(context, { signal, batch: 3 }).then(
    () => false,
    (error: Error) => error.message === 'killed',
  );
  const ago = (days: number) => new Date(t.context.now().getTime() - days * DAY_MS).toISOString();
  const isPast = ({ at }: { at: string }) => kept.events !== null && at < ago(kept.events);
  const [events, mails] = [await eventsNow(), await mailsNow()];

  const younger = eventsBefore.filter((event) => !isPast(event));
  expect(events.filter((event) => !isPast(event))).toEqual(younger);
  if (!died) expect(events).toEqual(younger);

  expect(mails.map(({ id }) => id)).toEqual(mailsBefore.map(({ id }) => id));
  for (const [position, mail] of mails.entries()) {
    const before = mailsBefore[position]!;
    const isRemoved = mail.created_at < ago(kept.mails) && mail.status !== 'queued';
    const isEmpty = mail.body_html === '' && mail.body_text === '';
    if (!isRemoved) expect(mail).toEqual(before);
    else if (!died) expect(isEmpty).toBe(true);
  }
  expect(await t.db.selectFrom('event_retention').selectAll().execute()).toEqual([]);
}

test('the job deletes expired events, and outside the job the database refuses to delete them (EVENT-06)', async () => {
  await set(30, 7);
  await startAnew();
  await writeEvents(2);
  await writeMail('sent');
  t.clock.advance(31 * DAY_MS);
  await writeEvents(1);
  await expect(t.db.deleteFrom('events').execute()).rejects.toThrow('events are never deleted');
  await retentionJob.runStored(t.context, '{}', { log: quiet, signal, tries: 1, isLastTry: false });
  expect(await eventsNow()).toHaveLength(1);
  expect(await mailsNow()).toMatchObject([{ status: 'sent', body_text: '', body_html: '' }]);
  await expect(t.db.deleteFrom('events').execute()).rejects.toThrow('events are never deleted');
});

test('a run that deletes nothing logs nothing', async () => {
  const lines: unknown[] = [];
  const log = { ...quiet, info: (...line: unknown[]) => lines.push(line) };
  const run = () => retentionJob.runStored(t.context, '{}', { log, signal, tries: 1, isLastTry: false });
  await set(30, 7);
  await startAnew();
  await run();
  expect(lines).toEqual([]);
  await writeMail('sent');
  t.clock.advance(31 * DAY_MS);
  await run();
  expect(lines).toHaveLength(1);
});
