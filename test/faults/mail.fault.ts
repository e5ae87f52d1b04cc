import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type SmtpAnswer, startSmtpPeer } from '../smtp-peer.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, newClient, newLicense, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const LICENSES = 20;

test.for(ENGINES)('a licence is created quickly while the mail server hangs, %s', async (engine, context) => {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  peer.answers.recipient = () => 'hang';
  const server = await startForTest({ ...(await engineEnv(engine)), SMTP_URL: peer.url });
  const { token } = await signIn(server);
  await newLicense(server, token);
  const times: number[] = [];
  for (let number = 0; number < LICENSES; number += 1) {
    const start = performance.now();
    const answer = await call(server, 'POST', '/licenses/api/licenses/', {
      token,
      body: { client: 1, software: 1, license_type: 'basic', price: 10 },
    });
    times.push(performance.now() - start);
    expect(answer.status).toBe(201);
    expect(answer.body.email_status).toBe('queued');
  }
  const start = performance.now();
  await server.stop();
  const stopped = performance.now() - start;
  record(context, {
    promise: 'SMTP hangs: a licence is created in under 500 ms all the same, and the server can be stopped',
    engine,
    tried: `${LICENSES} licences, the slowest ${Math.round(Math.max(...times))} ms; stopped after ${(stopped / 1000).toFixed(1)} s`,
  });
  expect(Math.max(...times)).toBeLessThan(500);
  expect(peer.accepted).toEqual([]);
});

const MESSAGES = 1000;
/** A limit for hanging only: some deliveries hang for 30 seconds, and the waits after a refusal grow. */
const SENT_WITHIN_MS = 480_000;
const CLIENTS = 50;

test('1,000 mails are sent by two replicas although one is killed and the mail server misbehaves', async (context) => {
  const peer = await startSmtpPeer();
  onTestFinished(peer.stop);
  let asked = 0;
  let refusals = 0;
  const misbehave = (): SmtpAnswer => {
    asked += 1;
    if (asked % 300 === 0) {
      refusals += 1;
      return 'hang';
    }
    if (asked % 7 === 0) {
      refusals += 1;
      return { code: 451, text: 'Greylisted, come back later' };
    }
    return asked % 50 === 0 ? { code: 421, text: 'Too many connections' } : 'accept';
  };
  peer.answers.recipient = misbehave;
  const env = await engineEnv('postgres');
  const settings = { ...env, ...SHARED, SMTP_URL: peer.url };
  const replicas = [await startForTest(settings), await startForTest(settings)] as const;
  const { token } = await signIn(replicas[0]);
  await newLicense(replicas[0], token);
  const clients: number[] = [];
  for (let number = 0; number < CLIENTS; number += 1) {
    const answer = await call(replicas[0], 'POST', '/licenses/api/clients/', { token, body: newClient() });
    clients.push(answer.body.id);
  }
  // The sample data have mails that were never sent, among them two that were refused.
  const { last } = await withDatabase(replicas[0], env, (db) =>
    db
      .selectFrom('outbox')
      .select((eb) => eb.fn.max('id').as('last'))
      .executeTakeFirstOrThrow(),
  );

  const create = async (number: number) => {
    const answer = await call(replicas[number % 2]!, 'POST', '/licenses/api/licenses/', {
      token,
      body: { client: clients[number % CLIENTS], software: 1, license_type: 'basic', price: 10 },
    });
    expect(answer.status).toBe(201);
  };
  for (let number = 0; number < MESSAGES; number += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(number + index)));
  }
  // The killed replica holds messages, which the other one must take over after their lease.
  await replicas[1].kill();

  const start = performance.now();
  let waiting = MESSAGES;
  while (waiting > 0 && performance.now() - start < SENT_WITHIN_MS) {
    await setTimeout(500);
    const row = await withDatabase(replicas[0], env, (db) =>
      db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('status', '=', 'queued')
        .executeTakeFirstOrThrow(),
    );
    waiting = row.count;
  }
  const rows = await withDatabase(replicas[0], env, (db) =>
    db.selectFrom('outbox').select(['message_id', 'status', 'last_error']).where('id', '>', last).execute(),
  );
  const arrivals = Map.groupBy(peer.accepted, ({ email }) => email.messageId);
  const twice = [...arrivals.values()].filter((messages) => messages.length > 1).length;
  record(context, {
    promise:
      '1,000 messages with two replicas, one of them killed, and SMTP that misbehaves: 1,000 sent, each at least once',
    engine: 'postgres',
    tried: `${rows.length} messages, ${refusals} times refused or left hanging, ${arrivals.size} arrived, ${twice} of them twice`,
  });
  expect(rows).toHaveLength(MESSAGES);
  expect(rows.filter(({ status }) => status !== 'sent')).toEqual([]);
  expect(rows.filter(({ message_id }) => !arrivals.has(`<${message_id}>`))).toEqual([]);
  for (const { to } of peer.accepted) expect(to).toHaveLength(1);
});
