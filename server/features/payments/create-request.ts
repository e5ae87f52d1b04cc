import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { MONEY_MAX } from '../../../contract/base/limits.ts';
import { fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { addDays, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { PaymentLineInput, PaymentRequestInput } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { PaymentLinesTable } from '../../db/tables/payments.ts';
import type { LicenseRecord, PaymentLineRow, PaymentRequestRow } from '../../db/tables.ts';
import { AppError, fault } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { hashToken } from '../../lib/secret.ts';
import { record } from '../../records/record-event.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { payCodeOf } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { aboutRequest, endRequest, linesOf, lockRequest } from '../payment-requests/close-request.ts';
import { NO_NOTICE } from '../payment-requests/transfer-notice.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { lineFault, type PlannedLine, planLine } from './plan-line.ts';
import { queueRequestMail } from './request-mail.ts';

/** The number of random bytes in a request's reference at providers. */
const REFERENCE_BYTES = 18;

/**
 * Makes a payment request to a client for licences, at the present terms (PAY-01).
 * @param may `anyTerms`: whether the caller may ask for other terms than those that a renewal finds
 * @throws invalid (400) on `lines`; AppError 403 forbidden, 409 with the code of LIFE-02, already_requested or
 * conflict, and the licence
 */
export async function createRequest(
  scope: Scope,
  input: PaymentRequestInput,
  may: { anyTerms: boolean },
): Promise<PaymentRequestRow> {
  const { tx, now, timeZone } = scope;
  const licenses = await lockLicenses(scope, input.lines);
  const planned: PlannedLine[] = [];
  for (const line of input.lines) {
    const license = mustExist(licenses.get(line.license), `license ${line.license}`);
    planned.push(await planLine(scope, license, line, may));
  }
  const currency = planned[0]!.currency;
  if (planned.some((line) => line.currency !== currency)) {
    throw lineFault(fault('not_allowed', PAYMENT_MESSAGES.oneCurrency));
  }
  const rate = input.tax_rate ?? (await readSettings(tx)).tax_rate;
  const amounts = withTax(
    planned.reduce((sum, { price_cents }) => sum + price_cents, 0),
    Math.round(rate * 100),
  );
  if (amounts.amount_cents > toMinorUnits(MONEY_MAX, currency)) {
    throw lineFault(fault('out_of_range', PAYMENT_MESSAGES.tooMuch));
  }
  const client = await tx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', [...licenses.values()][0]!.client_id)
    .executeTakeFirstOrThrow();
  const { request } = await storeRequest(
    scope,
    {
      client_id: client.id,
      client_name: client.name,
      currency,
      ...amounts,
      note: input.note,
      expires_at: endOfLocalDay(addDays(localDay(now, timeZone), input.expires_in_days), timeZone),
    },
    planned.map(({ currency: _currency, ...line }) => ({ ...line, term_id: null })),
  );
  if (input.notify) await queueRequestMail(scope, request);
  return request;
}

/** Adds the tax once, on the sum, rounded to the minor unit. BigInt, so that no amount is wrong by one. */
export function withTax(subtotal_cents: number, tax_rate_hundredths: number) {
  const tax = (BigInt(subtotal_cents) * BigInt(tax_rate_hundredths) + 5000n) / 10_000n;
  const tax_cents = Number(tax);
  return { subtotal_cents, tax_rate_hundredths, tax_cents, amount_cents: subtotal_cents + tax_cents };
}

/**
 * Locks the licences of a request, in the order of their ids, like every change of several licences.
 * @throws invalid (400) if one does not exist or they have several clients; AppError 409 already_requested or
 * conflict
 */
async function lockLicenses(scope: Scope, lines: PaymentLineInput[]): Promise<Map<number, LicenseRecord>> {
  const ids = lines.map(({ license }) => license);
  const rows = await licenseRecord.lock(scope.tx, ids);
  if (rows.length < ids.length) throw lineFault(fault('unknown_reference', PAYMENT_MESSAGES.unknownLicense));
  if (new Set(rows.map(({ client_id }) => client_id)).size > 1) {
    throw lineFault(fault('not_allowed', PAYMENT_MESSAGES.oneClient));
  }
  await refuseRequested(scope, ids);
  await refuseInReview(scope, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws AppError 409 already_requested for the first licence that has an open request */
async function refuseRequested(scope: Scope, ids: number[]): Promise<void> {
  const open = await scope.tx
    .selectFrom('payment_lines')
    .select(['request_id', 'license_id'])
    .where('open_license_id', 'in', ids)
    .orderBy('request_id')
    .execute();
  for (const { request_id, license_id } of open) {
    const request = await lockRequest(scope.tx, request_id);
    // The request may have ended while this waited for its lock.
    if (request?.state !== 'open') continue;
    if (stateAt(request, scope.now) === 'expired') {
      await endRequest(scope, request, 'expired');
      continue;
    }
    throw new AppError(409, 'already_requested', {
      message: PAYMENT_MESSAGES.alreadyRequested,
      ...(license_id !== null && { license: license_id }),
      paymentRequest: request_id,
    });
  }
}

/**
 * A request in review was paid. Nobody is asked to pay again before a person has decided what that payment does.
 * @throws AppError 409 conflict for the first licence that has such a request
 */
async function refuseInReview({ tx }: Scope, ids: number[]): Promise<void> {
  const line = await tx
    .selectFrom('payment_lines')
    .innerJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    .select(['payment_lines.request_id', 'payment_lines.license_id'])
    .where('payment_lines.license_id', 'in', ids)
    .where('payment_lines.kind', '<>', 'sold')
    .where('payment_requests.state', '=', 'review')
    .where('payment_requests.applied_at', 'is', null)
    .orderBy('payment_lines.request_id')
    .limit(1)
    .executeTakeFirst();
  if (!line) return;
  throw new AppError(409, 'conflict', {
    message: PAYMENT_MESSAGES.inReview,
    ...(line.license_id !== null && { license: line.license_id }),
    paymentRequest: line.request_id,
  });
}

type NewRequest = Pick<
  PaymentRequestRow,
  | 'client_id'
  | 'client_name'
  | 'currency'
  | 'subtotal_cents'
  | 'tax_rate_hundredths'
  | 'tax_cents'
  | 'amount_cents'
  | 'note'
  | 'expires_at'
>;

type NewLine = Omit<Insertable<PaymentLinesTable>, 'request_id' | 'position'>;

/**
 * Stores an open request with its lines, and writes its event.
 * @param lines in their order
 */
export async function storeRequest(
  scope: Scope,
  values: NewRequest,
  lines: readonly NewLine[],
): Promise<{ request: PaymentRequestRow; lines: PaymentLineRow[] }> {
  const { tx } = scope;
  const request = await insertRequest(scope, values);
  await tx
    .insertInto('payment_lines')
    .values(lines.map((line, position) => ({ ...line, request_id: request.id, position })))
    .execute();
  const stored = await linesOf(tx, request.id);
  await record(scope, {
    type: 'payment_request.created',
    ...aboutRequest(request, stored),
    changes: {
      amount: { before: null, after: fromMinorUnits(request.amount_cents, request.currency) },
      currency: { before: null, after: request.currency },
      expires_at: { before: null, after: request.expires_at },
    },
  });
  return { request, lines: stored };
}

/** Stores a request. Its code is computed from its id, so the code's hash is stored in a second statement. */
async function insertRequest(scope: Scope, values: NewRequest): Promise<PaymentRequestRow> {
  const { tx, now, actor } = scope;
  const created_at = now.toISOString();
  const reference = `LM-${randomBytes(REFERENCE_BYTES).toString('base64url')}`;
  const row = {
    ...values,
    reference,
    code_hash: reference,
    paid_cents: 0,
    withheld_cents: 0,
    state: 'open' as const,
    review_reason: null,
    paid_at: null,
    applied_at: null,
    pressed_at: null,
    poll_at: null,
    ...NO_NOTICE,
    asked_at: null,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    created_at,
    updated_at: created_at,
  };
  const { id } = await tx
    .insertInto('payment_requests')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  const code_hash = hashToken(payCodeOf(scope.secrets, { id, created_at }));
  await tx.updateTable('payment_requests').set({ code_hash }).where('id', '=', id).execute();
  return { ...row, id, code_hash };
}
