import type { z } from 'zod';
import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { amountErrors } from '../../../contract/base/money.ts';
import {
  type LicenseType,
  type LicenseTypeValues,
  type licenseTypeUpdate,
  PROMOTION_RULES,
  promotionErrors,
  withoutPromotion,
} from '../../../contract/license-types/license-types.ts';
import { SEAT_DEFAULTS, seatErrors, seatTerms } from '../../../contract/licenses/seats.ts';
import type { LicenseTypeRow } from '../../db/tables.ts';
import { fault, faultsOf, invalid } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { licenseTypeRecord } from './license-type.record.ts';
import {
  insertLicenseType,
  type StoredType,
  toLicenseType,
  updateLicenseType,
} from './license-types.queries.ts';

/**
 * Creates a licence type and returns its answer. Without a currency it gets the one in the settings (MONEY-01).
 * @throws invalid (400) when the currency cannot express a price
 */
export async function createLicenseType(scope: Scope, sent: LicenseTypeValues): Promise<LicenseType> {
  const currency = sent.currency ?? (await readSettings(scope.tx)).currency;
  const values = { ...withoutPromotion({ ...sent, currency }), ...seatTerms(sent, SEAT_DEFAULTS) };
  refuse(faultsOf('invalid', wrongAmounts(values)));
  const type = await insertLicenseType(scope.tx, values, scope.now);
  await record(scope, { type: 'license_type.created', ...licenseTypeRecord.about(type) });
  return type;
}

/** The amounts that the type's currency cannot express. */
const wrongAmounts = ({ currency, base_price, renewal_price }: StoredType) =>
  amountErrors(currency, { base_price, renewal_price });

/** The violated rules of promotions, as errors of their fields. */
const promotionFaults = (values: LicenseTypeValues): FieldFaults =>
  Object.fromEntries(
    PROMOTION_RULES.flatMap(([field, code]) => {
      const texts = promotionErrors(values)[field];
      return texts === undefined ? [] : [[field, texts.map((text) => fault(code, text))]];
    }),
  );

function refuse(errors: FieldFaults): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function valuesOf(row: LicenseTypeRow): StoredType {
  const { id: _id, created_at: _created, updated_at: _updated, ...values } = toLicenseType(row);
  return values;
}

/**
 * Changes the given fields and leaves the others unchanged (D091).
 * @throws notFound (404), stale (412) with the current record, invalid (400) when the merged values violate a rule of
 * promotions or of floating seats, or the currency cannot express a price
 */
export function replaceLicenseType(
  scope: Scope,
  id: number,
  { updated_at: _read, ...changes }: z.output<typeof licenseTypeUpdate>,
): Promise<LicenseType> {
  return saveRecord(scope, licenseTypeRecord, id, (row, version) => {
    const seats = seatTerms(changes, row);
    const values = { ...withoutPromotion({ ...valuesOf(row), ...changes }), ...seats };
    refuse({
      ...faultsOf('invalid', wrongAmounts(values)),
      ...promotionFaults(values),
      ...faultsOf('required', seatErrors(seats)),
    });
    return updateLicenseType(scope.tx, id, values, version);
  });
}

/**
 * Switches a type between active and inactive (SEED-4-16).
 * @throws notFound (404)
 */
export function toggleLicenseType(scope: Scope, id: number): Promise<LicenseType> {
  // It compares no version: the second of two calls switches back.
  return saveRecord({ ...scope, expected: null }, licenseTypeRecord, id, (row, version) =>
    updateLicenseType(scope.tx, id, { ...valuesOf(row), is_active: !row.is_active }, version),
  );
}
