import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { ClientField, ClientStatus, ClientType } from '../../../contract/clients/clients.fields.ts';
import type { CfdiUse, TaxCondition, TaxRegime } from '../../../contract/clients/tax-catalogues.ts';
import type { LicenseTypeField } from '../../../contract/license-types/license-types.fields.ts';
import type {
  LicenseCategory,
  LicenseField,
  LicenseStatus,
} from '../../../contract/licenses/licenses.fields.ts';
import type { SeatMode } from '../../../contract/licenses/seats.ts';
import type { StartMode } from '../../../contract/licenses/start.ts';
import type { TrialEmail } from '../../../contract/programs/trial-terms.ts';
import type { SoftwareField } from '../../../contract/software/software.fields.ts';
import { answeredColumns, type Column, column, flag, flagsOf, inner, type TableOf } from './column.ts';

/** Fields whose column is called otherwise: references end in `_id`, amounts in `_cents`. */
type Renamed = {
  client: 'client_id';
  software: 'software_id';
  license_type_config: 'license_type_id';
  trial_type: 'trial_type_id';
  price: 'price_cents';
  original_price: 'original_price_cents';
  base_price: 'base_price_cents';
  renewal_price: 'renewal_price_cents';
};

/** The table of a kind, with a column for each of its fields. A missing one does not compile. */
type TableOfKind<
  Table extends Record<Field extends keyof Renamed ? Renamed[Field] : Field, Column<unknown>>,
  Field extends string,
> = TableOf<Table>;

const CLIENTS = {
  id: column<Generated<number>>(),
  name: column<string>(),
  /** The sort key of the name (textOrder). */
  name_order: inner<string>(),
  email: column<string>(),
  /** The email in lower case, unique (D097). */
  email_key: inner<string>(),
  company: column<string>(),
  company_order: inner<string>(),
  phone: column<string>(),
  phone_secondary: column<string>(),
  address: column<string>(),
  city: column<string>(),
  state: column<string>(),
  country: column<string>(),
  postal_code: column<string>(),
  client_type: column<ClientType>(),
  status: column<ClientStatus>(),
  contact_person: column<string>(),
  contact_position: column<string>(),
  tax_id: column<string>(),
  website: column<string>(),
  notes: column<string>(),
  last_contact: column<string | null>(),
  /** False for a client who wants no reminders (LIFE-08). */
  reminders: flag<Generated<boolean>>(),
  tax_regime: column<Generated<TaxRegime | ''>>(),
  cfdi_use: column<Generated<CfdiUse | ''>>(),
  tax_condition: column<Generated<TaxCondition | ''>>(),
  /** JSON: the contacts (DESK-04). */
  contacts: column<Generated<string>>(),
  /** The client's id in another system of the vendor, unique (API-01). */
  external_id: column<Generated<string | null>>(),
  /** JSON: the tags, each spelled as in the table `tags`. Triggers keep client_tags by it. */
  tags: column<Generated<string>>(),
  /** True for the one client that holds the trials without a known email address (SELL-04). */
  is_system: flag<Generated<boolean>>(),
  /**
   * False while only somebody who started a trial wrote the address (SELL-04). A sign-in to the portal and a transfer
   * change it without a new version of the record.
   */
  email_verified: flag<Generated<boolean>>(),
  search_text: inner<string>(),
  /**
   * When the client last signed in to the portal. It is not part of the record: it changes no version and has no
   * event (PORTAL-08).
   */
  portal_last_sign_in: inner<Generated<string | null>>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type ClientsTable = TableOfKind<typeof CLIENTS, ClientField>;

const SOFTWARE = {
  id: column<Generated<number>>(),
  name: column<string>(),
  name_order: column<string>(),
  version: column<string>(),
  /** The normalized name and version, unique (D098). */
  identity_key: column<string>(),
  /**
   * The name by which installed programs refer to the software. All its versions share the code, and it does not
   * change with the name.
   */
  code: column<string>(),
  description: column<string>(),
  is_active: flag(),
  /** The type of the trial that a program may start without an account (SELL-04). */
  trial_type_id: column<Generated<number | null>>(),
  trial_email: column<Generated<TrialEmail>>(),
  trial_daily_limit: column<Generated<number>>(),
  /** Whether the public catalogue shows it (SELL-06). */
  is_public: flag<Generated<boolean>>(),
  search_text: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type SoftwareTable = TableOfKind<typeof SOFTWARE, SoftwareField>;

/** The columns that a licence copies from its type at issue. */
const INHERITED = {
  grace_days: column<Generated<number>>(),
  offline_days: column<Generated<number>>(),
  /** JSON: the features by code. */
  features: column<Generated<string>>(),
  /** JSON: the meters by code. */
  meters: column<Generated<string>>(),
  seat_mode: column<Generated<SeatMode>>(),
  /** Null if and only if seats are fixed. */
  lease_minutes: column<Generated<number | null>>(),
  self_release: flag<Generated<boolean>>(),
  releases_per_month: column<Generated<number | null>>(),
  start_mode: column<Generated<StartMode>>(),
  activate_by_days: column<Generated<number>>(),
};

const LICENSE_TYPES = {
  id: column<Generated<number>>(),
  name: column<string>(),
  name_order: column<string>(),
  description: column<string>(),
  base_price_cents: column<number>(),
  /** What a renewal with the same type asks; null: the type's price, with its promotion (MONEY-07). */
  renewal_price_cents: column<Generated<number | null>>(),
  currency: column<Generated<Currency>>(),
  max_installations: column<number>(),
  validity_days: column<number>(),
  /** Null: its terms count in days (MONEY-10). */
  validity_months: column<Generated<number | null>>(),
  ...INHERITED,
  /** Days of updates from the start of a licence; null for no end (SELL-02). */
  updates_days: column<Generated<number | null>>(),
  is_promotion: flag(),
  promotion_name: column<string>(),
  promotion_description: column<string>(),
  discount_percentage: column<number | null>(),
  promotion_start_date: column<string | null>(),
  promotion_end_date: column<string | null>(),
  is_active: flag(),
  /** Whether the public catalogue shows it (SELL-06). */
  is_public: flag<Generated<boolean>>(),
  search_text: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type LicenseTypesTable = TableOfKind<typeof LICENSE_TYPES, LicenseTypeField>;

const LICENSES = {
  id: column<Generated<number>>(),
  license_key: column<string>(),
  client_id: column<number>(),
  software_id: column<number>(),
  /** The licence type; null after it was deleted, while the licence's terms stay (D013). */
  license_type_id: column<number | null>(),
  license_type: column<LicenseCategory>(),
  status: column<LicenseStatus>(),
  price_cents: column<number>(),
  /** True if nobody pays for the newest term, whose price then is 0 (MONEY-09). */
  complimentary: flag<Generated<boolean>>(),
  currency: column<Generated<Currency>>(),
  original_price_cents: column<number | null>(),
  discount_percentage: column<number>(),
  promotion_name: column<string>(),
  promotion_description: column<string>(),
  max_installations: column<number>(),
  /** Always the number of the licence's rows in `installations`; both change under the same lock. */
  current_installations: column<number>(),
  expiry_days: column<number | null>(),
  /** The months of the present term; null where it counts in days (MONEY-10). */
  expiry_months: column<Generated<number | null>>(),
  issued_date: column<string>(),
  expiry_date: column<string | null>(),
  ...INHERITED,
  /** The last local day of updates: the licence may run builds up to this day; null for any build (SELL-02). */
  updates_until: column<Generated<string | null>>(),
  /** The last moment for the first activation; null after it, and for licences that start at issue (SELL-01). */
  activate_by: column<Generated<string | null>>(),
  /** The days of updates that will begin at the first activation; null if there are none, or after it. */
  pending_updates_days: inner<Generated<number | null>>(),
  /** The price of the last maintenance, for the report of renewals; null before the first. */
  maintenance_cents: inner<Generated<number | null>>(),
  maintenance_currency: inner<Generated<Currency | null>>(),
  /** How many of the seats were bought with add_seats; a renewal asks their price too (MONEY-08). */
  bought_seats: inner<Generated<number>>(),
  /** The local month in which its programs last released fixed seats, and the number of releases in it (PROG-06). */
  released_month: inner<Generated<string | null>>(),
  released_in_month: inner<Generated<number>>(),
  notes: column<string>(),
  /** The licence's id in another system of the vendor, unique (API-01). */
  external_id: column<Generated<string | null>>(),
  /** JSON, as those of clients; triggers keep license_tags. */
  tags: column<Generated<string>>(),
  /** The email address that somebody entered for this trial, if a client already has it (SELL-04). */
  trial_email: column<Generated<string | null>>(),
  /** When the licence was suspended, and its status before; null if it is not suspended. */
  suspended_at: inner<Generated<string | null>>(),
  suspended_from: inner<Generated<LicenseStatus | null>>(),
  search_text: inner<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type LicensesTable = TableOfKind<typeof LICENSES, LicenseField>;

const INSTALLATIONS = {
  id: column<Generated<number>>(),
  license_id: column<number>(),
  /** As the machine last sent it. */
  machine_id: column<string>(),
  /** The folded id, by which the machine is found (INPUT-09). */
  machine_key: inner<string>(),
  machine_name: column<string>(),
  mac_address: column<string>(),
  ip_address: column<string>(),
  installation_date: column<string>(),
  last_heartbeat: column<string | null>(),
  notes: column<string>(),
  /** When the machine last reported other facts than at its activation; null if it never did (API-01). */
  changed_at: column<Generated<string | null>>(),
  /** The last report of the program; '' if it reported nothing. */
  app_version: column<Generated<string>>(),
  os: column<Generated<string>>(),
  search_text: column<Generated<string>>(),
  /** The time until which its last token lets it work without connection; null if it never got one. */
  token_until: column<Generated<string | null>>(),
  /**
   * The day in UTC of a call from this machine: the last one, or an earlier day ('' before the first call). Its index
   * finds machines that no longer call.
   */
  heard_on: inner<Generated<string>>(),
  /** The end of its last offline file; null without one (PORTAL-05). */
  file_until: column<Generated<string | null>>(),
};
export type InstallationsTable = TableOf<typeof INSTALLATIONS>;

/**
 * The day in UTC of a call from a machine of the licence: the last one, or an earlier day. It becomes '' when a
 * machine leaves, until another one calls. Licences that never had a machine have no row.
 */
type LicenseLastSignalsTable = { license_id: number; heard_on: string };

/** Seats that were released while a token of their machine was still valid (PROG-06). */
type ReleasedSeatsTable = {
  id: Generated<number>;
  license_id: number;
  machine_id: string;
  /** As in {@link InstallationsTable}. */
  machine_key: string;
  /** Until when its last token or file holds; not later than its release if nothing holds. */
  holds_until: string;
  /** Its last heartbeat or its activation; null in rows of an older version. */
  heard_at: string | null;
};

export type RecordTables = {
  clients: ClientsTable;
  software: SoftwareTable;
  license_types: LicenseTypesTable;
  licenses: LicensesTable;
  installations: InstallationsTable;
  released_seats: ReleasedSeatsTable;
  license_last_signals: LicenseLastSignalsTable;
};

/** The columns of a client that an answer contains. */
export const CLIENT_COLUMNS = answeredColumns(CLIENTS);
/** The columns of a licence type that an answer contains. */
export const LICENSE_TYPE_COLUMNS = answeredColumns(LICENSE_TYPES);
/** The columns of a licence that an answer contains. */
export const LICENSE_COLUMNS = answeredColumns(LICENSES);

export const RECORD_FLAGS = flagsOf(CLIENTS, SOFTWARE, LICENSE_TYPES, LICENSES, INSTALLATIONS);
