import { z } from 'zod';
import { DEFAULT_CURRENCY } from '../../../contract/base/limits.ts';
import { amountErrors, type Currency } from '../../../contract/base/money.ts';
import {
  LICENSE_TYPE_DEFAULTS,
  type LicenseType,
  licenseTypeCreate,
  promotionErrors,
} from '../../../contract/licenses/license-types.ts';
import { SEAT_DEFAULTS } from '../../../contract/licenses/seats.ts';
import {
  featureErrors,
  featuresOf,
  featuresToForm,
  NO_FEATURES,
} from '../../components/license/feature-lines.ts';
import {
  type SeatFormValues,
  seatFormErrors,
  seatPayload,
  seatsToForm,
} from '../../components/license/seat-values.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { checkTogether } from '../../components/record/spanning-rules.ts';
import { vendorCurrency } from '../../text/format.ts';

/** The form's values, as typed texts. */
export type LicenseTypeFormValues = {
  name: string;
  description: string;
  base_price: string;
  currency: Currency;
  max_installations: string;
  validity_days: string;
  grace_days: string;
  offline_days: string;
  /** Lines as a text (feature-lines.ts). */
  features: string;
  is_promotion: boolean;
  promotion_name: string;
  promotion_description: string;
  discount_percentage: string;
  promotion_start_date: string;
  promotion_end_date: string;
  is_active: boolean;
} & SeatFormValues;

/** The values of a new type (SEED-9-08). */
export const BLANK_LICENSE_TYPE: LicenseTypeFormValues = {
  name: '',
  description: '',
  base_price: '',
  currency: DEFAULT_CURRENCY,
  max_installations: String(LICENSE_TYPE_DEFAULTS.max_installations),
  validity_days: String(LICENSE_TYPE_DEFAULTS.validity_days),
  grace_days: String(LICENSE_TYPE_DEFAULTS.grace_days),
  offline_days: String(LICENSE_TYPE_DEFAULTS.offline_days),
  features: NO_FEATURES,
  ...seatsToForm(SEAT_DEFAULTS),
  is_promotion: LICENSE_TYPE_DEFAULTS.is_promotion,
  promotion_name: '',
  promotion_description: '',
  discount_percentage: '',
  promotion_start_date: '',
  promotion_end_date: '',
  is_active: LICENSE_TYPE_DEFAULTS.is_active,
};

export function toLicenseTypeForm(type: LicenseType): LicenseTypeFormValues {
  return {
    name: type.name,
    description: type.description,
    base_price: String(type.base_price),
    // A server of the specification has no currencies.
    currency: type.currency ?? vendorCurrency(),
    max_installations: String(type.max_installations),
    validity_days: String(type.validity_days),
    grace_days: String(type.grace_days),
    offline_days: String(type.offline_days ?? LICENSE_TYPE_DEFAULTS.offline_days),
    features: featuresToForm(type.features),
    ...seatsToForm(type),
    is_promotion: type.is_promotion,
    promotion_name: type.promotion_name,
    promotion_description: type.promotion_description,
    discount_percentage: type.discount_percentage === null ? '' : String(type.discount_percentage),
    promotion_start_date: type.promotion_start_date ?? '',
    promotion_end_date: type.promotion_end_date ?? '',
    is_active: type.is_active,
  };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const integerOf = (text: string): number | null => {
  const number = numberOf(text);
  return number === null ? null : Math.trunc(number);
};
const dayOf = (text: string): string | null => (text === '' ? null : text);

/**
 * The payload (SEED-5.5-10 to -12); without a promotion its fields are empty (D080). Days of grace and without
 * connection, features and seats are sent only when they change, blank days as none.
 * @param type the type that is edited, null for a new one
 */
export function toLicenseTypePayload(form: LicenseTypeFormValues, type: LicenseType | null) {
  const graceDays = numberOf(form.grace_days) ?? 0;
  const offlineDays = numberOf(form.offline_days) ?? 0;
  const hasFeatures = form.features !== featuresToForm(type?.features);
  const isPromotion = form.is_promotion;
  return {
    name: form.name.trim(),
    description: form.description,
    base_price: numberOf(form.base_price),
    currency: form.currency,
    max_installations: integerOf(form.max_installations),
    validity_days: integerOf(form.validity_days),
    is_promotion: isPromotion,
    promotion_name: isPromotion ? form.promotion_name.trim() : '',
    promotion_description: isPromotion ? form.promotion_description : '',
    discount_percentage: isPromotion ? numberOf(form.discount_percentage) : null,
    promotion_start_date: isPromotion ? dayOf(form.promotion_start_date) : null,
    promotion_end_date: isPromotion ? dayOf(form.promotion_end_date) : null,
    is_active: form.is_active,
    ...(graceDays !== (type?.grace_days ?? LICENSE_TYPE_DEFAULTS.grace_days) && { grace_days: graceDays }),
    ...(offlineDays !== (type?.offline_days ?? LICENSE_TYPE_DEFAULTS.offline_days) && {
      offline_days: offlineDays,
    }),
    ...(hasFeatures && { features: featuresOf(form.features) }),
    ...seatPayload(form, type ?? SEAT_DEFAULTS),
  };
}

/** Compares the values as sent; the promotion's fields depend on its checkbox (D080). */
export const LICENSE_TYPE_MERGING: MergeRules<LicenseTypeFormValues> = {
  comparable: (form) => toLicenseTypePayload(form, null),
  switches: {
    is_promotion: [
      'promotion_name',
      'promotion_description',
      'discount_percentage',
      'promotion_start_date',
      'promotion_end_date',
    ],
  },
};

/** Form texts in, payload out; rules across fields report together with those of single fields (SEED-5.5-01). */
export const licenseTypeFormSchema = (type: LicenseType | null) =>
  z.custom<LicenseTypeFormValues>().transform((form, context) => {
    const payload = toLicenseTypePayload(form, type);
    const spanning = {
      ...amountErrors(payload.currency, { base_price: payload.base_price }),
      ...promotionErrors(payload),
      ...featureErrors(form.features),
      ...seatFormErrors(form),
    };
    return checkTogether(licenseTypeCreate, payload, spanning, context);
  });
