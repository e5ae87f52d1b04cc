import type { Generated } from 'kysely';
import type { CheckCall } from '../../../contract/programs/checks.ts';

/** The keys that sign answers for installed programs (PROG-01). One is current, one is next. */
export type SigningKeysTable = {
  /** The thumbprint of the public key (RFC 7638). */
  kid: string;
  state: 'current' | 'next' | 'retired';
  /** JSON: the public key as a JWK. */
  public_key: string;
  /** The private key, encrypted under SECRET_KEY. */
  private_key: string;
  created_at: string;
  current_since: string | null;
  retired_at: string | null;
  /** The last end of the files that it signed; null without any. */
  files_end: string | null;
};

/** What a licence's programs were answered (SELL-07). A refusal has a row for each local day; a success has one. */
export type LicenseChecksTable = {
  license_id: number;
  machine_id: string;
  call: CheckCall;
  /** A `Refusal`; '' where the licence was valid. */
  reason: string;
  /** The local day of a refusal; '' where the licence was valid. */
  day: string;
  app_version: string;
  ip: string;
  /** The last one. */
  at: string;
  count: number;
  /** The local day of `at`. */
  last_day: string;
};

/** Calls with keys that no licence has: what was typed is kept as a keyed hash alone. */
export type UnknownKeyChecksTable = {
  key_hash: string;
  call: CheckCall;
  machine_id: string;
  /** The first and last letters. */
  typed: string;
  ip: string;
  at: string;
  count: number;
};

/** How many checks there were, by local day; software 0 for keys that no licence has. */
export type CheckDaysTable = { day: string; software_id: number; reason: string; count: number };

/** How much of a meter of a licence is used in one of its periods (SELL-03). */
export type UsageCountsTable = {
  license_id: number;
  code: string;
  /** The period: 'all', a local day, month or year, or 't' and the id of a term. */
  period: string;
  used: number;
  /** When its event license.usage_limit_reached was written; null before. */
  reached_at: string | null;
  /** The end of a day, month or year; null for the others. */
  resets_at: string | null;
};

/** The records that have counted, so that none counts twice. No foreign key: they are deleted by their age alone. */
export type UsageRecordsTable = { id: Generated<number>; license_id: number; request_id: string; at: string };

/** Which licence the trial of a machine is, by the code of the software (SELL-04). */
export type TrialsTable = { code: string; machine_id: string; license_id: number };

export type ProgramTables = {
  trials: TrialsTable;
  signing_keys: SigningKeysTable;
  license_checks: LicenseChecksTable;
  unknown_key_checks: UnknownKeyChecksTable;
  check_days: CheckDaysTable;
  usage_counts: UsageCountsTable;
  usage_records: UsageRecordsTable;
};
