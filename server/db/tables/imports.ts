import type { Generated } from 'kysely';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportMode, ImportState } from '../../../contract/imports/imports.ts';
import type { ActorKind } from '../../../contract/system/events.ts';

/** Uploaded files of rows, and what is done with them (features/imports). Finished ones are deleted after some days. */
export type ImportsTable = {
  id: Generated<number>;
  kind: ImportKind;
  state: ImportState;
  /** JSON: the names of the columns. */
  columns: string;
  /** JSON: the first rows, a text for each column. */
  sample: string;
  /** JSON: what was noticed while the file was read. */
  warnings: string;
  /** JSON: the field of each column, or null; before the first check what the headers suggest. */
  mapping: string;
  mode: ImportMode | null;
  /** Whether new licences are mailed to their clients. */
  notify: Generated<boolean>;
  /** The rows that are not blank. */
  total: Generated<number>;
  /** Of the check or the run that is under way, or of the last one: the rows tried, and what became of them. */
  done: Generated<number>;
  created: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  failed: Generated<number>;
  /** The position of the first chunk that is not done. */
  next_position: Generated<number>;
  /** JSON: what the last check found; null before. */
  forecast: string | null;
  /** Who asked last: the actor of its events. */
  actor_kind: ActorKind;
  actor_id: number | null;
  actor_name: string;
  ip: string | null;
  request_id: string | null;
  created_at: string;
  finished_at: string | null;
};

/** Some rows of an import. `position` is the number of the first one among the rows that are not blank. */
export type ImportChunksTable = {
  import_id: number;
  position: number;
  /** JSON: for each row its number in the spreadsheet, and its cells. */
  rows: string;
};

/** What is wrong with rows, found by the last check or run. `part` tells the errors of a row apart. */
export type ImportErrorsTable = {
  import_id: number;
  row: number;
  part: number;
  /** The chunk of the row. */
  position: number;
  field: string | null;
  message: string;
};

export type ImportTables = {
  imports: ImportsTable;
  import_chunks: ImportChunksTable;
  import_errors: ImportErrorsTable;
};
