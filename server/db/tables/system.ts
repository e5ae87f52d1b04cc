import type { CheckState } from '../../../contract/system/system.ts';

/** The result of the last run of each check (OPS-02). */
type SystemChecksTable = {
  /** A `CheckId`. */
  id: string;
  state: CheckState;
  message: string;
  remedy: string | null;
  checked_at: string;
};

/** Copies that the program made. Size 0 means that this attempt made no copy (OPS-03). */
type BackupsTable = {
  name: string;
  at: string;
  size: number;
  tried_at: string | null;
  error: string | null;
};

/** The state of the program's scheduled copies. One row, created at the first start with BACKUP_DIR. */
export type BackupPlanTable = {
  id: 1;
  since: string;
  /** When a server with BACKUP_DIR last checked whether a copy is due; updated once an hour. */
  seen_at: string;
  /** The scheduled time of the last copy; a later scheduled time is due. */
  slot: string | null;
  attempted_at: string | null;
  last_tried_at: string | null;
  /** The error of the last attempt; null after a success. */
  error: string | null;
  /** The number of rows of a database that was too large for a copy. */
  skipped_rows: number | null;
};

/** The servers that run on this database, each with its zone, until it stops or `alive_until` passes (INPUT-17). */
type RunningServersTable = { id: string; time_zone: string; alive_until: string };

export type SystemTables = {
  running_servers: RunningServersTable;
  system_checks: SystemChecksTable;
  backups: BackupsTable;
  backup_plan: BackupPlanTable;
};
