import { z } from 'zod';
import {
  DISCOUNT_MAX,
  DISCOUNT_MIN,
  GRACE_DAYS_MAX,
  OFFLINE_DAYS_MAX,
} from '../../../contract/base/limits.ts';
import { amountErrors } from '../../../contract/base/money.ts';
import {
  LICENSE_TYPE_LABELS as LABELS,
  LICENSE_TYPE_DEFAULTS,
  type LicenseTypeField,
} from '../../../contract/license-types/license-types.fields.ts';
import {
  type LicenseType,
  licenseTypeCreate,
  promotionErrors,
} from '../../../contract/license-types/license-types.ts';
import { SEAT_DEFAULTS } from '../../../contract/licenses/seats.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { currencyIn } from '../../components/license/currency-field.ts';
import { featureErrors, featuresIn } from '../../components/license/feature-lines.ts';
import { meterErrors, metersIn } from '../../components/license/meter-lines.ts';
import { SALE_FIELDS_OF_TYPE } from '../../components/license/sale-values.ts';
import { SEAT_FIELDS_OF_TYPE, seatFormErrors, seatPayload } from '../../components/license/seat-values.ts';
import { VALIDITY_FIELDS } from '../../components/license/validity-values.ts';
import {
  amount,
  bodyOf,
  checkbox,
  count,
  date,
  formOf,
  numberErrors,
  paragraph,
  percent,
  switchesOf,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { checkTogether } from '../../components/record/spanning-rules.ts';
import { licenseTypeTexts } from '../../text/es-license-types.ts';

const trimmed = (typed: string) => typed.trim();
const integerOf = (typed: string): number | null => {
  const typedNumber = numberOf(typed, 'count');
  return typedNumber === null ? null : Math.trunc(typedNumber);
};
/** Blank days mean 0. */
const daysOf = (typed: string): number => numberOf(typed, 'count') ?? 0;

const inPromotion = { shownWith: 'is_promotion' } as const;

/** The fields from top to bottom by section, with the values of a new type (SEED-9-08, SEED-5.5-10 to -12). */
export const LICENSE_TYPE_SECTIONS = {
  basic: {
    name: text(LABELS.name, { required: true, wide: true, write: trimmed }),
    description: paragraph(LABELS.description, { wide: true, props: { rows: 2 } }),
    base_price: amount(LABELS.base_price, { required: true, props: { min: '0' } }),
    renewal_price: amount(LABELS.renewal_price, {
      help: licenseTypeTexts.renewalPriceHelp,
      props: { min: '0' },
      sent: 'changed',
    }),
    currency: currencyIn(LABELS.currency),
    max_installations: count(LABELS.max_installations, {
      required: true,
      blank: String(LICENSE_TYPE_DEFAULTS.max_installations),
      props: { min: '1', truncates: true },
      write: integerOf,
    }),
    ...VALIDITY_FIELDS,
    grace_days: count(LABELS.grace_days, {
      blank: String(LICENSE_TYPE_DEFAULTS.grace_days),
      help: licenseTypeTexts.graceHelp,
      props: { min: '0', max: GRACE_DAYS_MAX },
      write: daysOf,
      sent: 'changed',
    }),
    offline_days: count(LABELS.offline_days, {
      blank: String(LICENSE_TYPE_DEFAULTS.offline_days),
      help: licenseTypeTexts.offlineHelp,
      props: { min: '0', max: OFFLINE_DAYS_MAX },
      write: daysOf,
      sent: 'changed',
    }),
    ...SEAT_FIELDS_OF_TYPE,
    features: featuresIn(LABELS.features),
  },
  /** A collapsed section with fields that few vendors need. */
  sale: { ...SALE_FIELDS_OF_TYPE, meters: metersIn(LABELS.meters) },
  // Without a promotion these fields are stored empty (D080).
  promotion: {
    is_promotion: checkbox(LABELS.is_promotion, {
      blank: LICENSE_TYPE_DEFAULTS.is_promotion,
      wide: true,
      help: licenseTypeTexts.promotionHelp,
    }),
    promotion_name: text(LABELS.promotion_name, { ...inPromotion, required: true, write: trimmed }),
    discount_percentage: percent(LABELS.discount_percentage, {
      ...inPromotion,
      props: { min: DISCOUNT_MIN, max: DISCOUNT_MAX },
    }),
    promotion_description: paragraph(LABELS.promotion_description, {
      ...inPromotion,
      wide: true,
      props: { rows: 2 },
    }),
    promotion_start_date: date(LABELS.promotion_start_date, inPromotion),
    promotion_end_date: date(LABELS.promotion_end_date, inPromotion),
  },
  status: {
    is_active: checkbox(LABELS.is_active, {
      blank: LICENSE_TYPE_DEFAULTS.is_active,
      help: licenseTypeTexts.activeHelp,
    }),
    is_public: checkbox(LABELS.is_public, {
      input: 'switch',
      blank: LICENSE_TYPE_DEFAULTS.is_public,
      help: licenseTypeTexts.publicHelp,
    }),
  },
};

const FIELDS = {
  ...LICENSE_TYPE_SECTIONS.basic,
  ...LICENSE_TYPE_SECTIONS.sale,
  ...LICENSE_TYPE_SECTIONS.promotion,
  ...LICENSE_TYPE_SECTIONS.status,
} satisfies Record<LicenseTypeField, unknown>;

export const LICENSE_TYPE_FORM = formOf(FIELDS);
export type LicenseTypeFormValues = ValuesOf<typeof FIELDS>;

/**
 * The request body. Seat fields are included only if they changed.
 * @param type the type to edit, null for a new one
 */
export const toLicenseTypePayload = (form: LicenseTypeFormValues, type: LicenseType | null) => ({
  ...bodyOf(FIELDS, form, type),
  ...keptDays(form, type),
  ...seatPayload(form, type ?? SEAT_DEFAULTS),
});

/** An unchanged length keeps its days, which somebody may have set beside the months. */
function keptDays(form: LicenseTypeFormValues, type: LicenseType | null): { validity_days?: number } {
  if (type === null) return {};
  const read = LICENSE_TYPE_FORM.toForm(type);
  const isSame = read.validity_days === form.validity_days && read.validity_months === form.validity_months;
  return isSame ? { validity_days: type.validity_days } : {};
}

/** Compares values as they will be sent. The promotion's fields depend on its checkbox (D080). */
export const LICENSE_TYPE_MERGING: MergeRules<LicenseTypeFormValues> = {
  comparable: (form) => toLicenseTypePayload(form, null),
  switches: switchesOf(FIELDS),
};

/**
 * The schema: form texts in, request body out. Errors of rules about several fields are shown together with the others
 * (SEED-5.5-01).
 */
export const licenseTypeFormSchema = (type: LicenseType | null) =>
  z.custom<LicenseTypeFormValues>().transform((form, context) => {
    const payload = toLicenseTypePayload(form, type);
    const spanning = {
      ...numberErrors(FIELDS, form),
      ...amountErrors(payload.currency, {
        base_price: payload.base_price,
        renewal_price: payload.renewal_price,
      }),
      ...promotionErrors(payload),
      ...featureErrors(form.features),
      ...meterErrors(form.meters),
      ...seatFormErrors(form),
    };
    return checkTogether(licenseTypeCreate, payload, spanning, context);
  });
