import { MONEY_MAX } from '../../../contract/base/limits.ts';
import { fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { addDays, daysBetween, endOfLocalDay, localDay } from '../../../contract/base/time.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import {
  PAYMENT_LIMITS,
  PAYMENT_MESSAGES,
  PAYMENT_METHOD_LABELS,
} from '../../../contract/payments/payment-words.ts';
import type { SalePayment } from '../../../contract/payments/sale-payment.ts';
import type { LicenseTermRow } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import type { SaleReceipt } from '../licenses/send-license-mail.ts';
import { formatDay } from '../mail-templates/license-variables.ts';
import { moneyText } from '../mail-templates/money-text.ts';
import { dueOf } from '../payment-requests/close-request.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { storeRequest, withTax } from './create-request.ts';
import { recordManualPayment } from './manual-payment.ts';
import type { LockedRequest } from './payment-rows.ts';
import { describe } from './plan-line.ts';
import { queueRequestMail } from './request-mail.ts';

/** The payment that is noted, or asked for, when something is sold (MONEY-05). */

/** A term that was just sold, with its licence. */
export type Sold = {
  license: Pick<LicenseRow, 'id' | 'license_key' | 'client'>;
  term: LicenseTermRow;
  /** How many seats, where seats were sold (MONEY-08). */
  quantity?: number;
};

const paymentFault = (...faults: ReturnType<typeof fault>[]) => invalid({ payment: faults });

/**
 * Makes the payment request of a sale, with a line `sold` for each term, in the transaction of the sale. It is paid when
 * `payment` says what came in; below what is asked it stays open for the rest. Its lines do not hold their licences.
 * @param sold terms of one client in one currency, whose licences are new or locked
 * @returns what the mail about the sale says of it; null where it is only asked for
 * @throws invalid (400) on `payment`
 */
export async function recordSale(
  scope: Scope,
  payment: SalePayment,
  sold: readonly Sold[],
): Promise<SaleReceipt | null> {
  const locked = await requestFor(scope, payment, sold);
  if (!payment.request) return recordPaid(scope, payment, locked);
  if (payment.notify !== false) await queueRequestMail(scope, locked.request);
  return null;
}

async function requestFor(
  scope: Scope,
  { expires_in_days = PAYMENT_LIMITS.daysDefault }: SalePayment,
  sold: readonly Sold[],
): Promise<LockedRequest> {
  const { tx, now, timeZone } = scope;
  const { license, term } = mustExist(sold[0], 'the first sold term');
  const { currency } = term;
  const rate = Math.round((await readSettings(tx)).tax_rate * 100);
  const amounts = withTax(
    sold.reduce((sum, { term: { price_cents } }) => sum + price_cents, 0),
    rate,
  );
  if (amounts.amount_cents === 0) throw paymentFault(fault('not_allowed', PAYMENT_MESSAGES.saleFree));
  if (amounts.amount_cents > toMinorUnits(MONEY_MAX, currency)) {
    throw paymentFault(fault('out_of_range', PAYMENT_MESSAGES.tooMuch));
  }
  return storeRequest(
    scope,
    {
      client_id: license.client.id,
      client_name: license.client.name,
      currency,
      ...amounts,
      note: '',
      expires_at: endOfLocalDay(addDays(localDay(now, timeZone), expires_in_days), timeZone),
    },
    await linesFor(scope, sold),
  );
}

async function linesFor(scope: Scope, sold: readonly Sold[]) {
  const { timeZone } = scope;
  /** The licences of a batch are alike. */
  const described = new Map<string, string>();
  const descriptionOf = async ({ term: { software_id, kind, license_type_id: typeId }, quantity }: Sold) => {
    const key = [software_id, kind, typeId].join(' ');
    const about = { kind, typeId, ...(quantity !== undefined && { quantity }) };
    const known = described.get(key) ?? (await describe(scope, { software_id }, about));
    described.set(key, known);
    return known;
  };
  const lines = [];
  for (const one of sold) {
    const { license, term, quantity = null } = one;
    const { starts, covers_until } = term;
    const ends = covers_until === null ? term.ends : endOfLocalDay(covers_until, timeZone);
    const hasSpan = starts !== null && ends !== null;
    lines.push({
      license_id: license.id,
      open_license_id: null,
      license_key: license.license_key,
      kind: 'sold' as const,
      description: await descriptionOf(one),
      license_type_id: term.license_type_id,
      days: hasSpan ? daysBetween(localDay(starts, timeZone), localDay(ends, timeZone)) : 0,
      quantity,
      price_cents: term.price_cents,
      original_price_cents: null,
      discount_percentage: 0,
      promotion_name: term.promotion_name,
      promotion_description: '',
      starts,
      ends,
      term_id: term.id,
    });
  }
  return lines;
}

async function recordPaid(
  scope: Scope,
  { method, reference = '', ...said }: SalePayment,
  locked: LockedRequest,
): Promise<SaleReceipt> {
  const { tx, timeZone } = scope;
  // The schema requires a method of what is not only asked for.
  const recorded = { ...said, reference, method: mustExist(method, 'the method of a payment') };
  const { paid_cents, withheld_cents, ...after } = await recordManualPayment(
    scope,
    locked,
    recorded,
    'none',
  ).catch(onPayment);
  const money = moneyText(await readSettings(tx));
  const { currency } = locked.request;
  const inWords = (cents: number) => money(fromMinorUnits(cents, currency), currency);
  const orNull = (cents: number) => (cents === 0 ? null : inWords(cents));
  return {
    received: inWords(paid_cents),
    method: PAYMENT_METHOD_LABELS[recorded.method],
    reference: reference || null,
    paid: formatDay(recorded.paid_at ?? scope.now.toISOString(), timeZone),
    withheld: orNull(withheld_cents),
    due: orNull(dueOf({ ...after, paid_cents, withheld_cents })),
  };
}

/** Turns the field errors of a payment into errors of `payment`, whose fields they are. */
function onPayment(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 400 || !error.faults) throw error;
  throw invalid({ payment: Object.values(error.faults).flat() });
}
