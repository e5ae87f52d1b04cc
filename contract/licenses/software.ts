import { z } from 'zod';
import { recordId, reference, wholeNumber } from '../base/numbers.ts';
import { bulkIds, exportIds, listQuery, pageOf, queryFlag, updatedSince } from '../base/page.ts';
import { optionalParagraph, requiredLine } from '../base/text.ts';
import {
  TRIAL_DAILY_DEFAULT,
  TRIAL_DAILY_MAX,
  TRIAL_EMAILS,
  TRIAL_MESSAGES,
} from '../programs/trial-terms.ts';
import { bulkActionOf } from './bulk.ts';

export const SOFTWARE_MESSAGES = {
  nameRequired: 'El nombre es obligatorio',
  versionRequired: 'La versión es obligatoria',
  taken: 'Ya existe un software con este nombre y versión',
  notFound: 'Software no encontrado',
} as const;

export const SOFTWARE_RESULTS = { deleted: 'Software eliminado exitosamente' } as const;

const fields = {
  name: requiredLine(200, SOFTWARE_MESSAGES.nameRequired),
  version: requiredLine(50, SOFTWARE_MESSAGES.versionRequired),
  description: optionalParagraph(5000),
  is_active: z.boolean(),
  /** The type of trials that programs may start without an account; null: programs cannot start trials (SELL-04). */
  trial_type: reference(TRIAL_MESSAGES.type).nullable(),
  trial_email: z.enum(TRIAL_EMAILS, TRIAL_MESSAGES.email),
  trial_daily_limit: wholeNumber(1, TRIAL_DAILY_MAX, TRIAL_MESSAGES.dailyLimit),
  /** True if the catalogue of the vendor's shop includes it (SELL-06). */
  is_public: z.boolean(),
};

/** Also the body of software/register, the idempotent call for build pipelines. */
export const softwareCreate = z
  .object({
    ...fields,
    description: fields.description.prefault(''),
    is_active: fields.is_active.default(true),
    trial_type: fields.trial_type.default(null),
    trial_email: fields.trial_email.default('no'),
    trial_daily_limit: fields.trial_daily_limit.default(TRIAL_DAILY_DEFAULT),
    is_public: fields.is_public.default(false),
  })
  .meta({ examples: [{ name: 'Punto de Venta', version: '1.0.0', description: 'Caja e inventario' }] });
export type SoftwareInput = z.input<typeof softwareCreate>;
export type SoftwareValues = z.output<typeof softwareCreate>;

export const softwareUpdate = z.object({ ...fields, updated_at: z.string().max(40) }).partial();

export const softwareBulkUpdate = z.object({
  ids: bulkIds,
  updates: z.strictObject({ is_active: fields.is_active }),
});

/** The bulk actions on software, each with its fields. The status of a software is `is_active`. */
export const softwareActions = { delete: {}, set_status: { is_active: fields.is_active } };
export const softwareBulkAction = bulkActionOf(softwareActions);

const softwareFilters = z.object({
  is_active: queryFlag.optional(),
  updated_since: updatedSince.optional(),
  /** Records that an import created or changed. */
  import: z.coerce.number().pipe(recordId).optional(),
});
export const softwareListQuery = z.object({ ...listQuery.shape, ...softwareFilters.shape });
export const softwareExportQuery = z.object({ ...softwareListQuery.shape, ids: exportIds.optional() });

export const software = z
  .object({
    id: z.number().int(),
    name: z.string(),
    version: z.string(),
    /**
     * Identifies the software in installed programs: made from its first name, shared by its versions, never changed
     * (PROG-01).
     */
    code: z.string(),
    description: z.string(),
    is_active: z.boolean(),
    trial_type: z.number().int().nullable(),
    trial_type_name: z.string().nullable(),
    trial_email: z.enum(TRIAL_EMAILS),
    trial_daily_limit: z.number().int(),
    is_public: z.boolean(),
    active_licenses_count: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Software' });
export type Software = z.infer<typeof software>;

export const softwarePage = pageOf(software).meta({ id: 'SoftwarePage' });
