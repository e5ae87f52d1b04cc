import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type NotNull, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { afterDays, daysBefore } from '../../../contract/base/time.ts';
import { EXPIRED_WITHIN } from '../../../contract/figures/today.ts';
import { DIGEST_FULL_PART, DIGEST_RENEWAL_DAYS, DIGEST_SILENT_DAYS } from '../../../contract/mail/digest.ts';
import { idRanges } from '../../db/long-reads.ts';
import type { Db } from '../../db/tables.ts';
import { hasNotEnded } from '../../rules/active-licenses.ts';
import { signalWithin } from '../programs/signal-within.ts';

/** The figures of the weekly digest (LIFE-09). Each list contains only its first rows; the count is complete. */

const DAY_MS = 24 * 60 * 60 * 1000;
/** Short, because a digest should be read in a minute. */
const LISTED = 10;

type Listed = { client: string; product: string };
export type DigestFigures = {
  renewals: {
    count: number;
    amounts: { currency: Currency; amount: number }[];
    listed: (Listed & { expiry_date: string; amount: number; currency: Currency })[];
  };
  expired: { count: number; listed: (Listed & { expiry_date: string })[] };
  failedMails: number;
  silentMachines: number;
  full: { count: number; listed: (Listed & { used: number; seats: number })[] };
};

/** Computes the figures of the digest; other requests run between the statements. */
export async function digestFigures(db: Db, now: Date, timeZone: string): Promise<DigestFigures> {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  return {
    renewals: await renewals(db, now, timeZone),
    expired: await expired(db, daysBefore(now, EXPIRED_WITHIN, timeZone), now.toISOString()),
    failedMails: await failedSince(db, at(-7)),
    silentMachines: await silentMachines(db, now),
    full: await nearlyFull(db, now.toISOString()),
  };
}

const ending = (db: Db, from: string, before: string) =>
  db
    .selectFrom('licenses')
    .where('licenses.status', 'in', HOLDING_STATUSES)
    .where('licenses.expiry_date', '>=', from)
    .where('licenses.expiry_date', '<', before);

const product = sql<string>`software.name || ' ' || software.version`;

/** Licences that end within the next local days (D136), read one day at a time, with their prices by currency. */
async function renewals(db: Db, now: Date, timeZone: string): Promise<DigestFigures['renewals']> {
  const cents = new Map<Currency, number>();
  let count = 0;
  for (let day = 0; day <= DIGEST_RENEWAL_DAYS; day += 1) {
    await letOthersRun();
    const from = day === 0 ? now.toISOString() : afterDays(now, day - 1, timeZone);
    const prices = ending(db, from, afterDays(now, day, timeZone))
      .select(['licenses.currency', 'licenses.price_cents'])
      .as('prices');
    const rows = await db
      .selectFrom(prices)
      .select((eb) => [
        'prices.currency',
        eb.fn.countAll<number>().as('n'),
        eb.fn.sum<number>('prices.price_cents').as('cents'),
      ])
      .groupBy('prices.currency')
      .execute();
    for (const row of rows) {
      count += row.n;
      cents.set(row.currency, (cents.get(row.currency) ?? 0) + row.cents);
    }
  }
  const listed = await ending(db, now.toISOString(), afterDays(now, DIGEST_RENEWAL_DAYS, timeZone))
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .select(['clients.name as client', 'licenses.expiry_date', 'licenses.price_cents', 'licenses.currency'])
    .select(product.as('product'))
    .$narrowType<{ expiry_date: NotNull }>()
    .orderBy('licenses.expiry_date')
    .orderBy('licenses.id')
    .limit(LISTED)
    .execute();
  return {
    count,
    // A currency of courtesies alone has no amount (MONEY-09).
    amounts: [...cents].flatMap(([code, total]) =>
      total === 0 ? [] : { currency: code, amount: fromMinorUnits(total, code) },
    ),
    listed: listed.map(({ price_cents, ...row }) => ({
      ...row,
      amount: fromMinorUnits(price_cents, row.currency),
    })),
  };
}

async function expired(db: Db, from: string, before: string): Promise<DigestFigures['expired']> {
  await letOthersRun();
  const { n } = await ending(db, from, before)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const listed = await ending(db, from, before)
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .select(['clients.name as client', 'licenses.expiry_date'])
    .select(product.as('product'))
    .$narrowType<{ expiry_date: NotNull }>()
    .orderBy('licenses.expiry_date', 'desc')
    .orderBy('licenses.id')
    .limit(LISTED)
    .execute();
  return { count: n, listed };
}

async function failedSince(db: Db, from: string): Promise<number> {
  await letOthersRun();
  const { n } = await db
    .selectFrom('outbox')
    .where('status', '=', sql.lit('failed'))
    .where('created_at', '>=', from)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Machines of usable licences that have not called for some days. */
async function silentMachines(db: Db, now: Date): Promise<number> {
  let count = 0;
  for await (const { after, upTo } of idRanges(db, 'installations')) {
    const { n } = await db
      .selectFrom('installations')
      .innerJoin('licenses', 'licenses.id', 'installations.license_id')
      .where('installations.id', '>', after)
      .where('installations.id', '<=', upTo)
      .where('licenses.status', 'in', HOLDING_STATUSES)
      .where(hasNotEnded(now.toISOString()))
      .where((eb) => eb.not(signalWithin(DIGEST_SILENT_DAYS, now)))
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    count += n;
  }
  return count;
}

/** Usable licences with more than a given part of their seats taken. */
async function nearlyFull(db: Db, now: string): Promise<DigestFigures['full']> {
  let count = 0;
  const listed: DigestFigures['full']['listed'] = [];
  for await (const { after, upTo } of idRanges(db, 'licenses')) {
    const full = db
      .selectFrom('licenses')
      .where('licenses.id', '>', after)
      .where('licenses.id', '<=', upTo)
      .where('licenses.status', 'in', HOLDING_STATUSES)
      .where(hasNotEnded(now))
      .where(
        sql<boolean>`licenses.current_installations > ${sql.lit(DIGEST_FULL_PART)} * licenses.max_installations`,
      );
    const { n } = await full.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
    count += n;
    if (n === 0 || listed.length === LISTED) continue;
    const rows = await full
      .innerJoin('clients', 'clients.id', 'licenses.client_id')
      .innerJoin('software', 'software.id', 'licenses.software_id')
      .select(['clients.name as client', 'licenses.current_installations as used'])
      .select(['licenses.max_installations as seats', product.as('product')])
      .orderBy('licenses.id')
      .limit(LISTED - listed.length)
      .execute();
    listed.push(...rows);
  }
  return { count, listed };
}
