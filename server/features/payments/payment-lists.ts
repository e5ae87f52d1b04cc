import { type SqlBool, sql } from 'kysely';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import { paymentRequestListQuery } from '../../../contract/payments/payment-requests.ts';
import type { PaymentRequestState } from '../../../contract/payments/payment-words.ts';
import { paymentListQuery } from '../../../contract/payments/payments.ts';
import { requestIdIn } from '../../../contract/reading/payment-concepts.ts';
import { defineList } from '../../lists/define-list.ts';
import { equals, type Filter } from '../../lists/filters.ts';
import { isOpenAt } from '../../rules/open-requests.ts';
import { defaultFirst, dueCents } from './money-columns.ts';
import { amountOf, answersOf, findPayments, findRequests } from './payments.queries.ts';

/** Lists of payment requests and of payments, newest first (PAY-01, PAY-06). */

/** A request whose time has passed is no longer 'open', even before the job has stored that; see stateAt. */
const inState: Filter<PaymentRequestState> = (state, { now }) => ({
  holds: state === 'open' ? isOpenAt(now) : sql<SqlBool>`payment_requests.state = ${state}`,
  byIndex: 'many',
  inOrder: state !== 'open',
});

const withLicense: Filter<number> = (license) => ({
  holds: sql<SqlBool>`payment_requests.id in (
    select lines.request_id from payment_lines as lines where lines.license_id = ${license})`,
  byIndex: 'few',
});

const minorUnits = (column: string) => sql<number>`${sql.ref(column)}`;

export const paymentRequestList = defineList({
  table: 'payment_requests',
  query: paymentRequestListQuery,
  searched: [
    { table: 'clients', by: ['payment_requests.client_id'] },
    { table: 'licenses', of: 'payment_lines.request_id', by: ['payment_lines.license_id'] },
    { table: 'payments', of: 'payments.request_id' },
  ],
  searchesKeys: true,
  namedIn: requestIdIn,
  sums: {
    currency: 'payment_requests.currency',
    amounts: ({ now }) => ({ amount: minorUnits('payment_requests.amount_cents'), due: dueCents(now) }),
    answer: ({ currency, count, amount, due }) => ({
      currency,
      count,
      amount: amountOf(Number(amount), currency),
      due: amountOf(Number(due), currency),
    }),
    order: defaultFirst,
  },
  filters: {
    state: inState,
    client: equals('payment_requests.client_id', { byIndex: 'few' }),
    license: withLicense,
  },
  orderings: {},
  order: { by: 'payment_requests.id', of: 'number', descending: true },
  rows: async (db, ids, moment) => answersOf(db, await findRequests(db, ids), moment),
});

const CREATED = 'payments.created_at';
/** Each index of a value continues by the day, and has what the list sums. */
const BY_DAY = { byIndex: 'many', inOrder: true, thenBy: CREATED } as const;
const IN_DAYS = { byIndex: 'many', inOrder: true, rangeOf: CREATED } as const;

const from: Filter<string> = (day, { timeZone }) => ({
  holds: sql<SqlBool>`payments.created_at >= ${startOfLocalDay(day, timeZone)}`,
  ...IN_DAYS,
});
const to: Filter<string> = (day, { timeZone }) => ({
  holds: sql<SqlBool>`payments.created_at < ${startOfNextLocalDay(day, timeZone)}`,
  ...IN_DAYS,
});

export const paymentList = defineList({
  table: 'payments',
  query: paymentListQuery,
  sums: {
    currency: 'payments.currency',
    amounts: () => ({
      amount: minorUnits('payments.amount_cents'),
      refunded_amount: minorUnits('payments.refunded_cents'),
    }),
    answer: ({ currency, count, amount, refunded_amount }) => ({
      currency,
      count,
      amount: amountOf(Number(amount), currency),
      refunded_amount: amountOf(Number(refunded_amount), currency),
    }),
    order: defaultFirst,
  },
  filters: {
    provider: equals('payments.provider', BY_DAY),
    state: equals('payments.state', BY_DAY),
    client: equals('payments.client_id', { byIndex: 'few' }),
    from,
    to,
  },
  orderings: {},
  order: { by: CREATED, of: 'instant', descending: true },
  rows: (db, ids) => findPayments(db, ids),
});
