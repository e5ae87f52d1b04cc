import type { Generated } from 'kysely';
import type { LicensesTable } from './records.ts';

/** The kept counts: the rows of a table, or licences by software or type (kept-counts.ts). */
export type CountsName =
  | 'clients'
  | 'licenses'
  | 'installations'
  | 'licenses_by_software'
  | 'licenses_by_type';

/** Row counts by status and kind; the count is the sum over the slots. Only triggers write here. */
export type RowCountsTable = {
  table_name: CountsName;
  status: string;
  kind: string;
  slot: number;
  n: number;
};

/**
 * The licences with a machine on each seat. A licence that is full again has a new, larger id. Only triggers write here.
 */
export type FullLicensesTable = Pick<LicensesTable, 'status' | 'expiry_date'> & {
  id: Generated<number>;
  license_id: number;
};

export type KeptTables = {
  row_counts: RowCountsTable;
  full_licenses: FullLicensesTable;
};
