import { daysOfMonths } from '../../../contract/base/months.ts';
import {
  LICENSE_TYPE_LABELS as LABELS,
  LICENSE_TYPE_DEFAULTS,
} from '../../../contract/license-types/license-types.fields.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import type { LengthUnit } from '../../text/es-terms.ts';
import { count, special } from '../record/form-fields.ts';
import { lengthText, lengthUnit, monthsTyped } from './term-length.ts';

/** How long a licence of a type lasts, as its forms have it (MONEY-10). */

type Validity = Partial<Pick<LicenseType, 'validity_days' | 'validity_months'>>;

/** A type in months has days too, for those who read days alone. */
function daysOf(typed: string, unit: LengthUnit): number | null {
  const months = monthsTyped(typed, unit);
  if (months !== null) return daysOfMonths(months);
  const days = numberOf(typed, 'count');
  return days === null ? null : Math.trunc(days);
}

/** The number, and the unit beside it, which stands for `validity_months`. */
export const VALIDITY_FIELDS = {
  validity_days: count(LABELS.validity_days, {
    required: true,
    blank: String(LICENSE_TYPE_DEFAULTS.validity_days),
    props: { min: '1', truncates: true },
    read: ({ validity_days, validity_months }: Validity) =>
      lengthText(validity_days ?? LICENSE_TYPE_DEFAULTS.validity_days, validity_months),
    // The cast is safe: the unit is the value of the field below.
    write: (typed, _isNew, { validity_months }) => daysOf(typed, validity_months as LengthUnit),
  }),
  validity_months: special<LengthUnit, number | null>(LABELS.validity_months, {
    ...lengthUnit(({ validity_months }: Validity) => validity_months),
    write: (unit, _isNew, { validity_days }) => monthsTyped(String(validity_days), unit),
    sent: 'changed',
  }),
};
