import type { Generated, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { ClientStatus, ClientType } from '../../contract/clients.ts';
import type { ActorKind, EventType } from '../../contract/events.ts';
import type { LicenseCategory, LicenseStatus } from '../../contract/licenses.ts';

/**
 * Every table, in one place. Instants are ISO 8601 texts in UTC on this side of the driver, days are 'AAAA-MM-DD',
 * money is whole cents, truth values are booleans; dialect.ts sees to it on both engines.
 */

export type UsersTable = {
  id: Generated<number>;
  username: string;
  /** Lower-case form, unique: names that differ in case alone are one name. */
  username_key: string;
  password_hash: string;
  names: string;
  last_name: string;
  email: string;
  is_active: boolean;
  created_at: string;
};

/** One sign-in. Its tokens come and go; ending it ends them all (D007, D008). */
export type SessionsTable = {
  id: Generated<number>;
  user_id: number;
  created_at: string;
  /** Absolute: twelve hours after sign-in, however often it is refreshed. */
  expires_at: string;
  /** Also set by a trigger, when the user is deactivated. */
  revoked_at: string | null;
};

export type TokensTable = {
  /** SHA-256 of the token, hexadecimal; the token itself is stored nowhere. */
  hash: string;
  session_id: number;
  kind: 'access' | 'refresh';
  expires_at: string;
  /** When a refresh token was exchanged; access tokens never set it. */
  used_at: string | null;
  /** The hash of the refresh token that this one was given for; null for the first of a session, and for access tokens. */
  parent: string | null;
};

/** Counters of failures, shared by all replicas. A row counts until `window_ends_at`. */
export type ThrottlesTable = {
  key: string;
  count: number;
  window_ends_at: string;
  /** Tries whose outcome is not known yet; forgotten after `under_way_until`, when who made them must have died. */
  under_way: Generated<number>;
  under_way_until: string | null;
};

export type ClientsTable = {
  id: Generated<number>;
  name: string;
  /** Name in the form in which it is put in order (textOrder). */
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
  search_text: string;
  created_at: string;
  updated_at: string;
};

export type SoftwareTable = {
  id: Generated<number>;
  name: string;
  name_order: string;
  version: string;
  /** Name and version in the form in which they are compared, unique (D098). */
  identity_key: string;
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
  max_installations: number;
  validity_days: number;
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
  /** The catalogue type; null once that is deleted, the terms stay (D013). */
  license_type_id: number | null;
  license_type: LicenseCategory;
  status: LicenseStatus;
  price_cents: number;
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
  notes: string;
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
  search_text: Generated<string>;
};

/** Mail that is to leave, written in the transaction of what it tells of (promises: Mail). */
export type OutboxTable = {
  id: Generated<number>;
  license_id: number | null;
  message_id: string;
  to_name: string;
  to_address: string;
  subject: string;
  body_text: string;
  body_html: string;
  status: 'queued' | 'sent' | 'failed';
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
};

/** What happened; the database refuses to change or delete a row (EVENT-06). Names are those of the moment. */
export type EventsTable = {
  id: Generated<number>;
  at: string;
  type: EventType;
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  subject_id: number | null;
  subject_name: string;
  client_id: number | null;
  client_name: string | null;
  license_id: number | null;
  license_key: string | null;
  software_id: number | null;
  /** JSON: the changed fields, each with its value before and after. */
  changes: string;
  reason: string | null;
  ip: string | null;
  request_id: string | null;
};

/** A row stands here only while the job of retention deletes: events of before its moment. */
export type EventRetentionTable = { before: string };

/** Work that is to be done, once across all replicas (jobs/). A finished job leaves no row. */
export type JobsTable = {
  id: Generated<number>;
  kind: string;
  /** Unique: of a job that is there once, such as one that repeats. */
  name: string | null;
  /** JSON, of the form that the definition of its kind says. */
  payload: string;
  run_at: string;
  /** Until then one process holds it; afterwards another may take it. */
  claimed_until: string | null;
  tries: number;
  last_error: string | null;
  created_at: string;
  /** When it was given up; it is not tried again. */
  failed_at: string | null;
};

/** The answer of a creating call, kept so that a repeated call gets the same one. */
export type IdempotencyKeysTable = {
  key: string;
  request_hash: string;
  status: number;
  body: string;
  created_at: string;
};

/** What is counted as rows come and go: the rows of a table, or licences by what they name (kept-counts.ts). */
export type CountsName =
  | 'clients'
  | 'licenses'
  | 'installations'
  | 'licenses_by_software'
  | 'licenses_by_type';

/** How many rows a table has with a status and a kind; the sum over the slots counts. Written by triggers alone. */
export type RowCountsTable = {
  table_name: CountsName;
  status: string;
  kind: string;
  slot: number;
  n: number;
};

export type Tables = {
  users: UsersTable;
  sessions: SessionsTable;
  tokens: TokensTable;
  throttles: ThrottlesTable;
  clients: ClientsTable;
  software: SoftwareTable;
  license_types: LicenseTypesTable;
  licenses: LicensesTable;
  installations: InstallationsTable;
  outbox: OutboxTable;
  events: EventsTable;
  event_retention: EventRetentionTable;
  jobs: JobsTable;
  idempotency_keys: IdempotencyKeysTable;
  row_counts: RowCountsTable;
};

/** Lists columns by name; one that is forgotten does not compile. */
const columnsOf = <Column extends string>(columns: Record<Column, true>) => Object.keys(columns) as Column[];

/** What of a client's row is answered: not what exists for comparing and ordering alone. */
export const CLIENT_COLUMNS = columnsOf<
  Exclude<keyof ClientsTable, 'email_key' | 'name_order' | 'company_order' | 'search_text'>
>({
  id: true,
  name: true,
  email: true,
  company: true,
  phone: true,
  phone_secondary: true,
  address: true,
  city: true,
  state: true,
  country: true,
  postal_code: true,
  client_type: true,
  status: true,
  contact_person: true,
  contact_position: true,
  tax_id: true,
  website: true,
  notes: true,
  last_contact: true,
  created_at: true,
  updated_at: true,
});

/** The same of a licence's row. */
export const LICENSE_COLUMNS = columnsOf<Exclude<keyof LicensesTable, 'search_text'>>({
  id: true,
  license_key: true,
  client_id: true,
  software_id: true,
  license_type_id: true,
  license_type: true,
  status: true,
  price_cents: true,
  original_price_cents: true,
  discount_percentage: true,
  promotion_name: true,
  promotion_description: true,
  max_installations: true,
  current_installations: true,
  expiry_days: true,
  issued_date: true,
  expiry_date: true,
  notes: true,
  created_at: true,
  updated_at: true,
});

/** Columns that are booleans; SQLite knows only numbers, and the driver converts by these names. */
export const BOOLEAN_COLUMNS: ReadonlySet<string> = new Set(['is_active', 'is_promotion']);

/** What a query function takes first: the database, or the transaction that it must be part of. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type UserRow = Selectable<UsersTable>;
export type ClientRow = Selectable<ClientsTable>;
export type SoftwareRow = Selectable<SoftwareTable>;
export type LicenseTypeRow = Selectable<LicenseTypesTable>;
export type LicenseRecord = Selectable<LicensesTable>;
export type InstallationRow = Selectable<InstallationsTable>;
export type OutboxRow = Selectable<OutboxTable>;
export type EventRow = Selectable<EventsTable>;
export type JobRow = Selectable<JobsTable>;
export type ClientChanges = Updateable<ClientsTable>;
