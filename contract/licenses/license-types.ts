import { z } from 'zod';
import type { FieldErrorCode } from '../base/field-errors.ts';
import { VALIDITY_DAYS_MAX } from '../base/limits.ts';
import { currencyCode, discount, positiveCount, positiveMoney, updatesDays } from '../base/numbers.ts';
import { listQuery, pageOf, queryFlag, updatedSince } from '../base/page.ts';
import { optionalDay, optionalLine, optionalParagraph, requiredLine } from '../base/text.ts';
import { inheritedFields, inheritedShape, optionalInherited } from './inherited.ts';

export const LICENSE_TYPE_MESSAGES = {
  nameRequired: 'El nombre es obligatorio',
  basePrice: 'El precio base debe ser mayor a 0',
  maxInstallations: 'El máximo de instalaciones debe ser mayor a 0',
  validityDays: 'Los días de validez deben ser mayores a 0',
  promotionNameRequired: 'El nombre de promoción es obligatorio',
  promotionDates: 'La fecha de fin debe ser posterior a la fecha de inicio',
  notFound: 'Tipo de licencia no encontrado',
} as const;

export const LICENSE_TYPE_RESULTS = { deleted: 'Tipo de licencia eliminado exitosamente' } as const;

/** Default values of the form (SEED-9-08; docs/product-decisions.md). */
export const LICENSE_TYPE_DEFAULTS = {
  max_installations: 1,
  validity_days: 365,
  grace_days: 0,
  offline_days: 7,
  is_active: true,
  is_public: false,
  is_promotion: false,
} as const;

const fields = {
  name: requiredLine(200, LICENSE_TYPE_MESSAGES.nameRequired),
  description: optionalParagraph(5000),
  base_price: positiveMoney(LICENSE_TYPE_MESSAGES.basePrice),
  currency: currencyCode,
  max_installations: positiveCount(LICENSE_TYPE_MESSAGES.maxInstallations),
  validity_days: positiveCount(LICENSE_TYPE_MESSAGES.validityDays, VALIDITY_DAYS_MAX),
  ...inheritedFields,
  /** Days of updates from the start of a licence; null means without limit (SELL-02). */
  updates_days: updatesDays.nullable(),
  is_promotion: z.boolean(),
  promotion_name: optionalLine(200),
  promotion_description: optionalParagraph(5000),
  discount_percentage: discount.nullable(),
  promotion_start_date: optionalDay,
  promotion_end_date: optionalDay,
  is_active: z.boolean(),
  /** True if the catalogue of the vendor's shop includes it (SELL-06). */
  is_public: z.boolean(),
};

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
    errors.promotion_end_date = [LICENSE_TYPE_MESSAGES.promotionDates];
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
  .object({
    ...fields,
    description: fields.description.prefault(''),
    /** Default: the setting `currency` (MONEY-01). */
    currency: fields.currency.optional(),
    ...optionalInherited,
    updates_days: fields.updates_days.default(null),
    is_promotion: fields.is_promotion.default(LICENSE_TYPE_DEFAULTS.is_promotion),
    promotion_name: fields.promotion_name.prefault(''),
    promotion_description: fields.promotion_description.prefault(''),
    discount_percentage: fields.discount_percentage.default(null),
    promotion_start_date: fields.promotion_start_date.prefault(null),
    promotion_end_date: fields.promotion_end_date.prefault(null),
    is_active: fields.is_active.default(LICENSE_TYPE_DEFAULTS.is_active),
    is_public: fields.is_public.default(LICENSE_TYPE_DEFAULTS.is_public),
  })
  .meta({ examples: [{ name: 'Anual', base_price: 1200, max_installations: 5, validity_days: 365 }] });
export type LicenseTypeInput = z.input<typeof licenseTypeCreate>;
export type LicenseTypeValues = z.output<typeof licenseTypeCreate>;

export const licenseTypeUpdate = z.object({ ...fields, updated_at: z.string().max(40) }).partial();

export const licenseTypeListQuery = z.object({
  ...listQuery.shape,
  is_active: queryFlag.optional(),
  updated_since: updatedSince.optional(),
});

export const licenseType = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string(),
    base_price: z.number(),
    currency: currencyCode,
    max_installations: z.number().int(),
    validity_days: z.number().int(),
    ...inheritedShape,
    updates_days: z.number().int().nullable(),
    is_promotion: z.boolean(),
    promotion_name: z.string(),
    promotion_description: z.string(),
    discount_percentage: z.number().nullable(),
    promotion_start_date: z.string().nullable(),
    promotion_end_date: z.string().nullable(),
    is_active: z.boolean(),
    is_public: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'LicenseType' });
export type LicenseType = z.infer<typeof licenseType>;

export const licenseTypePage = pageOf(licenseType).meta({ id: 'LicenseTypePage' });
