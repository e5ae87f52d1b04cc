import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, localDay } from '../../contract/base/time.ts';
import type { Tables } from '../../server/db/tables.ts';
import { insertFirstTerms } from '../../server/features/licenses/license-terms.queries.ts';
import { startSmtpPeer } from '../smtp-peer.ts';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, connections, newLicense, percentile, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const REMINDERS = Number(process.env.REMINDERS ?? 10_000);
/** The number of people who use the console meanwhile, each with a call every 100 ms. */
const STAFF = 4;
const P95_MS = 100;
/** On a busy machine the limit is this multiple of the time that the same calls take before the reminders. */
const QUIET_TIMES = 8;
const QUIET_MS = 5000;
const WORK_TIMEOUT_MS = 540_000;

/** A time zone in which it is about noon now: the hour of the reminders has passed, and the day has not ended. */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Copies of one licence, each with a separate client, a month old. */
async function insertCopies(db: Kysely<Tables>, license: number): Promise<void> {
  const client = sql`(select client_id from licenses where id = ${sql.lit(license)})`;
  const ofClient = sql`company, company_order, phone, phone_secondary, address, city, state, country, postal_code, client_type,
    status, contact_person, contact_position, tax_id, website, notes, created_at, updated_at`;
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(REMINDERS)})
    insert into clients (name, name_order, email, email_key, search_text, ${ofClient})
    select 'Aviso ' || n, 'aviso ' || n, 'aviso' || n || '@example.com', 'aviso' || n || '@example.com', 'aviso ' || n, ${ofClient}
    from clients, numbers where clients.id = ${client}`.execute(db);
  await sql`insert into licenses (license_key, client_id, software_id, license_type, status, price_cents, discount_percentage,
      promotion_name, promotion_description, max_installations, issued_date, expiry_date, notes, search_text, created_at, updated_at)
    select 'AVISO-' || c.id, c.id, l.software_id, l.license_type, l.status, l.price_cents, l.discount_percentage, l.promotion_name,
      l.promotion_description, l.max_installations, l.issued_date, l.expiry_date, l.notes, l.search_text, l.created_at, l.updated_at
    from licenses l, clients c where l.id = ${sql.lit(license)} and c.name like 'Aviso %'`.execute(db);
  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
  await db
    .updateTable('licenses')
    .set({ created_at: monthAgo, issued_date: monthAgo })
    .where('license_key', 'like', 'AVISO-%')
    .execute();
  await insertFirstTerms(db);
}

/**
 * Reads pages like staff until `isOver` is true.
 * @returns the milliseconds of each answer
 */
async function work(server: { url: string }, token: string, isOver: () => boolean): Promise<number[]> {
  const agent = connections(1);
  const paths = ['licenses/?page=1', 'clients/?page=1', 'licenses/1/', 'clients/1/', 'statistics/today/'];
  const times: number[] = [];
  for (let number = 0; !isOver(); number += 1) {
    const start = performance.now();
    const answer = await call(server, 'GET', `/licenses/api/${paths[number % paths.length]}`, {
      token,
      agent,
    });
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    await setTimeout(100);
  }
  agent.destroy();
  return times;
}

test.for(ENGINES)(
  '10,000 reminders due on one morning are sent once each, %s',
  { timeout: 600_000 },
  async (engine, context) => {
    const peer = await startSmtpPeer();
    onTestFinished(peer.stop);
    const timeZone = zoneAtNoon();
    const env = await engineEnv(engine);
    const server = await startForTest({ ...env, SMTP_URL: peer.url, BUSINESS_TIMEZONE: timeZone });
    const { token } = await signIn(server);
    const today = localDay(new Date(), timeZone);
    const { id } = await newLicense(server, token, { expiry_date: addDays(today, 7) });

    const staffUntil = async (isOver: () => boolean) =>
      (await Promise.all(Array.from({ length: STAFF }, () => work(server, token, isOver)))).flat();
    const quietUntil = performance.now() + QUIET_MS;
    const quiet = percentile(await staffUntil(() => performance.now() > quietUntil), 0.95);

    const isOurs = (address: string | undefined) => address?.startsWith('aviso') ?? false;
    await withDatabase(server, env, async (db) => {
      await db
        .updateTable('settings')
        .set({ changed: JSON.stringify({ reminders_enabled: true }) })
        .execute();
      while (!(await db.selectFrom('reminder_runs').select('day').executeTakeFirst())) await setTimeout(200);
      await db.transaction().execute((tx) => insertCopies(tx, id));
      // Yesterday's reminders are marked as sent and the settings as unchanged, so today's reminders are due at the
      // next run.
      const { seen } = await db.selectFrom('reminder_runs').select('seen').executeTakeFirstOrThrow();
      const settings = { ...JSON.parse(seen ?? '{}'), reminders_enabled: true };
      await db
        .updateTable('reminder_runs')
        .set({
          day: addDays(today, -1),
          settings: JSON.stringify(settings),
          seen: JSON.stringify({ ...settings, since: '2000-01-01T00:00:00.000Z' }),
        })
        .execute();
    });

    const begun = performance.now();
    let over = false;
    const staff = staffUntil(() => over);
    const arrived = () => peer.accepted.filter(({ to }) => isOurs(to[0])).length;
    let firstAt = 0;
    while (arrived() < REMINDERS && performance.now() - begun < WORK_TIMEOUT_MS) {
      if (firstAt === 0 && arrived() > 0) firstAt = performance.now();
      await setTimeout(200);
    }
    const seconds = (performance.now() - firstAt) / 1000;
    // Waits, because a duplicate mail would arrive now.
    await setTimeout(3000);
    over = true;
    const times = await staff;
    const p95 = percentile(times, 0.95);
    const addresses = peer.accepted.map(({ to }) => to[0]).filter(isOurs);
    record(context, {
      promise: '10,000 reminders due on one morning are sent once each, and staff waits under 100 ms (p95)',
      engine,
      tried: `${addresses.length} mails in ${seconds.toFixed(0)} s; ${times.length} calls of staff, p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (before ${quiet.toFixed(0)} ms)`,
    });
    expect(addresses).toHaveLength(REMINDERS);
    expect(new Set(addresses).size).toBe(REMINDERS);
    expect(p95).toBeLessThan(Math.max(P95_MS, QUIET_TIMES * quiet));
  },
);
