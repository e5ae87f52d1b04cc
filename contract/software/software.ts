import { z } from 'zod';
import { answerShapeOf, createShapeOf, schemasOf, updateOf } from '../base/fields.ts';
import { writtenId } from '../base/numbers.ts';
import { bulkIds, exportForm, exportIds, listQuery, pageOf, queryFlag, updatedSince } from '../base/page.ts';
import { bulkActionOf } from '../licenses/bulk.ts';
import { SOFTWARE_ANSWERED, SOFTWARE_FIELDS } from './software.fields.ts';

export const SOFTWARE_RESULTS = { deleted: 'Software eliminado exitosamente' } as const;

/** Also the body of software/register, the idempotent call for build pipelines. */
export const softwareCreate = z
  .object(createShapeOf(SOFTWARE_FIELDS))
  .meta({ examples: [{ name: 'Punto de Venta', version: '1.0.0', description: 'Caja e inventario' }] });
export type SoftwareInput = z.input<typeof softwareCreate>;
export type SoftwareValues = z.output<typeof softwareCreate>;

export const softwareUpdate = updateOf(SOFTWARE_FIELDS);

const { is_active } = schemasOf(SOFTWARE_FIELDS);

export const softwareBulkUpdate = z.object({
  ids: bulkIds,
  updates: z.strictObject({ is_active }),
});

/** The bulk actions on software, each with its fields. The status of a software is `is_active`. */
export const softwareActions = { delete: {}, set_status: { is_active } };
export const softwareBulkAction = bulkActionOf(softwareActions);

const softwareFilters = z.object({
  is_active: queryFlag.optional(),
  updated_since: updatedSince.optional(),
  /** Records that an import created or changed. */
  import: writtenId.optional(),
});
export const softwareListQuery = z.object({ ...listQuery.shape, ...softwareFilters.shape });
export const softwareExportQuery = z.object({
  ...softwareListQuery.shape,
  ids: exportIds.optional(),
  ...exportForm,
});

export const software = z
  .object(answerShapeOf({ ...SOFTWARE_ANSWERED, ...SOFTWARE_FIELDS }))
  .meta({ id: 'Software' });
export type Software = z.infer<typeof software>;

export const softwarePage = pageOf(software).meta({ id: 'SoftwarePage' });
