import type { Software } from '../../../contract/licenses/software.ts';
import type { CsvColumn } from '../../lib/csv.ts';

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
