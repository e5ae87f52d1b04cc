import type { Client } from '../../../contract/clients/clients.ts';
import type { CsvColumn } from '../../lib/csv.ts';

/** Values keep their API names, so that the file can be imported again. */
export const clientCsvColumns: CsvColumn<Client>[] = [
  { header: 'ID', value: (client) => client.id },
  { header: 'Nombre', value: (client) => client.name },
  { header: 'Email', value: (client) => client.email },
  { header: 'Empresa', value: (client) => client.company },
  { header: 'Tipo de Cliente', value: (client) => client.client_type },
  { header: 'Estado', value: (client) => client.status },
  { header: 'Teléfono Principal', value: (client) => client.phone },
  { header: 'Teléfono Secundario', value: (client) => client.phone_secondary },
  { header: 'Dirección', value: (client) => client.address },
  { header: 'Ciudad', value: (client) => client.city },
  { header: 'Estado/Provincia', value: (client) => client.state },
  { header: 'País', value: (client) => client.country },
  { header: 'Código Postal', value: (client) => client.postal_code },
  { header: 'Persona de Contacto', value: (client) => client.contact_person },
  { header: 'Cargo', value: (client) => client.contact_position },
  { header: 'RFC/CUIT', value: (client) => client.tax_id },
  { header: 'Sitio Web', value: (client) => client.website },
  { header: 'Último Contacto', value: (client) => client.last_contact },
  { header: 'Notas', value: (client) => client.notes },
  { header: 'Licencias', value: (client) => client.license_count },
  { header: 'Licencias Activas', value: (client) => client.active_license_count },
  { header: 'Instalaciones', value: (client) => client.installation_count },
  { header: 'Registro', value: (client) => client.created_at },
  { header: 'Régimen Fiscal', value: (client) => client.tax_regime },
  { header: 'Uso de CFDI', value: (client) => client.cfdi_use },
  { header: 'Condición frente al IVA', value: (client) => client.tax_condition },
  { header: 'Identificador Externo', value: (client) => client.external_id },
  { header: 'Recibe avisos', value: (client) => client.reminders },
];
