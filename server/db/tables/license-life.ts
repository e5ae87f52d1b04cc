import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import type { ActorKind } from '../../../contract/system/events.ts';

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
  /** Null while the licence waits for its start (SELL-01). */
  starts: string | null;
  /** Null also of a maintenance: it moves no end (SELL-02). */
  ends: string | null;
  /** Of a maintenance, the last local day of updates that it covers. */
  covers_until: Generated<string | null>;
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
  /** The term of a trial that a program started: never revenue. */
  is_free: Generated<boolean>;
  /** Whether another term was sold after it; a trigger keeps it. */
  is_renewed: Generated<boolean>;
  is_trial: Generated<boolean>;
  /** Of a payment without money: it counts in no sum. */
  is_test: Generated<boolean>;
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

export type LicenseLifeTables = {
  license_terms: LicenseTermsTable;
  license_expiries: LicenseExpiriesTable;
  license_reminders: LicenseRemindersTable;
  reminder_runs: ReminderRunsTable;
  reminded_clients: RemindedClientsTable;
  bounced_addresses: BouncedAddressesTable;
  license_certificates: LicenseCertificatesTable;
};
