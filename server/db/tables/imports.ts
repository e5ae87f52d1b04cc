import type { Generated } from 'kysely';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMode, ImportState } from '../../../contract/imports/imports.ts';
import type { ActorKind } from '../../../contract/system/events.ts';

/**
 * Uploaded files of rows, and the state of their import (features/imports). Finished imports are deleted after some
 * days.
 */
export type ImportsTable = {
  id: Generated<number>;
  kind: ImportKind;
  state: ImportState;
  /** JSON: the names of the columns. */
  columns: string;
  /** JSON: the first rows, a text for each column. */
  sample: string;
  /** JSON: warnings from reading the file. */
  warnings: string;
  /** JSON: the field for each column, or null; before the first check, as suggested by the headers. */
  mapping: string;
  mode: ImportMode | null;
  /** JSON: how the caller of the check wants the file to be read and completed. */
  options: Generated<string>;
  /** JSON: what the last check found in cells, by sort and field (features/imports/findings.ts). */
  findings: Generated<string>;
  /** Whether clients get a mail about their new licences. */
  notify: Generated<boolean>;
  /** The number of rows that are not blank. */
  total: Generated<number>;
  /** The running check or run, or else the last one: the number of rows that were tried, and their outcomes. */
  done: Generated<number>;
  created: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  failed: Generated<number>;
  /** The position of the first chunk that is still to do. */
  next_position: Generated<number>;
  /** JSON: the result of the last check; null before the first. */
  forecast: string | null;
  /** Who started the last check or run: the actor of its events. */
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  ip: string | null;
  request_id: string | null;
  created_at: string;
  finished_at: string | null;
  /** Until when it can be undone; null before its end. */
  undo_until: Generated<string | null>;
  /** When somebody asked to undo it; null before, and after an undo that was given up. */
  undo_asked_at: Generated<string | null>;
};

/** A part of an import's rows. `position` is the number of its first row, counted over the rows that are not blank. */
type ImportChunksTable = {
  import_id: number;
  position: number;
  /** JSON: for each row its number in the spreadsheet, and its cells. */
  rows: string;
};

/** The errors in rows, found by the last check or run. `part` numbers the errors of one row. */
type ImportErrorsTable = {
  import_id: number;
  row: number;
  part: number;
  /** The position of the chunk that contains the row. */
  position: number;
  field: string | null;
  message: string;
  code: Generated<string>;
};

/**
 * The records that the run of an import wrote, in its order (`part`). The rows are deleted as they are undone, and
 * after the end of {@link ImportsTable.undo_until}.
 */
type ImportChangesTable = {
  import_id: number;
  part: number;
  /** The number of the row in the spreadsheet. */
  row: number;
  /** The position of the chunk that contains the row. */
  position: number;
  kind: ImportKind;
  record_id: number;
  /** The version (`updated_at`) that the run gave the record; '' if it may not be undone any more. */
  version: string;
  /** JSON: the values that the run changed, as they were before (features/imports/import-changes.ts); null if it created the record. */
  before: string | null;
};

export type ImportTables = {
  imports: ImportsTable;
  import_chunks: ImportChunksTable;
  import_errors: ImportErrorsTable;
  import_changes: ImportChangesTable;
};
