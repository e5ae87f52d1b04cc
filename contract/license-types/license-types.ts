import { z } from 'zod';
import type { FieldErrorCode } from '../base/field-errors.ts';
import { answerShapeOf, createShapeOf, updateOf } from '../base/fields.ts';
import { listQuery, pageOf, queryFlag, updatedSince } from '../base/page.ts';
import { TEXT_MESSAGES } from '../base/text.ts';
import { LICENSE_TYPE_ANSWERED, LICENSE_TYPE_FIELDS, LICENSE_TYPE_MESSAGES } from './license-types.fields.ts';

export const LICENSE_TYPE_RESULTS = { deleted: 'Tipo de licencia eliminado exitosamente' } as const;

type PromotionFields = {
  is_promotion: boolean;
  promotion_name: string;
  promotion_start_date: string | null;
  promotion_end_date: string | null;
};

/** The fields that {@link promotionErrors} checks together, each with the code of its error. */
export const PROMOTION_RULES = [
  ['promotion_name', 'required'],
  ['promotion_end_date', 'out_of_range'],
] as const satisfies [string, FieldErrorCode][];

/**
 * Two rules about several fields, checked on the values to be stored (after a PUT is merged).
 * @returns messages by field, empty if the values are valid. Sources: SEED-5.5-07, SEED-5.5-09, D080, D081.
 */
export function promotionErrors(
  values: PromotionFields,
): Partial<Record<(typeof PROMOTION_RULES)[number][0], string[]>> {
  const errors: ReturnType<typeof promotionErrors> = {};
  if (!values.is_promotion) return errors;
  if (values.promotion_name === '') {
    errors.promotion_name = [LICENSE_TYPE_MESSAGES.promotionNameRequired];
  }
  const { promotion_start_date: start, promotion_end_date: end } = values;
  if (start !== null && end !== null && end <= start) {
    errors.promotion_end_date = [TEXT_MESSAGES.endBeforeStart];
  }
  return errors;
}

/** Clears the promotion fields of a type without a promotion (D080). */
export function withoutPromotion<Values extends PromotionFields>(values: Values): Values {
  if (values.is_promotion) return values;
  return {
    ...values,
    promotion_name: '',
    promotion_description: '',
    discount_percentage: null,
    promotion_start_date: null,
    promotion_end_date: null,
  };
}

export const licenseTypeCreate = z
  .object(createShapeOf(LICENSE_TYPE_FIELDS))
  .meta({ examples: [{ name: 'Anual', base_price: 1200, max_installations: 5, validity_days: 365 }] });
export type LicenseTypeInput = z.input<typeof licenseTypeCreate>;
export type LicenseTypeValues = z.output<typeof licenseTypeCreate>;

export const licenseTypeUpdate = updateOf(LICENSE_TYPE_FIELDS);

export const licenseTypeListQuery = z.object({
  ...listQuery.shape,
  is_active: queryFlag.optional(),
  updated_since: updatedSince.optional(),
});

export const licenseType = z
  .object(answerShapeOf({ ...LICENSE_TYPE_FIELDS, ...LICENSE_TYPE_ANSWERED }))
  .meta({ id: 'LicenseType' });
export type LicenseType = z.infer<typeof licenseType>;

export const licenseTypePage = pageOf(licenseType).meta({ id: 'LicenseTypePage' });
