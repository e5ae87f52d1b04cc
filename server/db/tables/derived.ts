import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { LicensesTable } from './records.ts';

/** The stored counts: rows of a table, or licences by software or by type (kept-counts.ts). */
export type CountsName =
  | 'clients'
  | 'licenses'
  | 'installations'
  | 'licenses_by_software'
  | 'licenses_by_type';

/** Row counts by status and kind; the count is the sum over the slots. Only triggers write here. */
type RowCountsTable = {
  table_name: CountsName;
  status: string;
  kind: string;
  slot: number;
  n: number;
};

/**
 * The licences whose seats are all taken. When a licence becomes full again, it gets a new row with a larger id. Only
 * triggers write here.
 */
type FullLicensesTable = Pick<LicensesTable, 'status' | 'expiry_date'> & {
  id: Generated<number>;
  license_id: number;
};

/** The number of licences of each client. Only triggers write here. */
type LicensesOfClientsTable = { client_id: number; n: number };

/**
 * The periods in which a licence was active. `left_at` of the current period is the licence's end. Only triggers
 * write here (decision 040).
 */
type LicenseSpansTable = Pick<LicensesTable, 'software_id' | 'currency'> & {
  id: Generated<number>;
  license_id: number;
  came_at: string;
  left_at: string | null;
};

/**
 * The licences that were issued as trials. One that has no `converted_at` counts as lost at `ended_at`. Only triggers
 * write here.
 */
type LicenseTrialsTable = Pick<LicensesTable, 'software_id' | 'currency'> & {
  license_id: number;
  begun_at: string;
  converted_at: string | null;
  ended_at: string | null;
};

/**
 * Stored figures of reports that read many rows, one row for each combination of filters; '' means no filter
 * (features/figures/stored-figures.ts).
 */
type ReportFiguresTable = {
  part: string;
  software: string;
  currency: string;
  from: string;
  to: string;
  as_of: string;
  /** JSON. */
  figures: string;
  /** When somebody last requested these figures. */
  asked_at: string;
};

/**
 * What came in with payments, and what went back, each on its own day and by the lines of its request. Only triggers
 * write here (docs/decisions/158-money-by-day.md).
 */
type PaymentMovesTable = {
  id: Generated<number>;
  payment_id: number;
  line_id: number;
  /** -1 if it is not known: the licence was deleted before payments kept it. */
  software_id: number;
  currency: string;
  at: string;
  /** Negative for what went back. */
  amount_cents: number;
};

export type DaySource = 'licenses' | 'license_terms' | 'license_spans' | 'payment_moves';

/**
 * Counts and sums of amounts by kind of fact and day in UTC, for the rows up to `kept` in {@link DayStateTable}
 * (features/figures/day-facts.ts).
 */
type DaySumsTable = {
  fact: string;
  /** 0 for the sum over all software. */
  software_id: number;
  day: string;
  currency: string;
  n: number;
  cents: number;
};

/**
 * Changes to rows that are already included in the sums; a job adds these changes to the sums. Only triggers write
 * here.
 */
type DayChangesTable = Pick<DaySumsTable, 'fact' | 'software_id' | 'currency' | 'n' | 'cents'> & {
  id: Generated<number>;
  source: DaySource;
  row_id: number;
  at: string;
};

/**
 * For each source table: `kept` is the id up to which the sums include its rows, `watched` the id up to which
 * triggers record changes.
 */
type DayStateTable = { source: DaySource; kept: number; watched: number };

/**
 * What the recurring revenue of clients did on each day, in minor units (features/reports/recurring/). Of the day, and
 * of the movements of its month up to it: only sums over the days of a month have a meaning.
 */
type RecurringDaysTable = {
  /** 0 for the sum over all software. */
  software_id: number;
  currency: Currency;
  day: string;
  new: number;
  expansion: number;
  contraction: number;
  churned: number;
  reactivated: number;
  clients: number;
};

/** What {@link RecurringDaysTable} holds of each client. `recurring`: JSON. */
type RecurringClientsTable = { client_id: number; recurring: string };

/** The clients whose terms changed since; any number of rows for one client. Only triggers write here. */
type RecurringChangesTable = { id: Generated<number>; client_id: number };

/** One row: how far the sums reach. */
type RecurringStateTable = {
  id: number;
  /** The time zone of the days; '' before the first run. */
  zone: string;
  /** The clients up to this id are in the sums, all of them once `is_built`. */
  built_to: number;
  is_built: boolean;
  /** Counts the changes of the sums, so that a reader sees whether they changed while it read. */
  steps: number;
  /** When the sums last held every change; null before they first did. */
  as_of: string | null;
};

export type DerivedTables = {
  row_counts: RowCountsTable;
  full_licenses: FullLicensesTable;
  licenses_of_clients: LicensesOfClientsTable;
  license_spans: LicenseSpansTable;
  license_trials: LicenseTrialsTable;
  report_figures: ReportFiguresTable;
  payment_moves: PaymentMovesTable;
  day_sums: DaySumsTable;
  day_changes: DayChangesTable;
  day_state: DayStateTable;
  recurring_days: RecurringDaysTable;
  recurring_clients: RecurringClientsTable;
  recurring_changes: RecurringChangesTable;
  recurring_state: RecurringStateTable;
};
