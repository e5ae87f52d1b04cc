import { MONEY_MAX } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { type ActionState, actionRefusal } from '../../../contract/licenses/verbs/index.ts';
import { PAY_MESSAGES, PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { isAmong } from '../../db/dialect.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import type { Db, LicenseRecord, PaymentRequestRow } from '../../db/tables.ts';
import { AppError, conflict } from '../../errors.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { payUrlOf } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { type PlanScope, planRenewal } from '../licenses/renew-license.ts';
import { dueOf } from '../payment-requests/close-request.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { createRequest, withTax } from './create-request.ts';
import { canBePaid } from './payment-accounts.ts';
import { findRequests } from './payments.queries.ts';

/**
 * Payment requests that no person of the staff makes: a client makes one in the portal, or a reminder includes one
 * (PORTAL-05, PAY-07).
 */

/** What a client would pay; `sold`: for what was sold already and is not paid (MONEY-05). */
export type Price = { amount: number; currency: Currency; sold: boolean };

type RenewableLicense = Pick<LicenseRow, 'id' | 'license_type' | 'complimentary'> & ActionState<'renew'>;

/**
 * Whether a licence can be renewed at its own terms. A trial cannot, because somebody must choose a type, and after a
 * courtesy somebody must choose a type or a price.
 */
const isRenewable = (license: RenewableLicense): boolean =>
  !isTrial(license) && !license.complimentary && actionRefusal('renew', license) === null;

/** A request that a licence has, and whether it is for what was sold already (MONEY-05). */
type Standing = { request: PaymentRequestRow; isSold: boolean };

/**
 * The open requests and those in review, by licence. What was sold and is not paid comes first, the oldest of it; of
 * the others the newest. A request in review for what was sold counts as none, because nothing of the licence waits
 * for it.
 */
async function requestsOf(db: Db, licenses: number[], now: Date): Promise<Map<number, Standing>> {
  const lines = await db
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .innerJoin('licenses', 'licenses.id', 'payment_lines.license_id')
    .select(['payment_lines.license_id', 'payment_lines.request_id', 'payment_lines.kind'])
    .where((eb) => isAmong(db, eb.ref('payment_lines.license_id').$castTo<number>(), licenses))
    .where('payment_requests.state', 'in', ['open', 'review'])
    // What was sold to a client before a transfer is that client's debt.
    .where((eb) =>
      eb.or([
        eb('payment_lines.kind', '<>', 'sold'),
        eb('payment_requests.client_id', '=', eb.ref('licenses.client_id')),
      ]),
    )
    .orderBy('payment_lines.request_id')
    .execute();
  const ids = [...new Set(lines.map(({ request_id }) => request_id))];
  const rows = new Map((await findRequests(db, ids)).map((row) => [row.id, row]));
  const found = new Map<number, Standing>();
  for (const { license_id, request_id, kind } of lines) {
    const request = rows.get(request_id);
    if (license_id === null || !request || stateAt(request, now) === 'expired') continue;
    const known = found.get(license_id);
    const isSold = kind === 'sold';
    if (isSold ? request.state === 'open' && !known?.isSold : !known || isWeaker(known)) {
      found.set(license_id, { request, isSold });
    }
  }
  return found;
}

/**
 * Whether a newer request of a renewal takes the place of this one. One in review stays: it was paid, so nobody must be
 * asked to pay again before a person has decided.
 */
const isWeaker = ({ request, isSold }: Standing): boolean => !isSold && request.state !== 'review';

/**
 * The licences that their client could pay for now, with the amount that the page to pay will ask: what the open request
 * still asks, of what was sold first, else of a renewal at the licence's own terms, with tax (PORTAL-04, decision 145).
 */
export async function payableOf(
  db: Db,
  licenses: RenewableLicense[],
  { now, timeZone, demo }: { now: Date; timeZone: string; demo: boolean },
): Promise<Map<number, Price>> {
  const payable = new Map<number, Price>();
  if (licenses.length === 0 || !(await canBePaid(db, { demo }))) return payable;
  const ids = licenses.map(({ id }) => id);
  const requests = await requestsOf(db, ids, now);
  for (const [license, { request, isSold }] of requests) {
    const { state, currency } = request;
    if (state !== 'open') continue;
    payable.set(license, { amount: fromMinorUnits(dueOf(request), currency), currency, sold: isSold });
  }
  const renewable = licenses.filter((license) => !requests.has(license.id) && isRenewable(license));
  if (renewable.length === 0) return payable;
  const rate = Math.round((await readSettings(db)).tax_rate * 100);
  for (const row of await licenseRowsOf(db, renewable)) {
    const price = await renewalPrice({ tx: db, now, timeZone }, row, rate);
    if (price !== null) payable.set(row.id, price);
  }
  return payable;
}

/** Whole rows, as a plan needs them. */
const licenseRowsOf = (db: Db, licenses: RenewableLicense[]): Promise<LicenseRecord[]> =>
  db
    .selectFrom('licenses')
    .selectAll()
    .where((eb) =>
      isAmong(
        db,
        eb.ref('licenses.id'),
        licenses.map(({ id }) => id),
      ),
    )
    .execute();

/** What a renewal asks, with tax; null where its terms cannot be found, so that a request would be refused too. */
async function renewalPrice(
  scope: PlanScope,
  license: LicenseRecord,
  taxHundredths: number,
): Promise<Price | null> {
  try {
    const { term } = await planRenewal(scope, license, { kind: 'renewal' });
    const { amount_cents } = withTax(term.price_cents, taxHundredths);
    if (amount_cents > toMinorUnits(MONEY_MAX, term.currency)) return null;
    return { amount: fromMinorUnits(amount_cents, term.currency), currency: term.currency, sold: false };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}

const newRequest = (licenses: number[]) => ({
  lines: licenses.map((license) => ({ license, kind: 'renewal' as const })),
  expires_in_days: PAYMENT_LIMITS.daysDefault,
  notify: false,
  note: '',
});

/** Clients and reminders send no terms: theirs are those that the renewal finds. */
const NO_TERMS = { anyTerms: true };

/**
 * The address on which a client pays for a licence: that of its open request, of what was sold first, else of a new one
 * for its renewal.
 * @throws AppError 409 with the code of LIFE-02, or conflict while the request is in review
 */
export async function payByClient(scope: Scope, license: number): Promise<string> {
  const [row] = await licenseRecord.lock(scope.tx, [license]);
  const known = (await requestsOf(scope.tx, [license], scope.now)).get(license);
  if (known?.request.state === 'review') {
    throw conflict(PAY_MESSAGES.inReview);
  }
  // What follows a courtesy is the vendor's to say (MONEY-09).
  if (!known && row?.complimentary)
    throw new AppError(409, 'not_renewable', { message: PAY_MESSAGES.courtesy });
  return payUrlOf(scope, known?.request ?? (await createRequest(scope, newRequest([license]), NO_TERMS)));
}

/** The request in a reminder, and its address. */
export type ReminderPayment = { request: PaymentRequestRow; url: string };

/**
 * The payment request for a reminder: the open request of its licences, of what was sold first, else a new one for all
 * that can be renewed and are not trials (PAY-07, MONEY-05).
 * @param licenses the licences in the mail, which must be locked
 * @returns null if payments are not offered, nothing can be renewed, or the licences have several currencies
 */
export async function reminderPayment(
  scope: Scope,
  licenses: LicenseRow[],
  config: { demo: boolean },
): Promise<ReminderPayment | null> {
  const { tx, now } = scope;
  if (!(await readSettings(tx)).payment_in_reminders || !(await canBePaid(tx, config))) return null;
  const requests = await requestsOf(
    tx,
    licenses.map(({ id }) => id),
    now,
  );
  const all = [...requests.values()].filter(({ request }) => request.state === 'open');
  const open = (all.find(({ isSold }) => isSold) ?? all[0])?.request;
  if (open) return { request: open, url: payUrlOf(scope, open) };
  const requested = licenses.filter((license) => isRenewable(license) && !requests.has(license.id));
  if (requested.length === 0 || requested.length > PAYMENT_LIMITS.lines) return null;
  const currencies = new Set<Currency>();
  for (const license of requested) currencies.add(await currencyOf(tx, license));
  if (currencies.size > 1) return null;
  try {
    const ids = requested.map(({ id }) => id);
    const request = await inSavepoint(tx, () => createRequest(scope, newRequest(ids), NO_TERMS));
    return { request, url: payUrlOf(scope, request) };
  } catch (error) {
    // A reminder without a payment address is better than no reminder.
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}

/** The currency of a renewal at the licence's own terms: that of its type, else of the licence. */
async function currencyOf(tx: Db, license: LicenseRow): Promise<Currency> {
  const { license_type_config: type, currency } = license;
  const found = type === null ? undefined : await findLicenseType(tx, type);
  return found?.currency ?? currency;
}
