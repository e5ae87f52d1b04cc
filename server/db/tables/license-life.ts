import type { Generated } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import type { TermKind } from '../../../contract/licenses/license-lifecycle.ts';
import type { ActorKind } from '../../../contract/system/events.ts';

/** The code on the certificate of a licence (LIFE-12). */
type LicenseCertificatesTable = {
  license_id: number;
  /** The client at that time. After a transfer to another client, the code of the former client is no longer valid. */
  client_id: number;
  code: string;
  created_at: string;
};

/** The sales of a licence: one row for its issue and one for each later sale, such as a renewal (LIFE-01). */
export type LicenseTermsTable = {
  id: Generated<number>;
  license_id: number;
  kind: TermKind;
  license_type_id: number | null;
  /** Null while the licence waits for its first activation (SELL-01). */
  starts: string | null;
  /** Also null for updates and seats, which do not change the licence's end (SELL-02, MONEY-08). */
  ends: string | null;
  /**
   * For a maintenance: the last local day of updates that it covers. For seats: the last local day of the licence at
   * their sale; null if it had no end.
   */
  covers_until: Generated<string | null>;
  /** The length in months; null: it was sold in days (MONEY-10). */
  months: Generated<number | null>;
  price_cents: number;
  currency: Generated<Currency>;
  promotion_name: string;
  /** When an extension moved the term's end; at most one extension per term. */
  extended_at: string | null;
  /**
   * The number of days by which the end was moved without a sale: an extension, or days given back after a
   * suspension.
   */
  moved_days: Generated<number>;
  /** JSON: the values of the licence before and after a renewal; null for the first term. */
  replaced: string | null;
  created_at: string;
  actor_kind: ActorKind | null;
  actor_id: number | null;
  actor_name: string | null;
  /** Copied from the licence, for the sums of revenue; a trigger updates them. */
  software_id: number;
  is_counted: boolean;
  /** True for a courtesy, and for the term of a trial that a program started: they are never revenue. */
  is_free: Generated<boolean>;
  /** True for a courtesy (MONEY-09). It is marked as a trial as well, because the figures of renewals leave trials out. */
  complimentary: Generated<boolean>;
  /** Whether another term was sold after this one; a trigger updates it. */
  is_renewed: Generated<boolean>;
  is_trial: Generated<boolean>;
  /** True for a test payment without money; it counts in no sum. */
  is_test: Generated<boolean>;
};

/**
 * The ends of licences, one row for each licence and date; triggers write the rows. `noted_at` is when the event
 * license.expired was written; null before (LIFE-07).
 */
type LicenseExpiriesTable = { license_id: number; ends: string; noted_at: string | null };

/** The reminders of a term that were sent (LIFE-08). */
type LicenseRemindersTable = {
  license_id: number;
  term_id: number;
  /** The number of days before the end; -1 is the day after it. */
  mark: number;
  sent_at: string;
};

/**
 * At most one row. `day`: the last local day whose reminders were all sent. `settings`: the settings of that run, as
 * JSON. `seen`: the settings last seen and the time from which they are valid, as JSON.
 */
type ReminderRunsTable = { id: number; day: string; settings: string; seen: string };

/** The clients who got a reminder: the token in its link, and the local day of the last reminder. */
type RemindedClientsTable = { client_id: number; token: string; reminded_on: string | null };

/** Addresses that permanently refused a reminder or a digest; neither is sent there again. */
type BouncedAddressesTable = { address_key: string; bounced_at: string; reason: string };

export type LicenseLifeTables = {
  license_terms: LicenseTermsTable;
  license_expiries: LicenseExpiriesTable;
  license_reminders: LicenseRemindersTable;
  reminder_runs: ReminderRunsTable;
  reminded_clients: RemindedClientsTable;
  bounced_addresses: BouncedAddressesTable;
  license_certificates: LicenseCertificatesTable;
};
