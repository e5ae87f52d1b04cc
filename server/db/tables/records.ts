import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { ClientStatus, ClientType } from '../../../contract/clients/clients.ts';
import type { CfdiUse, TaxCondition, TaxRegime } from '../../../contract/clients/tax-catalogues.ts';
import type { LicenseCategory, LicenseStatus } from '../../../contract/licenses/licenses.ts';
import type { SeatMode } from '../../../contract/licenses/seats.ts';
import type { StartMode } from '../../../contract/licenses/start.ts';
import type { TrialEmail } from '../../../contract/programs/trial-terms.ts';
import { answeredColumns, column, flag, flagsOf, inner, type TableOf } from './column.ts';

const CLIENTS = {
  id: column<Generated<number>>(),
  name: column<string>(),
  /** Sort key of the name (textOrder). */
  name_order: inner<string>(),
  email: column<string>(),
  /** Lower-case form of email, unique (D097). */
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
  /** Its id in another system of the vendor, unique (API-01). */
  external_id: column<Generated<string | null>>(),
  /** The one client of trials without a known mail (SELL-04). */
  is_system: flag<Generated<boolean>>(),
  search_text: inner<string>(),
  /** When the client last signed in to the portal; no change of the record (PORTAL-08). */
  portal_last_sign_in: inner<Generated<string | null>>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type ClientsTable = TableOf<typeof CLIENTS>;

const SOFTWARE = {
  id: column<Generated<number>>(),
  name: column<string>(),
  name_order: column<string>(),
  version: column<string>(),
  /** Normalized name and version, unique (D098). */
  identity_key: column<string>(),
  /** By which shipped programs name it; its versions share it, and no change of the name changes it. */
  code: column<string>(),
  description: column<string>(),
  is_active: flag(),
  /** What a program may start without an account (SELL-04). */
  trial_type_id: column<Generated<number | null>>(),
  trial_email: column<Generated<TrialEmail>>(),
  trial_daily_limit: column<Generated<number>>(),
  /** Whether the public catalogue has it (SELL-06). */
  is_public: flag<Generated<boolean>>(),
  search_text: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type SoftwareTable = TableOf<typeof SOFTWARE>;

/** What a licence has from its type at issue. */
const INHERITED = {
  grace_days: column<Generated<number>>(),
  offline_days: column<Generated<number>>(),
  /** JSON: the features by code. */
  features: column<Generated<string>>(),
  /** JSON: the meters by code. */
  meters: column<Generated<string>>(),
  seat_mode: column<Generated<SeatMode>>(),
  /** Null exactly with fixed seats. */
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
  currency: column<Generated<Currency>>(),
  max_installations: column<number>(),
  validity_days: column<number>(),
  ...INHERITED,
  /** Days of updates from the start of a licence; null: for ever (SELL-02). */
  updates_days: column<Generated<number | null>>(),
  is_promotion: flag(),
  promotion_name: column<string>(),
  promotion_description: column<string>(),
  discount_percentage: column<number | null>(),
  promotion_start_date: column<string | null>(),
  promotion_end_date: column<string | null>(),
  is_active: flag(),
  /** Whether the public catalogue has it (SELL-06). */
  is_public: flag<Generated<boolean>>(),
  search_text: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type LicenseTypesTable = TableOf<typeof LICENSE_TYPES>;

const LICENSES = {
  id: column<Generated<number>>(),
  license_key: column<string>(),
  client_id: column<number>(),
  software_id: column<number>(),
  /** The catalogue type; null after its deletion, while the terms stay (D013). */
  license_type_id: column<number | null>(),
  license_type: column<LicenseCategory>(),
  status: column<LicenseStatus>(),
  price_cents: column<number>(),
  currency: column<Generated<Currency>>(),
  original_price_cents: column<number | null>(),
  discount_percentage: column<number>(),
  promotion_name: column<string>(),
  promotion_description: column<string>(),
  max_installations: column<number>(),
  /** Always the number of its rows in `installations`; both change under the same lock. */
  current_installations: column<number>(),
  expiry_days: column<number | null>(),
  issued_date: column<string>(),
  expiry_date: column<string | null>(),
  ...INHERITED,
  /** The last local day whose builds it may run; null: any build (SELL-02). */
  updates_until: column<Generated<string | null>>(),
  /** Until when it may wait for its first activation; null once its clock runs (SELL-01). */
  activate_by: column<Generated<string | null>>(),
  /** The days of updates that begin with its clock; null where it has none, or runs. */
  pending_updates_days: inner<Generated<number | null>>(),
  /** What its last maintenance cost, for the report of renewals; null before the first. */
  maintenance_cents: inner<Generated<number | null>>(),
  maintenance_currency: inner<Generated<Currency | null>>(),
  /** The local month in which its programs last released fixed seats, and how many (PROG-06). */
  released_month: inner<Generated<string | null>>(),
  released_in_month: inner<Generated<number>>(),
  notes: column<string>(),
  /** Its id in another system of the vendor, unique (API-01). */
  external_id: column<Generated<string | null>>(),
  /** The mail that somebody gave for this trial and a client has already (SELL-04). */
  trial_email: column<Generated<string | null>>(),
  /** Since when it is suspended, and its status before; null otherwise. */
  suspended_at: inner<Generated<string | null>>(),
  suspended_from: inner<Generated<LicenseStatus | null>>(),
  search_text: inner<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
};
export type LicensesTable = TableOf<typeof LICENSES>;

const INSTALLATIONS = {
  id: column<Generated<number>>(),
  license_id: column<number>(),
  machine_id: column<string>(),
  machine_name: column<string>(),
  mac_address: column<string>(),
  ip_address: column<string>(),
  installation_date: column<string>(),
  last_heartbeat: column<string | null>(),
  notes: column<string>(),
  /** When it last said other facts about itself; null while they are those of its activation (API-01). */
  changed_at: column<Generated<string | null>>(),
  /** What the program reported last; '' where it reported nothing. */
  app_version: column<Generated<string>>(),
  os: column<Generated<string>>(),
  search_text: column<Generated<string>>(),
  /** Until when it may work by its last token, without connection; null where it never asked for one. */
  token_until: column<Generated<string | null>>(),
  /** A day of UTC on which it was heard, at most the last one ('' before any): its index finds the silent ones. */
  heard_on: inner<Generated<string>>(),
  /** Until when its last offline file holds; null without one (PORTAL-05). */
  file_until: column<Generated<string | null>>(),
};
export type InstallationsTable = TableOf<typeof INSTALLATIONS>;

/**
 * A day of UTC on which a machine of the licence was heard, at most the last one: '' once a machine has left, until
 * another is heard. Licences that never had a machine have no row.
 */
export type LicenseHeardTable = { license_id: number; heard_on: string };

/** Seats that were given back while a token of their machine still held (PROG-06). */
export type ReleasedSeatsTable = {
  id: Generated<number>;
  license_id: number;
  machine_id: string;
  holds_until: string;
};

export type RecordTables = {
  clients: ClientsTable;
  software: SoftwareTable;
  license_types: LicenseTypesTable;
  licenses: LicensesTable;
  installations: InstallationsTable;
  released_seats: ReleasedSeatsTable;
  license_heard: LicenseHeardTable;
};

/** The columns of a client in an answer. */
export const CLIENT_COLUMNS = answeredColumns(CLIENTS);
/** The columns of a licence type. */
export const LICENSE_TYPE_COLUMNS = answeredColumns(LICENSE_TYPES);
/** The columns of a licence in an answer. */
export const LICENSE_COLUMNS = answeredColumns(LICENSES);

export const RECORD_FLAGS = flagsOf(CLIENTS, SOFTWARE, LICENSE_TYPES, LICENSES, INSTALLATIONS);
