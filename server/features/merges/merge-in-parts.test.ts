import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { MERGE_MESSAGES } from '../../../contract/clients/merge.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../test/at-night.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { insertManyLicenses } from '../../../test/many-licenses.ts';
import { runJob } from '../../../test/run-job.ts';
import { inScope } from '../../scope.ts';
import { endMergeJob, moveAhead } from './merge-in-parts.ts';

/** The merge of a client that has much moves its records in parts (MERGE-01, decision 169). */

const API = '/licenses/api';
const LOCKED_MS = 50;
const MANY = 5000;

const merge = (t: TestApp, id: number, from: number, headers: Record<string, string> = {}) =>
  t.call('POST', `${API}/clients/${id}/merge/`, { body: { from }, headers });

/** A client with many licences, and a note and a mail for each. */
async function manyOf(t: TestApp, count: number): Promise<number> {
  await insertManyLicenses(t.db, count);
  const { id } = await t.db
    .selectFrom('clients')
    .select('id')
    .where('email_key', '=', 'muchas@example.com')
    .executeTakeFirstOrThrow();
  await sql`insert into notes (client_id, license_id, text, pinned, actor_kind, actor_name, created_at, updated_at)
    select client_id, id, 'Llamar', 0, 'user', 'Ana', created_at, created_at from licenses where client_id = ${id}`.execute(
    t.db,
  );
  await sql`insert into outbox (license_id, client_id, message_id, to_name, to_address, subject, body_text, body_html,
      status, attempts, created_at)
    select id, client_id, 'm' || id, 'Ana', 'muchas@example.com', 'Su licencia', '', '', 'sent', 1, created_at
    from licenses where client_id = ${id}`.execute(t.db);
  return id;
}

const rowsOf = async (t: TestApp, client: number) => {
  const counts: number[] = [];
  for (const table of ['licenses', 'notes', 'outbox'] as const) {
    const { n } = await t.db
      .selectFrom(table)
      .where('client_id', '=', client)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    counts.push(n);
  }
  return counts;
};

describe('a client that has much', { tags: ['MERGE-01'] }, () => {
  test('5,000 licences move, and nobody waits 50 ms', {
    timeout: 400_000,
    tags: [POSTGRES_AT_NIGHT],
  }, async () => {
    const t = await createTestApp();
    let from = await manyOf(t, MANY);
    const other = await createClient(t);
    const key = 'MASIV-17';
    const moving = 'MASIV-4711';
    const calls = [
      () =>
        t.call('POST', `${API}/installations/`, {
          token: null,
          body: { license_key: moving, machine_id: 'uno' },
        }),
      () => t.call('GET', `${API}/clients/${other.id}/`),
      () => t.call('POST', `${API}/notes/`, { body: { client: other.id, text: 'Otra' } }),
      () =>
        t.call('POST', `${API}/validate/`, { token: null, body: { license_key: key, machine_id: 'uno' } }),
    ];
    /** The longest of these calls, one after another, until other work is over. */
    async function longestDuring(work: Promise<unknown>): Promise<number> {
      let isOver = false;
      const ending = work.finally(() => {
        isOver = true;
      });
      let longest = 0;
      for (let turn = 0; !isOver; turn += 1) {
        const started = performance.now();
        await calls[turn % calls.length]!();
        longest = Math.max(longest, performance.now() - started);
        await nextTurn();
      }
      await ending;
      return longest;
    }
    await longestDuring(sleep(200));
    // A machine that other work holds up is compared with itself, and asked again.
    const waits: { before: number; during: number }[] = [];
    const isShort = ({ before, during }: (typeof waits)[number]) => during < LOCKED_MS || during < before * 2;
    while (waits.length < 3 && !waits.some(isShort)) {
      const into = await createClient(t);
      const before = await longestDuring(sleep(1000));
      const merging = merge(t, into.id, from);
      const during = await longestDuring(merging);
      const { status, text } = await merging;
      expect(status, text).toBe(200);
      waits.push({ before, during });
      expect(await rowsOf(t, into.id)).toEqual([MANY, MANY, MANY]);
      expect(await rowsOf(t, from)).toEqual([0, 0, 0]);
      from = into.id;
    }
    expect(waits.some(isShort), JSON.stringify(waits)).toBe(true);
  });

  test('more than 5,000 licences are refused', async () => {
    const t = await createTestApp();
    const from = await manyOf(t, MANY + 1);
    const into = await createClient(t);
    const { status, body } = await merge(t, into.id, from);
    expect([status, body.code, body.message]).toEqual([409, 'conflict', MERGE_MESSAGES.tooMany]);
    expect((await rowsOf(t, from))[0]).toBe(MANY + 1);
  });

  test('a merge whose call dies is ended by a job, once, for who asked', async () => {
    const t = await createTestApp();
    const from = await manyOf(t, 400);
    const into = await createClient(t);
    let transactions = 0;
    const dying = moveAhead(
      t.context,
      (work) => {
        transactions += 1;
        if (transactions > 3) throw new Error('killed');
        const actor = { kind: 'user' as const, id: 1, name: 'Ana Ríos' };
        return inScope(t.context, { actor, origin: { ip: '203.0.113.9', requestId: 'la-suya' } }, work);
      },
      { id: into.id, from },
    );
    await expect(dying).rejects.toThrow('killed');
    const [moved, left] = [await rowsOf(t, into.id), await rowsOf(t, from)];
    expect(moved[0]).toBeGreaterThan(0);
    expect(left[0]).toBeGreaterThan(0);
    expect(moved[0]! + left[0]!).toBe(400);
    // Nobody sees it before its end.
    expect((await t.call('GET', `${API}/clients/${from}/`)).status).toBe(200);
    const refused = await merge(t, (await createClient(t)).id, from);
    expect([refused.status, refused.body.message]).toEqual([409, MERGE_MESSAGES.underWay]);

    const { payload } = await t.db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', endMergeJob.kind)
      .executeTakeFirstOrThrow();
    for (let run = 0; run < 2; run += 1) await runJob(t.context, endMergeJob, undefined, payload);
    expect(await rowsOf(t, into.id)).toEqual([400, 400, 400]);
    expect((await t.call('GET', `${API}/clients/${from}/`)).body.merged_into).toBe(into.id);
    const events = await t.db
      .selectFrom('events')
      .select(['actor_name', 'ip', 'request_id'])
      .where('type', '=', 'client.merged')
      .execute();
    expect(events).toEqual([{ actor_name: 'Ana Ríos', ip: '203.0.113.9', request_id: 'la-suya' }]);
  });

  test('the same call twice at once moves everything once, and both get the same answer', async () => {
    const t = await createTestApp();
    const from = await manyOf(t, 300);
    const into = await createClient(t);
    const headers = { 'idempotency-key': 'grande', 'if-match': `"${into.updated_at}"` };
    const answers = await Promise.all([1, 2, 3].map(() => merge(t, into.id, from, headers)));
    expect(answers.map(({ text }) => text)).toEqual(Array(3).fill(answers[0]!.text));
    expect(answers[0]!.status, answers[0]!.text).toBe(200);
    expect(await rowsOf(t, into.id)).toEqual([300, 300, 300]);
  });

  test('what the client gets while its records move, goes with them', async () => {
    const t = await createTestApp();
    const from = await manyOf(t, 600);
    const into = await createClient(t);
    const software = (await createSoftware(t)).id;
    const issued: number[] = [];
    let isOver = false;
    const issuing = (async () => {
      while (!isOver) {
        const { status, body } = await t.call('POST', `${API}/licenses/`, {
          body: { client: from, software, license_type: 'premium', price: 5 },
        });
        if (status === 201) issued.push(body.id);
        else expect(body.errors?.client, JSON.stringify(body)).toBeDefined();
        await nextTurn();
      }
    })();
    const { status, text } = await merge(t, into.id, from);
    isOver = true;
    await issuing;
    expect(status, text).toBe(200);
    expect(issued.length).toBeGreaterThan(0);
    expect((await rowsOf(t, into.id))[0]).toBe(600 + issued.length);
    const lost = await sql<{ n: number }>`select count(*) as n from licenses
      where not exists (select 1 from clients where clients.id = licenses.client_id)`.execute(t.db);
    expect(Number(lost.rows[0]!.n)).toBe(0);
  });
});

describe('a merge while the client pays', { tags: ['MERGE-01'] }, () => {
  test.each([4, 130])('of %i open requests each is paid and does its work', async (count) => {
    const t = await createTestApp({ now: '2026-11-29T18:00:00.000Z' });
    const [from, into] = [await createClient(t), await createClient(t)];
    const software = (await createSoftware(t)).id;
    const requests: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const license = await createLicense(t, { client: from.id, software, expiry_days: 30 });
      const { body } = await t.call('POST', `${API}/payment-requests/`, {
        body: { lines: [{ license: license.id, kind: 'renewal' }], notify: false },
      });
      requests.push(body.id);
    }
    await t.deliveredMail();
    const pay = (id: number) =>
      t.call('POST', `${API}/payment-requests/${id}/mark_paid/`, { body: { method: 'cash' } });
    const paying = (async () => {
      const answers = [];
      for (let at = 0; at < requests.length; at += 4)
        answers.push(...(await Promise.all(requests.slice(at, at + 4).map(pay))));
      return answers;
    })();
    const merged = await merge(t, into.id, from.id);
    const answers = await paying;
    expect(merged.status, merged.text).toBe(200);
    expect(answers.map(({ body }) => body.state ?? body)).toEqual(requests.map(() => 'paid'));
    const { body } = await t.call('GET', `${API}/clients/${into.id}/`);
    expect(body.license_count).toBe(count);
    const kinds = await t.db
      .selectFrom('license_terms')
      .select(['kind', (eb) => eb.fn.countAll<number>().as('n')])
      .groupBy('kind')
      .orderBy('kind')
      .execute();
    expect(kinds).toEqual([
      { kind: 'issue', n: count },
      { kind: 'renewal', n: count },
    ]);
    for (const table of ['payments', 'payment_requests', 'outbox', 'licenses'] as const) {
      const left = await t.db.selectFrom(table).select('id').where('client_id', '=', from.id).execute();
      expect(left, table).toEqual([]);
    }
  });
});
