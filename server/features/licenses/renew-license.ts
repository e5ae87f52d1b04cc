import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import type { RenewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { invalid, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { cancelRequestOf } from '../payment-requests/close-request.ts';
import { marksOf, settleRenewed } from './courtesy-terms.ts';
import { licenseRecord } from './license.record.ts';
import { actOnLicense, REFUSED_WITH_REQUEST, requireAction, type Verb } from './license-actions.ts';
import { unknownReferences } from './license-references.ts';
import { findLastTerm, insertTerm, type NewTerm, updateTerm } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';
import { maintenanceTerms } from './maintenance-terms.ts';
import { termSpansOf } from './months-anchor.ts';
import { type RenewalInput, renewalMonths, renewalTerms } from './renewal-terms.ts';

/** The values that a renewal or a maintenance would store. */
export type Plan = {
  /** The changed values of the licence. */
  license: Partial<LicenseRecord>;
  term: Pick<
    NewTerm,
    | 'kind'
    | 'license_type_id'
    | 'ends'
    | 'months'
    | 'price_cents'
    | 'currency'
    | 'promotion_name'
    | 'covers_until'
  > & { starts: string; complimentary: boolean };
  /** The last instant of the sold period. */
  until: string;
};

/** What a plan is computed from: nothing is stored. */
export type PlanScope = Pick<Scope, 'tx' | 'now' | 'timeZone'>;

/**
 * Computes the renewal of a licence, by its kind. What is to be stored is computed while the licence is locked.
 * @throws invalid (400) for unknown or missing terms
 */
export async function planRenewal(
  scope: PlanScope,
  license: LicenseRecord,
  input: RenewalInput,
): Promise<Plan> {
  const { tx, now, timeZone } = scope;
  if (input.kind === 'maintenance') return planMaintenance(scope, license, input);
  const expiry_date = mustExist(license.expiry_date, `end of license ${license.id}`);
  const errors = await unknownReferences(tx, input);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const typeId = input.license_type_config ?? license.license_type_id;
  const last = await findLastTerm(tx, license.id);
  const type = typeId === null ? undefined : await findLicenseType(tx, typeId);
  const { kind, starts, ends, ...sold } = renewalTerms(input, {
    license: { ...license, expiry_date },
    last,
    terms: renewalMonths(input, type, last) === null ? undefined : await termSpansOf(tx, license.id),
    type,
    now,
    timeZone,
  });
  const {
    license_type_id,
    expiry_months: months,
    price_cents,
    currency,
    promotion_name,
    complimentary,
  } = sold.license;
  return {
    license: sold.license,
    term: {
      kind,
      license_type_id,
      starts,
      ends,
      months,
      price_cents,
      currency,
      promotion_name,
      complimentary,
    },
    until: ends,
  };
}

async function planMaintenance(scope: PlanScope, license: LicenseRecord, input: RenewalInput): Promise<Plan> {
  const { tx, now, timeZone } = scope;
  const { license_type_id } = license;
  const updates_until = mustExist(license.updates_until, `updates of license ${license.id}`);
  const sold = maintenanceTerms(input, {
    license: { ...license, updates_until },
    type: license_type_id === null ? undefined : await findLicenseType(tx, license_type_id),
    now,
    timeZone,
  });
  const { kind, starts, covers_until, price_cents, currency } = sold;
  return {
    license: sold.license,
    term: {
      kind,
      license_type_id,
      starts,
      ends: null,
      covers_until,
      price_cents,
      currency,
      promotion_name: '',
      complimentary: input.complimentary ?? false,
    },
    until: sold.ends,
  };
}

/**
 * Renews a licence: stores a new term, whose price and end become the licence's own (LIFE-02). A maintenance adds
 * days of updates and changes neither price nor end (SELL-02).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, not_renewable; invalid (400)
 */
export function renewLicense(
  scope: Scope,
  id: number,
  { notify, reason, ...input }: ActionFields<'renew'>,
): Promise<License> {
  const said = { reason, notify, kind: input.kind };
  return actOnLicense(scope, id, 'renew', said, async (row, version) => {
    // An open payment request for this licence is cancelled, because nobody must pay it any more (PAY-01).
    await cancelRequestOf(scope, id);
    await storePlan(scope, row, await planRenewal(scope, row, input), version);
  });
}

export const renewVerb: Verb<'renew'> = {
  summary: 'Renovar una licencia',
  refused: REFUSED_WITH_REQUEST,
  event: {
    when: 'A term or a maintenance was sold; `reason` where one was given',
    changes:
      'Of a maintenance `updates_until` alone; of a term `expiry_date`, and what differs: `updates_until`, `expiry_days`, `expiry_months`, `price`, `complimentary`, `currency`, `status`, `license_type`, `license_type_config`, `max_installations`, `original_price`, `discount_percentage`, `promotion_name`, `promotion_description`',
  },
  run: renewLicense,
};

/** The terms of a paid request: price, type and length are as requested (PAY-01). */
export type PaidTerms = {
  kind: 'renewal' | 'upgrade' | 'maintenance';
  days: number;
  /** The length in months; null: `days` count (MONEY-10). */
  months: number | null;
  /** The licence type in the request; null for the licence's own. */
  type: number | null;
  price: Pick<
    LicenseRecord,
    | 'price_cents'
    | 'original_price_cents'
    | 'discount_percentage'
    | 'promotion_name'
    | 'promotion_description'
  > & { currency: Currency };
  /** True for a test payment without money: its term counts in no sum (PAY-06). */
  isTest: boolean;
};

/**
 * Renews a paid licence, or adds its paid updates. It queues no mail, because the receipt of the payment lists it
 * (PAY-05).
 * @returns the id, start and end of its new term
 * @throws as {@link renewLicense}
 */
export async function renewPaid(
  scope: Scope,
  id: number,
  { kind, days, months, type, price, isTest }: PaidTerms,
): Promise<{ term: number; starts: string; ends: string }> {
  const { currency } = price;
  const said = { price: fromMinorUnits(price.price_cents, currency), currency };
  const isMaintenance = kind === 'maintenance';
  let stored: { term: number; starts: string; ends: string } | undefined;
  const options = { notify: false, kind: isMaintenance ? ('maintenance' as const) : ('renewal' as const) };
  await actOnLicense(scope, id, 'renew', options, async (row, version) => {
    await cancelRequestOf(scope, id);
    const plan = isMaintenance
      ? await planRenewal(scope, row, { ...said, kind: 'maintenance', updates_days: days })
      : atPaidPrice(
          await planRenewal(scope, row, {
            ...said,
            kind: 'renewal',
            ...(months === null ? { expiry_days: days } : { expiry_months: months }),
            ...(type !== null && { license_type_config: type }),
          }),
          price,
        );
    const term = await storePlan(scope, row, plan, version, isTest);
    stored = { term, starts: plan.term.starts, ends: plan.until };
  });
  return mustExist(stored, `term of license ${id}`);
}

/** Sets the paid price together with the promotion from which it came. */
const atPaidPrice = ({ license, term, until }: Plan, price: PaidTerms['price']): Plan => ({
  license: { ...license, ...price },
  term: { ...term, promotion_name: price.promotion_name },
  until,
});

/**
 * Stores a sale of a locked licence: a renewal, or what is added to it.
 * @returns the id of its term
 */
export async function storePlan(
  scope: Scope,
  row: LicenseRecord,
  { license, term }: Pick<Plan, 'license' | 'term'>,
  version: string,
  isTest = false,
): Promise<number> {
  await updateLicense(scope.tx, row.id, license, version);
  const before = Object.fromEntries(
    Object.keys(license).map((field) => [field, row[field as keyof typeof row]]),
  );
  const earlier = isTest ? await findLastTerm(scope.tx, row.id) : undefined;
  const id = await insertTerm(scope, {
    ...term,
    license_id: row.id,
    software_id: row.software_id,
    is_counted: !isTest && !term.complimentary,
    // A test payment is marked as a trial, because trials are excluded from the figures of renewals.
    is_trial: isTest,
    ...marksOf(term.complimentary),
    is_test: isTest,
    replaced: JSON.stringify({ before, after: license }),
  });
  // A trigger has marked the previous term as renewed; a test payment does not count, so this is reset.
  if (earlier && !earlier.is_renewed) await updateTerm(scope.tx, earlier.id, { is_renewed: false });
  if (row.complimentary || term.complimentary) await settleRenewed(scope.tx, row.id);
  return id;
}

/**
 * Computes a renewal without storing anything.
 * @throws as {@link renewLicense}
 */
export async function previewRenewal(scope: Scope, id: number, input: RenewalInput): Promise<RenewalPreview> {
  const [row] = await licenseRecord.lock(scope.tx, [id]);
  if (!row) throw notFound(LICENSE_MESSAGES.notFound);
  await requireAction(scope, 'renew', row, input.kind);
  const { term, until } = await planRenewal(scope, row, input);
  const { starts, price_cents, currency } = term;
  return { starts, ends: until, price: fromMinorUnits(price_cents, currency), currency };
}
