import { type SqlBool, sql } from 'kysely';
import { CURRENCIES } from '../../../contract/base/money.ts';
import type { Db } from '../../db/tables.ts';
import { readSettings } from '../settings/settings.queries.ts';

/** Money in statements, in minor units of the row's currency (MONEY-04, MONEY-13). */

/** Orders sums with the vendor's currency first. */
export async function defaultFirst(db: Db) {
  const { currency } = await readSettings(db);
  const codes: readonly string[] = CURRENCIES;
  const rank = (one: string) => (one === currency ? -1 : codes.indexOf(one) + 1);
  return (a: { currency: string }, b: { currency: string }): number => rank(a.currency) - rank(b.currency);
}

/** Whether a request is open, as `stateAt` says of a row: of one that is paid in part also after its day (MONEY-06). */
export const isOpenAt = (now: Date) =>
  sql<SqlBool>`(payment_requests.state = 'open' and (coalesce(payment_requests.held_until, payment_requests.expires_at) >= ${now.toISOString()}
    or payment_requests.paid_cents > 0 or payment_requests.withheld_cents > 0))`;

/** What the link of a request still asks, as `dueOf` says of a row. */
export const dueCents = (now: Date) =>
  sql<number>`case when ${isOpenAt(now)}
    then payment_requests.amount_cents - payment_requests.paid_cents - payment_requests.withheld_cents else 0 end`;

/** Payments whose money came in; some of it may have gone back. */
export const CAME_IN = sql<SqlBool>`payments.state in ('approved', 'refunded', 'charged_back')`;

/** What stays of such a payment: less what was refunded, and nothing after a chargeback that was lost. */
export const collectedCents = sql<number>`case when payments.dispute = 'lost' then 0
  else payments.amount_cents - payments.refunded_cents end`;
