import { UNLIMITED } from '../../../contract/imports/import-words.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type { CsvColumn } from '../../lib/csv.ts';

export const licenseCsvColumns: CsvColumn<LicenseRow>[] = [
  { header: 'ID', value: (license) => license.id },
  { header: 'Clave de Licencia', value: (license) => license.license_key },
  { header: 'Cliente', value: (license) => license.client_name },
  { header: 'Email', value: (license) => license.client_email },
  { header: 'Software', value: (license) => license.software_name },
  { header: 'Versión', value: (license) => license.software_version },
  { header: 'Categoría', value: (license) => license.license_type },
  { header: 'Tipo de Licencia', value: (license) => license.license_type_name },
  { header: 'Estado', value: (license) => license.status },
  { header: 'Precio', value: (license) => license.price },
  { header: 'Precio Original', value: (license) => license.original_price },
  { header: 'Descuento (%)', value: (license) => license.discount_percentage },
  { header: 'Nombre de Promoción', value: (license) => license.promotion_name },
  { header: 'Descripción de Promoción', value: (license) => license.promotion_description },
  { header: 'Instalaciones', value: (license) => license.current_installations },
  { header: 'Máximo de Instalaciones', value: (license) => license.max_installations },
  { header: 'Fecha de Emisión', value: (license) => license.issued_date },
  { header: 'Días de Expiración', value: (license) => license.expiry_days },
  { header: 'Fecha de Expiración', value: (license) => license.expiry_date },
  { header: 'Notas', value: (license) => license.notes },
  // Last, so that each earlier column keeps its place.
  { header: 'Moneda', value: (license) => license.currency },
  { header: 'Identificador Externo', value: (license) => license.external_id },
  { header: 'Días de gracia', value: (license) => license.grace_days },
  { header: 'Días sin conexión', value: (license) => license.offline_days },
  { header: 'Características', value: (license) => JSON.stringify(license.features) },
  { header: 'Asientos', value: (license) => license.seat_mode },
  { header: 'Minutos de préstamo', value: (license) => license.lease_minutes },
  { header: 'Liberación por el programa', value: (license) => license.self_release },
  // An import would leave an empty cell to the type.
  { header: 'Liberaciones por mes', value: (license) => license.releases_per_month ?? UNLIMITED },
];
