import type { Generated } from 'kysely';
import type { CheckCall } from '../../../contract/programs/checks.ts';

/** The keys that sign answers for installed programs (PROG-01). One is 'current', one is 'next'. */
export type SigningKeysTable = {
  /** The thumbprint of the public key (RFC 7638). */
  kid: string;
  state: 'current' | 'next' | 'retired';
  /** JSON: the public key as a JWK. */
  public_key: string;
  /** The private key, encrypted with SECRET_KEY. */
  private_key: string;
  created_at: string;
  current_since: string | null;
  retired_at: string | null;
  /** The latest end of the offline files that this key signed; null for none. */
  files_end: string | null;
};

/**
 * The answers to programs of a licence (SELL-07). Each kind of refusal has a row for each local day; a success has
 * only one row.
 */
export type LicenseChecksTable = {
  license_id: number;
  machine_id: string;
  call: CheckCall;
  /** A `Refusal`; '' if the licence was valid. */
  reason: string;
  /** The local day of a refusal; '' if the licence was valid. */
  day: string;
  app_version: string;
  ip: string;
  /** When it last happened. */
  at: string;
  count: number;
  /** The local day of `at`. */
  last_day: string;
};

/** Calls with keys that no licence has. The typed key is stored only as a keyed hash. */
type UnknownKeyChecksTable = {
  key_hash: string;
  call: CheckCall;
  machine_id: string;
  /** The first and last letters of the typed key. */
  typed: string;
  ip: string;
  at: string;
  count: number;
};

/** The number of checks by local day. `software_id` is 0 for keys that no licence has. */
type CheckDaysTable = { day: string; software_id: number; reason: string; count: number };

/** How much of a licence's meter was used in one of its periods (SELL-03). */
export type UsageCountsTable = {
  license_id: number;
  code: string;
  /** The period: 'all'; a local day, month or year; or 't' with the id of a term. */
  period: string;
  used: number;
  /**
   * What `used` has beyond the amounts of the stored records: corrections by staff, and records that were deleted
   * because they are too old to be repeated. It may be negative.
   */
  base: number;
  /** When the event license.usage_limit_reached was written; null before. */
  reached_at: string | null;
  /** The end of a day, month or year; null for the other periods. */
  resets_at: string | null;
};

/**
 * The usage records that were already counted, so that none is counted twice and counts can be recomputed. There is no
 * foreign key: they are deleted only by age.
 */
type UsageRecordsTable = {
  id: Generated<number>;
  license_id: number;
  request_id: string;
  at: string;
  /** The count that the record changed, and by how much; null if a version before 063 stored the record. */
  code: string | null;
  period: string | null;
  /** 0 or null if the version that stored the record did not say. */
  amount: number | null;
};

/** The licence that is the trial of a machine, by the code of the software (SELL-04). */
type TrialsTable = { code: string; machine_id: string; machine_key: string; license_id: number };

/** The names under which a machine's id arrived on a local day (INPUT-09). */
type MachineNamesTable = {
  day: string;
  machine_key: string;
  name: string;
  license_id: number;
  /** The id as it was sent with the name. */
  machine_id: string;
  at: string;
  /** When the names of the day were too many for one machine; null before. */
  shared_at: string | null;
};

export type ProgramTables = {
  machine_names: MachineNamesTable;
  trials: TrialsTable;
  signing_keys: SigningKeysTable;
  license_checks: LicenseChecksTable;
  unknown_key_checks: UnknownKeyChecksTable;
  check_days: CheckDaysTable;
  usage_counts: UsageCountsTable;
  usage_records: UsageRecordsTable;
};
