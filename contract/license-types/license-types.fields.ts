import { z } from 'zod';
import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { type AnsweredFields, labelsOf, OPTIONAL, REQUIRED, type WritableFields } from '../base/fields.ts';
import { LABELS } from '../base/labels.ts';
import { VALIDITY_DAYS_MAX } from '../base/limits.ts';
import {
  currencyCode,
  discount,
  monthCount,
  positiveCount,
  positiveMoney,
  updatesDays,
} from '../base/numbers.ts';
import { NAME_REQUIRED } from '../base/required.ts';
import { optionalDay, optionalLine, optionalParagraph, requiredLine } from '../base/text.ts';
import { INHERITED_FIELDS } from '../licenses/inherited.fields.ts';

/** The fields of a licence type: what a vendor sells again and again. */

export const LICENSE_TYPE_MESSAGES = {
  basePrice: 'El precio base debe ser mayor a 0',
  renewalPrice: 'El precio de renovación debe ser mayor a 0',
  maxInstallations: 'El máximo de instalaciones debe ser mayor a 0',
  validityDays: 'Los días de validez deben ser mayores a 0',
  promotionNameRequired: 'El nombre de promoción es obligatorio',
  notFound: 'Tipo de licencia no encontrado',
} as const;

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

export const LICENSE_TYPE_FIELDS = {
  name: {
    label: LABELS.name,
    schema: requiredLine(200, NAME_REQUIRED),
    absent: REQUIRED,
    answer: z.string(),
  },
  description: {
    label: DETAIL_LABELS.description,
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  base_price: {
    label: 'Precio Base',
    schema: positiveMoney(LICENSE_TYPE_MESSAGES.basePrice),
    absent: REQUIRED,
    answer: z.number(),
  },
  /** What a renewal with the same type asks, without a promotion; null: as a sale of today (MONEY-07). */
  renewal_price: {
    label: 'Precio de renovación',
    schema: positiveMoney(LICENSE_TYPE_MESSAGES.renewalPrice).nullable(),
    absent: { value: null },
    answer: z.number().nullable(),
  },
  /** When absent: the setting `currency` (MONEY-01). */
  currency: { label: LABELS.currency, schema: currencyCode, absent: OPTIONAL },
  max_installations: {
    label: 'Máximo de Instalaciones',
    schema: positiveCount(LICENSE_TYPE_MESSAGES.maxInstallations),
    absent: REQUIRED,
    answer: z.number().int(),
  },
  validity_days: {
    label: 'Días de Validez',
    schema: positiveCount(LICENSE_TYPE_MESSAGES.validityDays, VALIDITY_DAYS_MAX),
    absent: REQUIRED,
    answer: z.number().int(),
  },
  /** Its terms count in months, whatever `validity_days` says; null, or absent: in days (MONEY-10). */
  validity_months: {
    label: 'Meses de Validez',
    schema: monthCount.nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
  ...INHERITED_FIELDS,
  /** Days of updates from the start of a licence; null means without limit (SELL-02). */
  updates_days: {
    label: 'Días de actualizaciones',
    schema: updatesDays.nullable(),
    absent: { value: null },
    answer: z.number().int().nullable(),
  },
  is_promotion: {
    label: 'Es promoción',
    schema: z.boolean(),
    absent: { value: LICENSE_TYPE_DEFAULTS.is_promotion },
  },
  promotion_name: {
    label: 'Nombre de Promoción',
    schema: optionalLine(200),
    absent: { value: '' },
    answer: z.string(),
  },
  promotion_description: {
    label: 'Descripción de Promoción',
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  discount_percentage: {
    label: 'Porcentaje de Descuento',
    schema: discount.nullable(),
    absent: { value: null },
    answer: z.number().nullable(),
  },
  promotion_start_date: {
    label: 'Fecha de Inicio',
    schema: optionalDay,
    absent: { value: null },
    answer: z.string().nullable(),
  },
  promotion_end_date: {
    label: 'Fecha de Fin',
    schema: optionalDay,
    absent: { value: null },
    answer: z.string().nullable(),
  },
  is_active: {
    label: LABELS.is_active,
    schema: z.boolean(),
    absent: { value: LICENSE_TYPE_DEFAULTS.is_active },
  },
  /** True if the catalogue of the vendor's shop includes it (SELL-06). */
  is_public: {
    label: 'En el catálogo público',
    schema: z.boolean(),
    absent: { value: LICENSE_TYPE_DEFAULTS.is_public },
  },
} as const satisfies WritableFields;

export type LicenseTypeField = keyof typeof LICENSE_TYPE_FIELDS;

/** What answers say beyond the fields. */
export const LICENSE_TYPE_ANSWERED = {
  id: { answer: z.number().int() },
  created_at: { label: DETAIL_LABELS.created_at, answer: z.string() },
  updated_at: { label: 'Última actualización', answer: z.string() },
} as const satisfies AnsweredFields;

export const LICENSE_TYPE_LABELS = labelsOf({ ...LICENSE_TYPE_FIELDS, ...LICENSE_TYPE_ANSWERED });
