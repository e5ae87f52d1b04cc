import type { Kysely, Selectable, Transaction } from 'kysely';
import type { DerivedTables } from './tables/derived.ts';
import type { ImportsTable, ImportTables } from './tables/imports.ts';
import type { LicenseLifeTables, LicenseTermsTable } from './tables/license-life.ts';
import type { MailTables, OutboxTable } from './tables/mail.ts';
import type { NotesTable, NoteTables } from './tables/notes.ts';
import type {
  PaymentLinesTable,
  PaymentRequestsTable,
  PaymentsTable,
  PaymentTables,
} from './tables/payments.ts';
import type { ApiKeysTable, PasskeysTable, PeopleTables, UsersTable } from './tables/people.ts';
import type { PortalTables } from './tables/portal.ts';
import type { ProgramTables, SigningKeysTable } from './tables/programs.ts';
import type {
  ClientsTable,
  InstallationsTable,
  LicensesTable,
  LicenseTypesTable,
  RecordTables,
  SoftwareTable,
} from './tables/records.ts';
import type { MailSettingsTable, SettingsTables } from './tables/settings.ts';
import type { SystemTables } from './tables/system.ts';
import type { TagTables } from './tables/tags.ts';
import type { SavedViewsTable, UserStateTables } from './tables/user-state.ts';
import type { WebhookDeliveriesTable, WebhooksTable, WebhookTables } from './tables/webhooks.ts';
import type { BulkJobsTable, EventsTable, JobsTable, WorkTables } from './tables/work.ts';

export type * from './tables/derived.ts';
export type * from './tables/imports.ts';
export type * from './tables/license-life.ts';
export type * from './tables/mail.ts';
export type * from './tables/notes.ts';
export type * from './tables/payments.ts';
export type * from './tables/people.ts';
export type * from './tables/portal.ts';
export type * from './tables/programs.ts';
export type * from './tables/records.ts';
export type * from './tables/settings.ts';
export type * from './tables/system.ts';
export type * from './tables/tags.ts';
export type * from './tables/user-state.ts';
export type * from './tables/webhooks.ts';
export type * from './tables/work.ts';

/**
 * All tables. Outside the driver, instants are ISO 8601 texts in UTC, days are 'AAAA-MM-DD', money is in minor units
 * of its currency (`…_cents`, contract/base/money.ts), and booleans are booleans; dialect.ts converts these on both
 * engines.
 */
export type Tables = PeopleTables &
  RecordTables &
  LicenseLifeTables &
  MailTables &
  NoteTables &
  TagTables &
  WorkTables &
  ImportTables &
  SettingsTables &
  UserStateTables &
  PortalTables &
  PaymentTables &
  ProgramTables &
  WebhookTables &
  SystemTables &
  DerivedTables;

/** The first argument of a query function: the database, or the transaction in which the query runs. */
export type Db = Kysely<Tables> | Transaction<Tables>;

export type UserRow = Selectable<UsersTable>;
export type ClientRow = Selectable<ClientsTable>;
export type SoftwareRow = Selectable<SoftwareTable>;
export type LicenseTypeRow = Selectable<LicenseTypesTable>;
export type LicenseRecord = Selectable<LicensesTable>;
export type LicenseTermRow = Selectable<LicenseTermsTable>;
export type InstallationRow = Selectable<InstallationsTable>;
export type OutboxRow = Selectable<OutboxTable>;
export type MailSettingsRow = Selectable<MailSettingsTable>;
export type EventRow = Selectable<EventsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type PasskeyRow = Selectable<PasskeysTable>;
export type JobRow = Selectable<JobsTable>;
export type SigningKeyRow = Selectable<SigningKeysTable>;
export type BulkJobRow = Selectable<BulkJobsTable>;
export type ImportRow = Selectable<ImportsTable>;
export type SavedViewRow = Selectable<SavedViewsTable>;
export type NoteRow = Selectable<NotesTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type PaymentRequestRow = Selectable<PaymentRequestsTable>;
export type PaymentLineRow = Selectable<PaymentLinesTable>;
export type PaymentRow = Selectable<PaymentsTable>;
export type DeliveryRecord = Selectable<WebhookDeliveriesTable>;
