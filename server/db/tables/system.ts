import type { CheckState } from '../../../contract/system/system.ts';

/** What the last run of each check found (OPS-02). */
export type SystemChecksTable = {
  /** A `CheckId`. */
  id: string;
  state: CheckState;
  message: string;
  remedy: string | null;
  checked_at: string;
};

export type SystemTables = { system_checks: SystemChecksTable };
