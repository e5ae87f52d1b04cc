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

/** A copy that the program made; size 0: none came of that try (OPS-03). */
export type BackupsTable = {
  name: string;
  at: string;
  size: number;
  tried_at: string | null;
  error: string | null;
};

/** Where the program stands with its copies. One row, from the first start with BACKUP_DIR on. */
export type BackupPlanTable = {
  id: 1;
  since: string;
  /** When a server that has BACKUP_DIR last looked, to the hour. */
  seen_at: string;
  /** The time of the day that was last done: a later one is due. */
  slot: string | null;
  attempted_at: string | null;
  last_tried_at: string | null;
  /** Of the last try; null after one that went well. */
  error: string | null;
  /** The rows of a database that has too many for a copy. */
  skipped_rows: number | null;
};

export type SystemTables = {
  system_checks: SystemChecksTable;
  backups: BackupsTable;
  backup_plan: BackupPlanTable;
};
