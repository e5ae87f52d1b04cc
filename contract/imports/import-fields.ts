import { CLIENT_FILE } from '../clients/clients.file.ts';
import { LICENSE_FILE } from '../licenses/licenses.file.ts';
import { SOFTWARE_FILE } from '../software/software.file.ts';
import { columnsOf, type ImportField, importedOf } from './import-cells.ts';

export type { CellForm, FlagMeaning, ImportField } from './import-cells.ts';

/**
 * The columns of each kind's files: which fields an import accepts, how it recognises headers, what an export writes
 * (IMPORT-01).
 */

export const IMPORT_KINDS = ['clients', 'software', 'licenses'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The fields that an import accepts for each kind, in the order in which they are offered. */
export const IMPORT_FIELDS: Record<ImportKind, readonly ImportField[]> = {
  clients: importedOf(CLIENT_FILE),
  software: importedOf(SOFTWARE_FILE),
  licenses: importedOf(LICENSE_FILE),
};

/** The columns of each export. */
export const EXPORT_COLUMNS = {
  clients: columnsOf(
    CLIENT_FILE,
    `id name email company client_type status phone phone_secondary address city state country postal_code contact_person
  contact_position tax_id website last_contact notes license_count active_license_count installation_count created_at`,
  ),
  software: columnsOf(SOFTWARE_FILE, 'id name version description is_active active_licenses_count'),
  licenses: columnsOf(
    LICENSE_FILE,
    `id license_key client_name client software software_version license_type license_type_config status situation price
    original_price discount_percentage promotion_name promotion_description current_installations max_installations
    issued_date expiry_days expiry_date notes currency external_id`,
  ),
};
