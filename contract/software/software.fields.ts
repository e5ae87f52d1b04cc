import { z } from 'zod';
import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { type AnsweredFields, labelsOf, REQUIRED, type WritableFields } from '../base/fields.ts';
import { inSentence, LABELS } from '../base/labels.ts';
import { reference, wholeNumber } from '../base/numbers.ts';
import { NAME_REQUIRED } from '../base/required.ts';
import { optionalParagraph, requiredLine } from '../base/text.ts';
import {
  TRIAL_DAILY_DEFAULT,
  TRIAL_DAILY_MAX,
  TRIAL_EMAILS,
  TRIAL_MESSAGES,
} from '../programs/trial-terms.ts';

/** The fields of a software: a product of the vendor in one version. */

export const SOFTWARE_MESSAGES = {
  versionRequired: 'La versión es obligatoria',
  taken: 'Ya existe un software con este nombre y versión',
  notFound: 'Software no encontrado',
} as const;

export const SOFTWARE_FIELDS = {
  name: {
    label: LABELS.name,
    schema: requiredLine(200, NAME_REQUIRED),
    absent: REQUIRED,
    answer: z.string(),
  },
  version: {
    label: DETAIL_LABELS.version,
    schema: requiredLine(50, SOFTWARE_MESSAGES.versionRequired),
    absent: REQUIRED,
    answer: z.string(),
  },
  description: {
    label: DETAIL_LABELS.description,
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  is_active: { label: LABELS.status, schema: z.boolean(), absent: { value: true } },
  /** The type of trials that programs may start without an account; null: programs cannot start trials (SELL-04). */
  trial_type: {
    label: 'Pruebas desde el programa',
    schema: reference(TRIAL_MESSAGES.type).nullable(),
    absent: { value: null },
    answer: z.number().int().nullable(),
  },
  trial_email: {
    label: 'Correo al empezar la prueba',
    schema: z.enum(TRIAL_EMAILS, TRIAL_MESSAGES.email),
    absent: { value: 'no' },
  },
  trial_daily_limit: {
    label: 'Pruebas por día',
    schema: wholeNumber(1, TRIAL_DAILY_MAX, TRIAL_MESSAGES.dailyLimit),
    absent: { value: TRIAL_DAILY_DEFAULT },
    answer: z.number().int(),
  },
  /** True if the catalogue of the vendor's shop includes it (SELL-06). */
  is_public: { label: 'En el catálogo público', schema: z.boolean(), absent: { value: false } },
} as const satisfies WritableFields;

export type SoftwareField = keyof typeof SOFTWARE_FIELDS;

/** What answers say beyond the fields. */
export const SOFTWARE_ANSWERED = {
  id: { answer: z.number().int() },
  /**
   * Identifies the software in installed programs: made from its first name, shared by its versions, never changed
   * (PROG-01).
   */
  code: { label: 'Código', answer: z.string() },
  trial_type_name: { label: 'Tipo de las pruebas', answer: z.string().nullable() },
  active_licenses_count: { label: inSentence(LABELS.active_licenses), answer: z.number().int() },
  created_at: { label: DETAIL_LABELS.created_at, answer: z.string() },
  updated_at: { label: 'Última actualización', answer: z.string() },
} as const satisfies AnsweredFields;

export const SOFTWARE_LABELS = labelsOf({ ...SOFTWARE_ANSWERED, ...SOFTWARE_FIELDS });
