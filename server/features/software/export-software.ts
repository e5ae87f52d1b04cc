import type { Software } from '../../../contract/software.ts';
import type { Db } from '../../db/tables.ts';
import { inBatches } from '../../lib/batches.ts';
import type { CsvColumn } from '../../lib/csv.ts';
import { listSoftwareAfter, type SoftwareListQuery } from './software.queries.ts';

export const softwareCsvColumns: CsvColumn<Software>[] = [
  { header: 'ID', value: (software) => software.id },
  { header: 'Nombre', value: (software) => software.name },
  { header: 'Versión', value: (software) => software.version },
  { header: 'Descripción', value: (software) => software.description },
  { header: 'Activo', value: (software) => software.is_active },
  { header: 'Licencias Activas', value: (software) => software.active_licenses_count },
  { header: 'Creado', value: (software) => software.created_at },
  { header: 'Actualizado', value: (software) => software.updated_at },
];

/** All software that matches, a batch at a time, in the order of the ids. */
export const softwareForExport = (db: Db, query: SoftwareListQuery, now: Date) =>
  inBatches((afterId, limit) => listSoftwareAfter(db, query, afterId, limit, now));
