import type { FieldFault } from '../../../contract/base/field-errors.ts';
import { LABELS } from '../../../contract/base/labels.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { daysBetween, isExpired, localDay } from '../../../contract/base/time.ts';
import { isTrial, type TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import { actionRefusal } from '../../../contract/licenses/verbs/index.ts';
import type { PaymentLineInput } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { LicenseRecord, PaymentLineRow } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { NO_PROMOTION } from '../license-types/price-today.ts';
import { planSeats } from '../licenses/add-seats.ts';
import { type Plan, planRenewal } from '../licenses/renew-license.ts';
import type { RenewalInput } from '../licenses/renewal-terms.ts';

/** One line of a payment request: what it sells, for how much, and who may ask for that (PAY-01). */

/** A line with the terms at which it will be paid. */
export type PlannedLine = Omit<
  PaymentLineRow,
  'id' | 'request_id' | 'position' | 'term_id' | 'software_id'
> & {
  currency: Currency;
};

export const lineFault = (...faults: FieldFault[]) => invalid({ lines: faults });

/**
 * Computes the price and the terms of one line, of a locked licence.
 * @param may `anyTerms`: whether the caller may ask for other terms than those that a renewal finds
 * @throws invalid (400) on `lines`; AppError 403 forbidden, 409 with the code of LIFE-02, and the licence
 */
export async function planLine(
  scope: Scope,
  license: LicenseRecord,
  line: PaymentLineInput,
  may: { anyTerms: boolean },
): Promise<PlannedLine> {
  if (line.kind === 'seats') return planSeatsLine(scope, license, line, may);
  const kind = line.kind === 'maintenance' ? 'maintenance' : 'renewal';
  const refusal = actionRefusal('renew', license, kind);
  if (refusal) {
    throw new AppError(409, refusal.code, { message: refusal.message, license: license.id });
  }
  if (kind === 'renewal' && isTrial(license) && line.license_type_config === undefined) {
    throw lineFault(fault('required', PAYMENT_MESSAGES.typeForTrial));
  }
  if (kind === 'renewal' && !findsPrice(license, line) && line.price === undefined) {
    throw lineFault(fault('required', PAYMENT_MESSAGES.priceForCourtesy));
  }
  const plan = await planRenewal(scope, license, renewalOf(line)).catch(onLines);
  if (!may.anyTerms && !(await isAsFound(scope, license, line, plan))) {
    throw new AppError(403, 'forbidden', { message: PAYMENT_MESSAGES.ownTerms, license: license.id });
  }
  const { timeZone } = scope;
  const { term, until } = plan;
  const found = term.kind === 'issue' ? 'renewal' : term.kind;
  return {
    license_id: license.id,
    open_license_id: license.id,
    license_key: license.license_key,
    kind: found,
    description: await describe(scope, license, { kind: found, typeId: term.license_type_id }),
    license_type_id: kind === 'maintenance' ? null : (line.license_type_config ?? null),
    quantity: null,
    months: term.months ?? null,
    days: daysBetween(localDay(term.starts, timeZone), localDay(until, timeZone)),
    price_cents: term.price_cents,
    original_price_cents: plan.license.original_price_cents ?? null,
    discount_percentage: plan.license.discount_percentage ?? 0,
    promotion_name: plan.license.promotion_name ?? '',
    promotion_description: plan.license.promotion_description ?? '',
    starts: term.starts,
    ends: until,
    currency: term.currency,
  };
}

/** Plans a line that sells more seats; its price is frozen, the seats come once it is paid (MONEY-08). */
async function planSeatsLine(
  scope: Scope,
  license: LicenseRecord,
  { price, quantity }: PaymentLineInput,
  may: { anyTerms: boolean },
): Promise<PlannedLine> {
  const { now, timeZone } = scope;
  const refusal = actionRefusal('add_seats', { ...license, is_expired: isExpired(license.expiry_date, now) });
  if (refusal) throw new AppError(409, refusal.code, { message: refusal.message, license: license.id });
  const seats = mustExist(quantity, 'quantity of seats');
  const sold = (sent: { price?: number | undefined }) =>
    planSeats(scope, license, { quantity: seats, ...sent }).catch(onLines);
  const { term, until } = await sold({ price });
  if (price !== undefined && !may.anyTerms) {
    // As with a renewal: whoever may not renew may not ask for less than the price that is found.
    const found = await sold({}).catch(() => undefined);
    const isFound = found?.term.currency === term.currency && found.term.price_cents <= term.price_cents;
    if (!isFound) {
      throw new AppError(403, 'forbidden', { message: PAYMENT_MESSAGES.ownTerms, license: license.id });
    }
  }
  return {
    ...NO_PROMOTION,
    license_id: license.id,
    open_license_id: license.id,
    license_key: license.license_key,
    kind: 'seats',
    description: await describe(scope, license, { kind: 'seats', typeId: null, quantity: seats }),
    license_type_id: null,
    quantity: seats,
    months: null,
    days: until === null ? 0 : daysBetween(localDay(now, timeZone), localDay(until, timeZone)),
    price_cents: term.price_cents,
    starts: term.starts,
    ends: until,
    currency: term.currency,
  };
}

/** After a courtesy nothing finds the price of the next term, unless the line names its type (MONEY-09). */
const findsPrice = (license: LicenseRecord, { license_type_config }: PaymentLineInput): boolean =>
  !license.complimentary || license_type_config !== undefined;

/** The renewal that a line sells. */
function renewalOf({
  kind,
  price,
  updates_days,
  license_type_config,
  expiry_days,
  expiry_months,
}: PaymentLineInput): RenewalInput {
  const priced = price !== undefined && { price };
  if (kind === 'maintenance') {
    return { kind, ...priced, ...(updates_days !== undefined && { updates_days }) };
  }
  return {
    kind: 'renewal',
    ...priced,
    ...(license_type_config !== undefined && { license_type_config }),
    ...(expiry_days !== undefined && { expiry_days }),
    ...(expiry_months !== undefined && { expiry_months }),
  };
}

/**
 * Whether a line asks for no less money, and sells no more time, than a renewal of its licence finds by itself. Anyone
 * who pays such a line gets what the vendor sells anyway; everything else gives a part of it away, like a renewal by
 * hand. Nothing finds the price of a maintenance, or one in another currency.
 */
async function isAsFound(
  scope: Scope,
  license: LicenseRecord,
  line: PaymentLineInput,
  plan: Plan,
): Promise<boolean> {
  if (line.kind === 'maintenance' || !findsPrice(license, line)) return false;
  const { price, expiry_days, expiry_months, ...unsaid } = line;
  const isFound = [price, expiry_days, expiry_months].every((said) => said === undefined);
  const found = isFound ? plan : await planRenewal(scope, license, renewalOf(unsaid)).catch(onLines);
  return (
    found.term.price_cents > 0 &&
    plan.term.currency === found.term.currency &&
    plan.term.price_cents >= found.term.price_cents &&
    plan.until <= found.until
  );
}

/** Turns the field errors of a renewal into errors of `lines`, because the fields are in one of its items. */
function onLines(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 400 || !error.faults) throw error;
  throw invalid({ lines: Object.values(error.faults).flat() });
}

/** The description for the client: 'Renovación: Caja Fácil 4.2.0 (Anual)'. */
export async function describe(
  { tx }: Pick<Scope, 'tx'>,
  license: Pick<LicenseRecord, 'software_id'>,
  { kind, typeId, quantity = 0 }: { kind: TermKind; typeId: number | null; quantity?: number },
): Promise<string> {
  const software = await tx
    .selectFrom('software')
    .select(['name', 'version'])
    .where('id', '=', license.software_id)
    .executeTakeFirstOrThrow();
  const type = await tx
    .selectFrom('license_types')
    .select('name')
    .where('id', '=', typeId ?? 0)
    .executeTakeFirst();
  const product = `${software.name} ${software.version}`;
  if (kind === 'maintenance') return `Actualizaciones: ${product}`;
  if (kind === 'seats') return `${quantity === 1 ? '1 lugar' : `${quantity} lugares`} más: ${product}`;
  if (kind === 'upgrade' && type) return `Cambio a ${type.name}: ${product}`;
  return `${kind === 'issue' ? LABELS.license : 'Renovación'}: ${product}${type ? ` (${type.name})` : ''}`;
}
