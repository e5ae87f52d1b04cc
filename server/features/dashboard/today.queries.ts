import { type SqlBool, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { afterDays, daysBefore, localDay } from '../../../contract/base/time.ts';
import { EXPIRED_WITHIN, EXPIRING_WITHIN, type Today } from '../../../contract/figures/today.ts';
import type { EmailTransport } from '../../../contract/mail/email-transport.ts';
import { SETTINGS_DEFAULTS, type Settings } from '../../../contract/settings/settings.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { isReplaced } from '../../rules/failed-mails.ts';
import { countOfFull } from '../../rules/full-licenses.ts';
import { countOfRequests } from '../events/client-requests.queries.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import { countEach, software } from '../figures/counting.ts';
import { SALES } from '../figures/day-facts.ts';
import { earlierOf, lastMonths, type MonthPeriod, periodOf } from '../figures/periods.ts';
import { type FactSum, sumFacts, totalOf } from '../figures/sum-facts.ts';
import { canBePaid } from '../payments/payment-accounts.ts';
import { countOfReviews } from '../payments/payments.queries.ts';
import { type Receivable, sumReceivable } from '../payments/receivable.queries.ts';
import { logoVersion } from '../settings/logo.queries.ts';

/** What the figures depend on besides the records. */
type Caller = {
  timeZone: string;
  transport: EmailTransport;
  /** Whether the caller may see what was collected and what is still to be paid. */
  readsPayments: boolean;
};

/**
 * The dashboard's list of what to do today. Each figure is a range of an index, a stored count (decision 017) or a
 * sum by day (decision 051). Other requests run between the statements.
 * @param settings its currency is that of the main amounts; `by_currency` has the amounts of each currency (MONEY-01)
 */
export async function figuresOfToday(
  db: Db,
  now: Date,
  { timeZone, transport, readsPayments }: Caller,
  settings: Settings,
): Promise<Today> {
  const { currency } = settings;
  const nowText = now.toISOString();
  // The same periods as the list's filter `expiring_within`, to which each figure links.
  const within = EXPIRING_WITHIN.map((days) => ({ since: nowText, until: afterDays(now, days, timeZone) }));
  const ends = await sumFacts(
    db,
    HOLDING_STATUSES.map((status) => `end.${status}` as const),
    within,
    {},
  );
  const [expired] = await sumFacts(
    db,
    [...HOLDING_STATUSES, 'expired' as const].map((status) => `end.${status}` as const),
    [{ since: daysBefore(now, EXPIRED_WITHIN, timeZone), until: nowText }],
    {},
  );
  const [before, month] = lastMonths(now, timeZone).slice(-2) as [MonthPeriod, MonthPeriod];
  const moneyFacts = readsPayments ? [...SALES, 'collected' as const] : SALES;
  const moved = await sumFacts(db, moneyFacts, [month, before, upToDate(before, now, timeZone)], {});
  const sold = moved.map((sums) => soldOf(sums.filter(({ fact }) => fact !== 'collected')));
  const payments = readsPayments
    ? {
        collected: soldOf(moved[0]!.filter(({ fact }) => fact === 'collected')),
        receivable: await sumReceivable(db, now),
      }
    : null;
  const count = await countEach(db, {
    failedMails: lastMailsFailed(db),
    requests: countOfRequests(db, now),
    reviews: countOfReviews(db),
    full: countOfFull(nowText),
    software: software(db),
    licenseTypes: db.selectFrom('license_types').select((eb) => eb.fn.countAll<number>().as('n')),
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
    people: someone(db),
  });
  return {
    as_of: nowText,
    currency,
    expiring: EXPIRING_WITHIN.map((days, index) => ({ days, ...amountsOf(ends[index]!, currency) })),
    expired_recently: { days: EXPIRED_WITHIN, count: totalOf(expired!, 'n') },
    failed_mails: count.failedMails,
    client_requests: count.requests,
    payment_reviews: count.reviews,
    seats_full: count.full,
    revenue: compareSold(sold, currency),
    money: moneyOf(sold, payments, currency),
    setup: {
      software: count.software,
      license_types: count.licenseTypes,
      clients: count.clients,
      licenses: count.licenses,
      installations: count.installations,
      mail: transport === 'smtp',
      ...(await configured(db, settings)),
      team: count.people > 1,
      skipped: settings.setup_skipped,
    },
  };
}

/** Two at most: the question is whether there is somebody else. */
const someone = (db: Db) =>
  db
    .selectFrom(db.selectFrom('users').select('id').limit(2).as('people'))
    .select((eb) => eb.fn.countAll<number>().as('n'));

/** Which first steps the settings answer (DESK-06). The test payments of the demo are no way to be paid. */
const configured = async (db: Db, { vendor_name }: Settings) => ({
  company: vendor_name !== SETTINGS_DEFAULTS.vendor_name || (await logoVersion(db)) !== null,
  payments: await canBePaid(db, { demo: false }),
});

/** Counts and amounts of ending licences, for each currency. */
function amountsOf(sums: FactSum[], currency: Currency) {
  const by_currency = [...Map.groupBy(sums, (sum) => sum.currency)]
    .map(([own, rows]) => ({
      currency: own,
      count: totalOf(rows, 'n'),
      amount: fromMinorUnits(totalOf(rows, 'cents'), own),
    }))
    .sort(currencyOrder(currency));
  return {
    count: totalOf(sums, 'n'),
    amount: by_currency.find((one) => one.currency === currency)?.amount ?? 0,
    by_currency,
  };
}

/** Counts the licences whose latest mail to their client failed. */
const lastMailsFailed = (db: Db) =>
  db
    .selectFrom('outbox')
    .where('outbox.status', '=', sql.lit('failed'))
    .where('outbox.license_id', 'is not', null)
    .where('outbox.is_contact', '=', false)
    .where(sql<SqlBool>`not ${isReplaced('outbox')}`)
    .select((eb) => eb.fn.countAll<number>().as('n'));

/** Amounts by currency. */
type Sold = Map<Currency, number>;

/** The amounts of facts by currency; terms of cancelled licences are not among the sales (LIFE-01). */
const soldOf = (sums: FactSum[]): Sold =>
  new Map(
    [...Map.groupBy(sums, (sum) => sum.currency)].map(([currency, rows]) => [
      currency,
      fromMinorUnits(totalOf(rows, 'cents'), currency),
    ]),
  );

const upToDate = ({ month, start_date, end_date }: MonthPeriod, now: Date, timeZone: string) =>
  periodOf(
    { start_date, end_date: earlierOf(end_date, `${month}${localDay(now, timeZone).slice(-3)}`) },
    timeZone,
  );

/** @param sold the sales of this month, of last month, and of last month up to the same day */
function compareSold(sold: Sold[], currency: Currency): Today['revenue'] {
  const of = (one: Currency) => {
    const [this_month = 0, last_month = 0, last_month_to_date = 0] = sold.map((sums) => sums.get(one) ?? 0);
    return { this_month, last_month, last_month_to_date };
  };
  const currencies = new Set(sold.flatMap((sums) => [...sums.keys()]));
  const by_currency = [...currencies].map((one) => ({ currency: one, ...of(one) }));
  return { ...of(currency), by_currency: by_currency.sort(currencyOrder(currency)) };
}

type Payments = { collected: Sold; receivable: Map<Currency, Receivable> };

/**
 * Sold, collected and receivable of this month, by currency (MONEY-04).
 * @param sold as in {@link compareSold}
 * @param payments null if the caller may not see them; then no currency shows that there are payments in it
 */
function moneyOf(
  [sold, _before, toDate]: Sold[],
  payments: Payments | null,
  currency: Currency,
): Today['money'] {
  const currencies = new Set([
    currency,
    ...sold!.keys(),
    ...toDate!.keys(),
    ...(payments ? [...payments.collected.keys(), ...payments.receivable.keys()] : []),
  ]);
  return [...currencies]
    .map((one) => ({
      currency: one,
      sold: sold!.get(one) ?? 0,
      sold_last_month_to_date: toDate!.get(one) ?? 0,
      collected: payments && (payments.collected.get(one) ?? 0),
      receivable: payments && (payments.receivable.get(one)?.due ?? 0),
      receivable_count: payments && (payments.receivable.get(one)?.count ?? 0),
    }))
    .sort(currencyOrder(currency));
}
