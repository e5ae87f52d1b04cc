import type { Generated, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { ClientStatus, ClientType } from '../../contract/clients.ts';
import type { ActorKind, EventType } from '../../contract/events.ts';
import type { JobState } from '../../contract/jobs.ts';
import type { TermKind } from '../../contract/license-lifecycle.ts';
import type { LicenseCategory, LicenseStatus } from '../../contract/licenses.ts';
import type { MailKind, MailStatus } from '../../contract/mails.ts';
import type { Currency } from '../../contract/money.ts';
import type { NotificationKind } from '../../contract/notifications.ts';
import type { Role } from '../../contract/permissions.ts';
import type { ViewScreen } from '../../contract/views.ts';

/**
 * All tables. Outside the driver, instants are ISO 8601 texts in UTC, days are 'AAAA-MM-DD', money is minor units of
 * its currency (`…_cents`, contract/money.ts), and truth values are booleans; dialect.ts converts them on both engines.
 */

export type UsersTable = {
  id: Generated<number>;
  username: string;
  /** Lower-case form, unique: names that differ only in case are the same name. */
  username_key: string;
  password_hash: string;
  names: string;
  last_name: string;
  email: string;
  is_active: boolean;
  role: Generated<Role>;
  /** When the person last signed in; null before the first time. */
  last_sign_in_at: Generated<string | null>;
  /** The secret of the second factor, encrypted under SECRET_KEY; it counts once `mfa_enabled_at` is set. */
  mfa_secret: Generated<string | null>;
  mfa_enabled_at: Generated<string | null>;
  /** The time step of the last accepted code; each code works once. */
  mfa_last_step: Generated<number>;
  created_at: string;
  /** Whether the user wants the weekly digest (LIFE-09). */
  weekly_digest: Generated<boolean>;
  /** The Monday of the last week whose digest is not to be sent any more. */
  digest_week: Generated<string | null>;
  updated_at: Generated<string>;
};

/** What remains of a user's recovery codes, as SHA-256 hashes; a used one is deleted. */
export type RecoveryCodesTable = { user_id: number; hash: string };

/** One-time links in mails, as SHA-256 hashes; a used one is deleted (PEOPLE-03, PEOPLE-04). */
export type UserLinksTable = {
  hash: string;
  /** Null for the link that makes the first administrator. */
  user_id: number | null;
  kind: 'invitation' | 'password_reset' | 'first_admin';
  created_at: string;
  expires_at: string;
};

/** Sign-ins that wait for their second factor, as SHA-256 hashes of their tokens (PEOPLE-05). */
export type MfaChallengesTable = { hash: string; user_id: number; expires_at: string };

/** At most one row: what a process must be able to decrypt with its SECRET_KEY. */
export type SecretProofTable = { id: number; proof: string };

/** Keys of the vendor's programs, as SHA-256 hashes (PEOPLE-07). */
export type ApiKeysTable = {
  id: Generated<number>;
  name: string;
  hash: string;
  last_four: string;
  /** JSON: the names of its permissions. */
  permissions: string;
  /** Its maker: it can do nothing that this user cannot do at the moment of the call. */
  user_id: number;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** When the mail before its end was queued, or the key was replaced, so that none is due. */
  warned_at: string | null;
};

/** One sign-in with its tokens; ending it ends all of them (D007, D008). */
export type SessionsTable = {
  id: Generated<number>;
  user_id: number;
  created_at: string;
  /** Twelve hours after sign-in, regardless of refreshes. */
  expires_at: string;
  /** At the sign-in and each renewal of its tokens. */
  last_used_at: Generated<string | null>;
  /** When the person last gave a password or a code in this session (PEOPLE-05). */
  confirmed_at: Generated<string | null>;
  ip: Generated<string | null>;
  user_agent: Generated<string | null>;
  /** Also set by a trigger, when the user is deactivated. */
  revoked_at: string | null;
};

export type TokensTable = {
  /** SHA-256 of the token, hexadecimal; the token itself is stored nowhere. */
  hash: string;
  session_id: number;
  kind: 'access' | 'refresh';
  expires_at: string;
  /** When a refresh token was exchanged; null for access tokens. */
  used_at: string | null;
  /**
   * The hash of the refresh token that was exchanged for this one; null for the first of a session and for access
   * tokens.
   */
  parent: string | null;
};

/** Counters of failures, shared by all replicas. A row counts until `window_ends_at`. */
export type ThrottlesTable = {
  key: string;
  count: number;
  window_ends_at: string;
  /** Attempts in progress; ignored after `under_way_until`, when their process must have died. */
  under_way: Generated<number>;
  under_way_until: string | null;
  /** How often the limit was reached until `level_until`: each time the wait is longer. */
  level: Generated<number>;
  level_until: Generated<string | null>;
};

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
  notes: string;
  /** Since when it is suspended, and its status before; null otherwise. */
  suspended_at: Generated<string | null>;
  suspended_from: Generated<LicenseStatus | null>;
  search_text: string;
  created_at: string;
  updated_at: string;
};

/** The code on the certificate of a licence (LIFE-12). */
export type LicenseCertificatesTable = {
  license_id: number;
  /** The code of a former client finds nothing. */
  client_id: number;
  code: string;
  created_at: string;
};

/** The sales of a licence: one row for its issue and each renewal (LIFE-01). */
export type LicenseTermsTable = {
  id: Generated<number>;
  license_id: number;
  kind: TermKind;
  license_type_id: number | null;
  starts: string;
  ends: string | null;
  price_cents: number;
  currency: Generated<Currency>;
  promotion_name: string;
  /** When its end was moved by an extension; at most one per term. */
  extended_at: string | null;
  /** Days by which its end was moved without a sale: an extension, days of a suspension that were given back. */
  moved_days: Generated<number>;
  /** JSON: the licence's values that a renewal replaced and set; null for the first term. */
  replaced: string | null;
  created_at: string;
  actor_kind: ActorKind | null;
  actor_id: number | null;
  actor_name: string | null;
  /** Copies of the licence for the sums of revenue; a trigger keeps them. */
  software_id: number;
  is_counted: boolean;
};

/**
 * The ends of licences, one row for each licence and date; triggers write the rows. `noted_at` is when the event
 * license.expired was written, null while that is awaited (LIFE-07).
 */
export type LicenseExpiriesTable = { license_id: number; ends: string; noted_at: string | null };

/** The reminders of a term that were sent (LIFE-08). */
export type LicenseRemindersTable = {
  license_id: number;
  term_id: number;
  /** Days before the end; -1 is the day after it. */
  mark: number;
  sent_at: string;
};

/**
 * At most one row: the last local day of which all reminders were sent. As JSON: the settings of that run, and the
 * settings last seen, with the time from which they hold.
 */
export type ReminderRunsTable = { id: number; day: string; settings: string; seen: string };

/** The clients who had a reminder: the token of its link, and the local day of the last one. */
export type RemindedClientsTable = { client_id: number; token: string; reminded_on: string | null };

/** Addresses that refused a reminder or a digest for good; no other is sent there. */
export type BouncedAddressesTable = { address_key: string; bounced_at: string; reason: string };

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

/** Mail to deliver, written in the transaction of the change that it reports (promises: Mail). */
export type OutboxTable = {
  id: Generated<number>;
  license_id: number | null;
  message_id: string;
  to_name: string;
  to_address: string;
  subject: string;
  /** Empty once the content was deleted (the setting mail_retention_days), as is `body_html`. */
  body_text: string;
  body_html: string;
  status: MailStatus;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
  kind: Generated<MailKind>;
  /** The client or user that it is for, as far as it is one. */
  client_id: Generated<number | null>;
  user_id: Generated<number | null>;
  /** The name in From and the address in Reply-To; empty: those of the server. */
  sender_name: Generated<string>;
  reply_to: Generated<string>;
  /** JSON: further headers by name. */
  headers: Generated<string>;
  /** JSON: texts that answers of the API mask in the content, such as tokens. */
  secrets: Generated<string>;
  /** While it is on its way: until when at the latest. It cannot be cancelled meanwhile. */
  sending_until: Generated<string | null>;
};

/** The templates that the vendor changed; the others are the program's own (MAIL-01). */
export type MailTemplatesTable = { kind: MailKind; subject: string; body: string; updated_at: string };

/** Events; the database refuses to change or delete a row (EVENT-06). Names are those at the time of the event. */
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

/** Has a row only while the retention job deletes events older than `before`. */
export type EventRetentionTable = { before: string };

/** Background jobs, run once across all replicas (jobs/). A finished job is deleted. */
export type JobsTable = {
  id: Generated<number>;
  kind: string;
  /** Unique name of a job that exists once, such as a repeating one. */
  name: string | null;
  /** JSON, in the schema of the job's definition. */
  payload: string;
  run_at: string;
  /** The end of the lease of the process that runs it; after it another process may take it. */
  claimed_until: string | null;
  tries: number;
  last_error: string | null;
  created_at: string;
  /** When the last attempt failed; there are no more retries. */
  failed_at: string | null;
};

/** Bulk calls with too many records for one request. A job works through the chunks (features/bulk). */
export type BulkJobsTable = {
  id: Generated<number>;
  /** The list of its records, such as 'licenses'. */
  list: string;
  action: string;
  /** JSON: the fields of the action. */
  fields: string;
  /** Who asked: the actor of its events. */
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  ip: string | null;
  request_id: string | null;
  state: JobState;
  total: number;
  /** Records that were tried. */
  done: number;
  succeeded: number;
  /** JSON: the first failures. */
  failed: string;
  created_at: string;
  finished_at: string | null;
};

/** The records that a bulk job has still to do. A chunk is deleted in the transaction that does it. */
export type BulkChunksTable = {
  job_id: number;
  position: number;
  /** JSON: the ids of the records. */
  ids: string;
};

/** The filters of a list under a name (LIST-03). */
export type SavedViewsTable = {
  id: Generated<number>;
  user_id: number;
  screen: ViewScreen;
  name: string;
  /** Sort key of the name (textOrder), unique for each user and list. */
  name_order: string;
  /** As in the list's address, without '?'. */
  query: string;
  shared: boolean;
  created_at: string;
};

/** At most one row: the vendor's settings (MAIL-03). */
export type SettingsTable = {
  id: number;
  /** JSON: the settings that were changed; the others have their defaults. */
  changed: string;
  updated_at: string;
};

/** At most one row: the vendor's picture. */
export type VendorLogoTable = {
  id: number;
  media_type: 'image/png' | 'image/jpeg';
  /** The file in base64. */
  content: string;
  updated_at: string;
};

/** The stored answer of a creating call, for repeated calls with the same key. */
export type IdempotencyKeysTable = {
  key: string;
  request_hash: string;
  status: number;
  body: string;
  created_at: string;
};

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

/** The notifications that a user has read (features/notifications). */
export type NotificationReadsTable = {
  user_id: number;
  notification: string;
  kind: NotificationKind;
  /** The licence, the row of full_licenses, or the message. */
  ref: number;
  /** When the notification is over at the latest; null where that is not known. */
  ends: string | null;
};

export type Tables = {
  users: UsersTable;
  sessions: SessionsTable;
  tokens: TokensTable;
  recovery_codes: RecoveryCodesTable;
  user_links: UserLinksTable;
  mfa_challenges: MfaChallengesTable;
  api_keys: ApiKeysTable;
  secret_proof: SecretProofTable;
  throttles: ThrottlesTable;
  clients: ClientsTable;
  software: SoftwareTable;
  license_types: LicenseTypesTable;
  licenses: LicensesTable;
  license_terms: LicenseTermsTable;
  license_expiries: LicenseExpiriesTable;
  license_reminders: LicenseRemindersTable;
  reminder_runs: ReminderRunsTable;
  reminded_clients: RemindedClientsTable;
  bounced_addresses: BouncedAddressesTable;
  license_certificates: LicenseCertificatesTable;
  installations: InstallationsTable;
  outbox: OutboxTable;
  mail_templates: MailTemplatesTable;
  events: EventsTable;
  event_retention: EventRetentionTable;
  jobs: JobsTable;
  bulk_jobs: BulkJobsTable;
  bulk_chunks: BulkChunksTable;
  saved_views: SavedViewsTable;
  settings: SettingsTable;
  vendor_logo: VendorLogoTable;
  idempotency_keys: IdempotencyKeysTable;
  row_counts: RowCountsTable;
  full_licenses: FullLicensesTable;
  notification_reads: NotificationReadsTable;
};

/** The first argument of a query function: the database, or the transaction that it is part of. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type UserRow = Selectable<UsersTable>;
export type ClientRow = Selectable<ClientsTable>;
export type SoftwareRow = Selectable<SoftwareTable>;
export type LicenseTypeRow = Selectable<LicenseTypesTable>;
export type LicenseRecord = Selectable<LicensesTable>;
export type LicenseTermRow = Selectable<LicenseTermsTable>;
export type InstallationRow = Selectable<InstallationsTable>;
export type OutboxRow = Selectable<OutboxTable>;
export type EventRow = Selectable<EventsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type JobRow = Selectable<JobsTable>;
export type BulkJobRow = Selectable<BulkJobsTable>;
export type SavedViewRow = Selectable<SavedViewsTable>;
export type ClientChanges = Updateable<ClientsTable>;
