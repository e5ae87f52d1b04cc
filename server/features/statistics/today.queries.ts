import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { TERM_KINDS } from '../../../contract/license-lifecycle.ts';
import { HOLDING_STATUSES } from '../../../contract/limits.ts';
import { CURRENCIES, type Currency, fromMinorUnits } from '../../../contract/money.ts';
import { EXPIRED_WITHIN, EXPIRING_WITHIN, type Today } from '../../../contract/today.ts';
import { countOfFull } from '../../db/full-licenses.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { currencyOrder, sumByCurrency } from './by-currency.ts';
import { countEach, licenses, software } from './counting.ts';
import { lastMonths, type MonthPeriod } from './periods.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the dashboard says is to do today. Each figure is a range of an index or a kept count (decision 017), and other
 * requests run between the statements.
 * @param currency the currency of the amounts themselves; `by_currency` has each one (MONEY-01)
 */
export async function figuresOfToday(
  db: Db,
  now: Date,
  timeZone: string,
  currency: Currency,
): Promise<Today> {
  const nowText = now.toISOString();
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  const expiring = [];
  for (const days of EXPIRING_WITHIN) {
    expiring.push({ days, ...(await sumEnding(db, nowText, at(days), currency)) });
  }
  const [last, current] = lastMonths(now, timeZone).slice(-2) as [MonthPeriod, MonthPeriod];
  const count = await countEach(db, {
    expired: licenses(db)
      .where('status', 'in', [...HOLDING_STATUSES, 'expired'])
      .where('expiry_date', '>=', at(-EXPIRED_WITHIN))
      .where('expiry_date', '<', nowText),
    failedMails: lastMailsFailed(db),
    full: countOfFull(nowText),
    software: software(db),
    licenseTypes: db.selectFrom('license_types').select((eb) => eb.fn.countAll<number>().as('n')),
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
  });
  return {
    as_of: nowText,
    currency,
    expiring,
    expired_recently: { days: EXPIRED_WITHIN, count: count.expired },
    failed_mails: count.failedMails,
    seats_full: count.full,
    revenue: compareSold(await sumSold(db, current), await sumSold(db, last), currency),
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
async function sumEnding(db: Db, from: string, to: string, currency: Currency) {
  await letOthersRun();
  const ending = db
    .selectFrom('licenses')
    .select(['currency', 'price_cents'])
    .where('status', 'in', HOLDING_STATUSES)
    .where('expiry_date', '>=', from)
    .where('expiry_date', '<=', to);
  const rows = await sumByCurrency(db, ending);
  const by_currency = rows
    .map((row) => ({
      currency: row.currency,
      count: row.count,
      amount: fromMinorUnits(row.cents, row.currency),
    }))
    .sort(currencyOrder(currency));
  return {
    count: by_currency.reduce((sum, { count }) => sum + count, 0),
    amount: by_currency.find((one) => one.currency === currency)?.amount ?? 0,
    by_currency,
  };
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

type Sold = Map<Currency, number>;

/**
 * The prices of the terms sold in a month, by currency, without those of cancelled licences (LIFE-01). Currency and kind
 * are named, so that each pair is one range of license_terms_by_kind: a fifth of the time of a group over all sales.
 */
async function sumSold(db: Db, { since, until }: MonthPeriod): Promise<Sold> {
  await letOthersRun();
  const rows = await db
    .selectFrom('license_terms')
    .where('currency', 'in', CURRENCIES)
    .where('kind', 'in', TERM_KINDS)
    .where('is_counted', '=', true)
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .groupBy('currency')
    .select((eb) => ['currency', eb.fn.sum<number>('price_cents').as('cents')])
    .execute();
  return new Map(rows.map((row) => [row.currency, fromMinorUnits(row.cents, row.currency)]));
}

function compareSold(current: Sold, last: Sold, currency: Currency): Today['revenue'] {
  const of = (one: Currency) => ({ this_month: current.get(one) ?? 0, last_month: last.get(one) ?? 0 });
  const currencies = new Set([...current.keys(), ...last.keys()]);
  const by_currency = [...currencies].map((one) => ({ currency: one, ...of(one) }));
  return { ...of(currency), by_currency: by_currency.sort(currencyOrder(currency)) };
}
