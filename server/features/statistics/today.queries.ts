import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { DEFAULT_CURRENCY, HOLDING_STATUSES } from '../../../contract/limits.ts';
import { fromCents } from '../../../contract/numbers.ts';
import { EXPIRED_WITHIN, EXPIRING_WITHIN, type Today } from '../../../contract/today.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { countEach, licenses, software } from './counting.ts';
import { lastMonths, type MonthPeriod } from './periods.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the dashboard says is to do today. Each figure is a range of an index or a kept count (decision 017), and other
 * requests run between the statements.
 */
export async function figuresOfToday(db: Db, now: Date, timeZone: string): Promise<Today> {
  const nowText = now.toISOString();
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  const expiring = [];
  for (const days of EXPIRING_WITHIN) expiring.push({ days, ...(await sumEnding(db, nowText, at(days))) });
  const [last, current] = lastMonths(now, timeZone).slice(-2) as [MonthPeriod, MonthPeriod];
  const full = db.selectFrom('full_licenses').where('status', '=', 'active');
  const count = await countEach(db, {
    expired: licenses(db)
      .where('status', 'in', [...HOLDING_STATUSES, 'expired'])
      .where('expiry_date', '>=', at(-EXPIRED_WITHIN))
      .where('expiry_date', '<', nowText),
    failedMails: lastMailsFailed(db),
    fullEndless: full.where('expiry_date', 'is', null).select((eb) => eb.fn.countAll<number>().as('n')),
    fullCurrent: full.where('expiry_date', '>=', nowText).select((eb) => eb.fn.countAll<number>().as('n')),
    software: software(db),
    licenseTypes: db.selectFrom('license_types').select((eb) => eb.fn.countAll<number>().as('n')),
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
  });
  return {
    as_of: nowText,
    currency: DEFAULT_CURRENCY,
    expiring,
    expired_recently: { days: EXPIRED_WITHIN, count: count.expired },
    failed_mails: count.failedMails,
    seats_full: count.fullEndless + count.fullCurrent,
    revenue: { this_month: await sumSold(db, current), last_month: await sumSold(db, last) },
    setup: {
      software: count.software,
      license_types: count.licenseTypes,
      clients: count.clients,
      licenses: count.licenses,
      installations: count.installations,
    },
  };
}

/** Usable licences that end between two instants, both included: the list's filter `expiring_within`. */
async function sumEnding(db: Db, from: string, to: string): Promise<{ count: number; amount: number }> {
  await letOthersRun();
  const row = await db
    .selectFrom('licenses')
    .where('status', 'in', HOLDING_STATUSES)
    .where('expiry_date', '>=', from)
    .where('expiry_date', '<=', to)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('price_cents'), eb.lit(0)).as('cents'),
    ])
    .executeTakeFirstOrThrow();
  return { count: row.count, amount: fromCents(row.cents) };
}

/** Counts the licences whose latest message failed. */
const lastMailsFailed = (db: Db) =>
  db
    .selectFrom('outbox')
    .where('outbox.status', '=', sql.lit('failed'))
    .where('outbox.license_id', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('outbox as later')
            .select('later.id')
            .whereRef('later.license_id', '=', 'outbox.license_id')
            .whereRef('later.id', '>', 'outbox.id')
            .where('later.status', '!=', 'cancelled'),
        ),
      ),
    )
    .select((eb) => eb.fn.countAll<number>().as('n'));

/** The prices of the terms sold in a month, without those of cancelled licences, in pesos (LIFE-01). */
async function sumSold(db: Db, { since, until }: MonthPeriod): Promise<number> {
  await letOthersRun();
  const { cents } = await db
    .selectFrom('license_terms')
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('is_counted', '=', true)
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('price_cents'), eb.lit(0)).as('cents'))
    .executeTakeFirstOrThrow();
  return fromCents(cents);
}
