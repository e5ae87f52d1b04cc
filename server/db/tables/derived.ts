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

/** How many licences each client has. Only triggers write here. */
export type LicensesOfClientsTable = { client_id: number; n: number };

/** When a licence was active: until `left_at`, its end while it lasts. Only triggers write here (decision 040). */
export type LicenseSpansTable = Pick<LicensesTable, 'software_id' | 'currency'> & {
  id: Generated<number>;
  license_id: number;
  came_at: string;
  left_at: string | null;
};

/** The licences that were issued as trials; one without `converted_at` is lost at `ended_at`. Only triggers write here. */
export type LicenseTrialsTable = Pick<LicensesTable, 'software_id' | 'currency'> & {
  license_id: number;
  begun_at: string;
  converted_at: string | null;
  ended_at: string | null;
};

/** Figures of reports that read many rows, by what was asked for; '' is all (features/reports/kept-figures.ts). */
export type ReportFiguresTable = {
  part: string;
  software: string;
  currency: string;
  from: string;
  to: string;
  as_of: string;
  /** JSON. */
  figures: string;
  /** When somebody last asked for them. */
  asked_at: string;
};

export type DaySource = 'licenses' | 'license_terms' | 'license_spans';

/** Counts and prices of facts by day of UTC, of the rows that {@link DayStateTable} names (features/dashboard/day-facts.ts). */
export type DaySumsTable = {
  fact: string;
  /** 0 for all software. */
  software_id: number;
  day: string;
  currency: string;
  n: number;
  cents: number;
};

/** Changes of rows that the sums hold; a job adds them to the sums. Only triggers write here. */
export type DayChangesTable = Pick<DaySumsTable, 'fact' | 'software_id' | 'currency' | 'n' | 'cents'> & {
  id: Generated<number>;
  source: DaySource;
  row_id: number;
  at: string;
};

/** The ids up to which the sums hold the rows of a table, and up to which triggers note changes. */
export type DayStateTable = { source: DaySource; kept: number; watched: number };

export type DerivedTables = {
  row_counts: RowCountsTable;
  full_licenses: FullLicensesTable;
  licenses_of_clients: LicensesOfClientsTable;
  license_spans: LicenseSpansTable;
  license_trials: LicenseTrialsTable;
  report_figures: ReportFiguresTable;
  day_sums: DaySumsTable;
  day_changes: DayChangesTable;
  day_state: DayStateTable;
};
