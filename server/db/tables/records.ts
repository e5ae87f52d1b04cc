import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { ClientStatus, ClientType } from '../../../contract/clients/clients.ts';
import type { CfdiUse, TaxCondition, TaxRegime } from '../../../contract/clients/tax-catalogues.ts';
import type { LicenseCategory, LicenseStatus } from '../../../contract/licenses/licenses.ts';
import type { SeatMode } from '../../../contract/licenses/seats.ts';

export type ClientsTable = {
  id: Generated<number>;
  name: string;
  /** Sort key of the name (textOrder). */
  name_order: string;
  email: string;
  /** Lower-case form of email, unique (D097). */
  email_key: string;
  company: string;
  company_order: string;
  phone: string;
  phone_secondary: string;
  address: string;
  city: string;
  state: string;
  country: string;
  postal_code: string;
  client_type: ClientType;
  status: ClientStatus;
  contact_person: string;
  contact_position: string;
  tax_id: string;
  website: string;
  notes: string;
  last_contact: string | null;
  /** False for a client who wants no reminders (LIFE-08). */
  reminders: Generated<boolean>;
  tax_regime: Generated<TaxRegime | ''>;
  cfdi_use: Generated<CfdiUse | ''>;
  tax_condition: Generated<TaxCondition | ''>;
  /** Its id in another system of the vendor, unique (API-01). */
  external_id: Generated<string | null>;
  search_text: string;
  created_at: string;
  updated_at: string;
};

export type SoftwareTable = {
  id: Generated<number>;
  name: string;
  name_order: string;
  version: string;
  /** Normalized name and version, unique (D098). */
  identity_key: string;
  /** By which shipped programs name it; its versions share it, and no change of the name changes it. */
  code: string;
  description: string;
  is_active: boolean;
  search_text: string;
  created_at: string;
  updated_at: string;
};

export type LicenseTypesTable = {
  id: Generated<number>;
  name: string;
  name_order: string;
  description: string;
  base_price_cents: number;
  currency: Generated<Currency>;
  max_installations: number;
  validity_days: number;
  grace_days: Generated<number>;
  offline_days: Generated<number>;
  /** JSON: the features by code. */
  features: Generated<string>;
  seat_mode: Generated<SeatMode>;
  /** Null exactly with fixed seats. */
  lease_minutes: Generated<number | null>;
  self_release: Generated<boolean>;
  releases_per_month: Generated<number | null>;
  is_promotion: boolean;
  promotion_name: string;
  promotion_description: string;
  discount_percentage: number | null;
  promotion_start_date: string | null;
  promotion_end_date: string | null;
  is_active: boolean;
  search_text: string;
  created_at: string;
  updated_at: string;
};

export type LicensesTable = {
  id: Generated<number>;
  license_key: string;
  client_id: number;
  software_id: number;
  /** The catalogue type; null after its deletion, while the terms stay (D013). */
  license_type_id: number | null;
  license_type: LicenseCategory;
  status: LicenseStatus;
  price_cents: number;
  currency: Generated<Currency>;
  original_price_cents: number | null;
  discount_percentage: number;
  promotion_name: string;
  promotion_description: string;
  max_installations: number;
  /** Always the number of its rows in `installations`; both change under the same lock. */
  current_installations: number;
  expiry_days: number | null;
  issued_date: string;
  expiry_date: string | null;
  grace_days: Generated<number>;
  offline_days: Generated<number>;
  /** JSON: the features by code. */
  features: Generated<string>;
  seat_mode: Generated<SeatMode>;
  /** Null exactly with fixed seats. */
  lease_minutes: Generated<number | null>;
  self_release: Generated<boolean>;
  releases_per_month: Generated<number | null>;
  /** The local month in which its programs last released fixed seats, and how many (PROG-06). */
  released_month: Generated<string | null>;
  released_in_month: Generated<number>;
  notes: string;
  /** Its id in another system of the vendor, unique (API-01). */
  external_id: Generated<string | null>;
  /** Since when it is suspended, and its status before; null otherwise. */
  suspended_at: Generated<string | null>;
  suspended_from: Generated<LicenseStatus | null>;
  search_text: string;
  created_at: string;
  updated_at: string;
};

export type InstallationsTable = {
  id: Generated<number>;
  license_id: number;
  machine_id: string;
  machine_name: string;
  mac_address: string;
  ip_address: string;
  installation_date: string;
  last_heartbeat: string | null;
  notes: string;
  /** When it last said other facts about itself; null while they are those of its activation (API-01). */
  changed_at: Generated<string | null>;
  /** What the program reported last; '' where it reported nothing. */
  app_version: Generated<string>;
  os: Generated<string>;
  search_text: Generated<string>;
  /** Until when it may work by its last token, without connection; null where it never asked for one. */
  token_until: Generated<string | null>;
  /** Until when its last offline file holds; null without one (PORTAL-05). */
  file_until: Generated<string | null>;
};

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
};
