import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { isOpenAt } from '../../rules/open-requests.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import { readSettings } from '../settings/settings.queries.ts';

/** Money in statements, in minor units of the row's currency (MONEY-04, MONEY-13). */

/** Orders sums with the vendor's currency first. */
export const defaultFirst = async (db: Db) => currencyOrder((await readSettings(db)).currency);

/** What the link of a request still asks, as `dueOf` says of a row. */
export const dueCents = (now: Date) =>
  sql<number>`case when ${isOpenAt(now)}
    then payment_requests.amount_cents - payment_requests.paid_cents - payment_requests.withheld_cents else 0 end`;

/** Payments whose money came in; some of it may have gone back. */
export const CAME_IN = sql<SqlBool>`payments.state in ('approved', 'refunded', 'charged_back')`;

/** What stays of such a payment: less what was refunded, and nothing after a chargeback that was lost. */
export const collectedCents = sql<number>`case when payments.dispute = 'lost' then 0
  else payments.amount_cents - payments.refunded_cents end`;
