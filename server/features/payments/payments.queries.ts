import { sql } from 'kysely';
import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { CURRENCIES, type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { endAfterMonths } from '../../../contract/base/months.ts';
import { addDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import { countsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import type { PaymentLine, PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import { requestConcept } from '../../../contract/payments/payment-words.ts';
import type { Payment } from '../../../contract/payments/payments.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { anchorOf, type TermSpan, termSpans } from '../licenses/months-anchor.ts';
import { dueOf } from '../payment-requests/close-request.ts';
import { noticeOf } from '../payment-requests/transfer-notice.ts';

/** Payment requests and payments as they are stored and answered (PAY-01, PAY-06). */

type Moment = { now: Date; timeZone: string };

export const findRequests = (db: Db, ids: number[]): Promise<PaymentRequestRow[]> =>
  db
    .selectFrom('payment_requests')
    .selectAll()
    .where((eb) => isAmong(db, eb.ref('payment_requests.id'), ids))
    .execute();

/** The lines of requests, in order, each with the present values of its licence. */
const linesWithLicenses = (db: Db, ids: number[]) =>
  db
    .selectFrom('payment_lines')
    .leftJoin('licenses', 'licenses.id', 'payment_lines.license_id')
    .selectAll('payment_lines')
    .select(['licenses.license_key as present_key', 'licenses.expiry_date', 'licenses.updates_until'])
    .where((eb) => isAmong(db, eb.ref('payment_lines.request_id'), ids))
    .orderBy('payment_lines.request_id')
    .orderBy('payment_lines.position')
    .execute();

type LineWithLicense = Awaited<ReturnType<typeof linesWithLicenses>>[number];

/** The start and end of a line: those of its term (sold or paid), or those that it would get now; nulls if it cannot be applied. */
function spanOf(
  { kind, starts, ends, days, months, expiry_date, updates_until }: LineWithLicense,
  isApplied: boolean,
  terms: readonly TermSpan[],
  { now, timeZone }: Moment,
): { starts: string | null; ends: string | null } {
  if (isApplied || kind === 'sold') return { starts, ends };
  if (kind === 'maintenance') return coverOf(updates_until, days, { now, timeZone });
  if (kind === 'seats') return { starts: now.toISOString(), ends: expiry_date };
  if (expiry_date === null) return { starts: null, ends: null };
  const from = countsFrom({ expiry_date }, now);
  const end =
    months === null
      ? endOfLocalDay(addDays(localDay(from, timeZone), days), timeZone)
      : endAfterMonths(from, months, timeZone, anchorOf(from, terms, timeZone));
  return end.startsWith('+') ? { starts: null, ends: null } : { starts: from, ends: end };
}

/** The period that a maintenance covers: it starts at the last day of updates if that is in the future (SELL-02). */
function coverOf(updates_until: string | null, days: number, { now, timeZone }: Moment) {
  if (updates_until === null) return { starts: null, ends: null };
  const today = localDay(now, timeZone);
  const holds = updates_until >= today;
  const end = endOfLocalDay(addDays(holds ? updates_until : today, days), timeZone);
  if (end.startsWith('+')) return { starts: null, ends: null };
  return { starts: holds ? endOfLocalDay(updates_until, timeZone) : now.toISOString(), ends: end };
}

export const isKnown = (currency: string): currency is Currency =>
  (CURRENCIES as readonly string[]).includes(currency);
/** Converts amounts of payments; a currency that this program does not support counts as having two decimals. */
export const amountOf = (minorUnits: number, currency: string): number =>
  isKnown(currency) ? fromMinorUnits(minorUnits, currency) : minorUnits / 100;

/** Facts about the payments of requests: whether one is still pending, whether one is a test, and what came in. */
async function paymentFacts(db: Db, ids: number[]) {
  const rows = await db
    .selectFrom('payments')
    .select(['request_id', 'state', 'is_test', 'currency'])
    .select((eb) => eb.fn.sum<number>(eb('amount_cents', '-', eb.ref('refunded_cents'))).as('kept_cents'))
    .groupBy(['request_id', 'state', 'is_test', 'currency'])
    .where((eb) => isAmong(db, eb.ref('payments.request_id'), ids))
    .where('state', '<>', 'failed')
    .execute();
  return Map.groupBy(rows, ({ request_id }) => request_id);
}

type PaymentFact = Awaited<ReturnType<typeof paymentFacts>> extends Map<number, (infer F)[]> ? F : never;

/** What came in for a request in its currency, less what went back, in minor units. */
const cameIn = (facts: PaymentFact[], currency: Currency): number =>
  facts
    .filter((fact) => fact.state === 'approved' && fact.currency === currency)
    .reduce((sum, { kept_cents }) => sum + Number(kept_cents), 0);

/** A request as answered, without its address, which is added separately because it is a secret. */
export type AnsweredRequest = Omit<PaymentRequest, 'url'>;

/** The answers for requests, in the same order. */
export async function answersOf(
  db: Db,
  rows: PaymentRequestRow[],
  moment: Moment,
): Promise<AnsweredRequest[]> {
  const ids = rows.map(({ id }) => id);
  const found = await linesWithLicenses(db, ids);
  const lines = Map.groupBy(found, ({ request_id }) => request_id);
  const inMonths = found.flatMap(({ license_id, months }) => (months === null ? [] : (license_id ?? [])));
  const terms = await termSpans(db, [...new Set(inMonths)]);
  const facts = await paymentFacts(db, ids);
  return rows.map((row) => {
    const { currency } = row;
    const payments = facts.get(row.id) ?? [];
    const state = stateAt(row, moment.now);
    const toLine = (line: LineWithLicense): PaymentLine => ({
      license:
        line.license_id === null || line.present_key === null
          ? null
          : { id: line.license_id, license_key: line.present_key },
      kind: line.kind,
      description: line.description,
      ...spanOf(line, row.applied_at !== null, terms.get(line.license_id ?? 0) ?? [], moment),
      amount: fromMinorUnits(line.price_cents, currency),
    });
    return {
      id: row.id,
      concept: requestConcept(row.id),
      state,
      client: { id: row.client_id, name: row.client_name },
      lines: (lines.get(row.id) ?? []).map(toLine),
      subtotal: fromMinorUnits(row.subtotal_cents, currency),
      tax_rate: row.tax_rate_hundredths / 100,
      tax: fromMinorUnits(row.tax_cents, currency),
      amount: fromMinorUnits(row.amount_cents, currency),
      paid_amount: fromMinorUnits(cameIn(payments, currency), currency),
      due: fromMinorUnits(dueOf({ ...row, state }), currency),
      currency,
      note: row.note,
      pending: state !== 'paid' && payments.some((payment) => payment.state === 'pending'),
      test: payments.some(({ is_test }) => is_test),
      review_reason: row.review_reason,
      transfer_notice: noticeOf(row),
      expires_at: row.expires_at,
      paid_at: row.paid_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    };
  });
}

/** The answer for one request. */
export async function findAnswer(db: Db, id: number, moment: Moment): Promise<AnsweredRequest | undefined> {
  const [answer] = await answersOf(db, await findRequests(db, [id]), moment);
  return answer;
}

const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  provider: row.provider,
  provider_id: row.provider_id,
  payment_request: row.request_id,
  client: { id: row.client_id, name: row.client_name },
  state: row.state,
  amount: amountOf(row.amount_cents, row.currency),
  refunded_amount: amountOf(row.refunded_cents, row.currency),
  withheld: amountOf(row.withheld_cents, row.currency),
  currency: row.currency,
  method: row.method,
  reference: row.reference,
  test: row.is_test,
  created_at: row.created_at,
  paid_at: row.paid_at,
});

/** Payments in any order. */
export async function findPayments(db: Db, ids: number[]): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where((eb) => isAmong(db, eb.ref('payments.id'), ids))
    .execute();
  return rows.map(toPayment);
}

/** The newest payments of a request, the newest first. */
export async function paymentsOf(db: Db, request: number): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where('request_id', '=', request)
    .orderBy('id', 'desc')
    .limit(UNPAGED_ROWS)
    .execute();
  return rows.map(toPayment);
}

/**
 * The number of requests that need a person's decision. The state is a literal, so that SQLite uses the partial
 * index.
 */
export const countOfReviews = (db: Db) =>
  db
    .selectFrom('payment_requests')
    .where('state', '=', sql.lit('review' as const))
    .select((eb) => eb.fn.countAll<number>().as('n'));
