import { daysOfMonths } from '../../../contract/base/months.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { type LengthUnit, UNIT_WORDS } from '../../text/es-terms.ts';

/**
 * A length as a form has it: a number, and the unit beside it (MONEY-10). A whole number of years is shown in years. A
 * record has days, and months that are null where days count.
 */

const isYears = (months: number) => months % 12 === 0;

/** The unit in which a record's length is shown. */
export const unitOf = (months: number | null | undefined): LengthUnit =>
  !months ? 'days' : isYears(months) ? 'years' : 'months';

/** The number in that unit, as the form's text; blank without a length. */
export function lengthText(days: number | null, months: number | null | undefined): string {
  if (months) return String(isYears(months) ? months / 12 : months);
  return days === null ? '' : String(days);
}

/** The typed length in months; null if it is in days or blank, NaN for a text that is no number. */
export function monthsTyped(text: string, unit: LengthUnit): number | null {
  const number = unit === 'days' ? null : numberOf(text, 'count');
  return number === null ? null : unit === 'years' ? 12 * number : number;
}

/** The typed length as a call takes it, in days or by the calendar; empty if none is typed. */
export function lengthBody(text: string, unit: LengthUnit): { expiry_days?: number; expiry_months?: number } {
  const months = monthsTyped(text, unit);
  if (months !== null) return { expiry_months: months };
  const days = unit === 'days' ? numberOf(text, 'count') : null;
  return days === null ? {} : { expiry_days: days };
}

/** The lengths in days behind which there is usually a length in months. */
const MONTHS_OF_DAYS: Readonly<Record<number, number>> = { 30: 1, 90: 3, 180: 6, 365: 12, 730: 24, 1095: 36 };

/** The months that a form offers for typed days; undefined for none. */
export const monthsOffered = (text: string, unit: LengthUnit): number | undefined =>
  unit === 'days' ? MONTHS_OF_DAYS[numberOf(text, 'count') ?? 0] : undefined;

/** The text after the unit was changed: the same length where there is one, else the same number. */
export function inUnit(text: string, from: LengthUnit, to: LengthUnit): string {
  const months = from === 'days' ? monthsOffered(text, from) : monthsTyped(text, from);
  if (months === undefined || months === null || Number.isNaN(months)) return text;
  if (to === 'days') return String(daysOfMonths(months));
  if (to === 'months') return String(months);
  return isYears(months) ? String(months / 12) : text;
}

/** The unit of a form's field `…_months`, whose value is the unit beside the number. */
export const lengthUnit = (of: (record: never) => number | null | undefined) => ({
  blank: 'days' as LengthUnit,
  read: (record: never): LengthUnit => unitOf(of(record)),
  words: (unit: LengthUnit) => UNIT_WORDS[unit] ?? '',
});

/** The months of the term that the server finds by itself: those of the type, else of the last term (MONEY-10). */
export function monthsFound(
  license: Pick<LicenseRow, 'license_type_config' | 'expiry_months'>,
  chosen: LicenseType | undefined,
  types: readonly LicenseType[],
): number | null {
  const type = chosen ?? types.find(({ id }) => id === license.license_type_config);
  if (type !== undefined) return type.validity_months ?? null;
  return license.license_type_config === null ? (license.expiry_months ?? null) : null;
}
