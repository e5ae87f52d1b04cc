import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';
import type { ImportProgress } from '../../../contract/imports/imports.ts';
import type { ChosenOrder } from '../../../contract/reading/days.ts';
import type { ImportRow } from '../../db/tables.ts';
import type { ImportSource } from './import-source.ts';
import type { FileKind } from './read-cell.ts';

/** By the number of the row and the position of the column, the text that is read in place of the cell. */
export type CorrectedCells = Record<string, Record<string, string>>;

/** How a file is read and completed: found at its upload, or as the caller of a check or a run wants it. */
export type ImportOptions = {
  /** How the file is kept and read; missing for an upload of an earlier version. */
  source?: ImportSource | undefined;
  /** The mapping that headers and cells suggested at the upload. */
  suggested?: ImportMapping | undefined;
  /** The orders of days that the caller chose, by the name of the column (INPUT-05). */
  date_orders?: Record<string, ChosenOrder> | undefined;
  /** One value for all rows, by field (INPUT-20). */
  values?: Record<string, string> | undefined;
  /** Whether licences make their missing clients (INPUT-20). */
  create_clients?: boolean | undefined;
  /** Whether clients get the phones of their country that were meant (INPUT-02); so unless it is false. */
  fix_phones?: boolean | undefined;
  /** Whether the check names clients that may be those of new rows, because who asked for it may read them. */
  find_duplicates?: boolean | undefined;
  /** Corrected cells (INPUT-06). */
  cells?: CorrectedCells | undefined;
};

export const optionsOf = ({ options }: Pick<ImportRow, 'options'>): ImportOptions => JSON.parse(options);

/** Whether the file of an import is a workbook. */
export const fileKindOf = (row: Pick<ImportRow, 'options'>): FileKind =>
  optionsOf(row).source?.sheet == null ? 'csv' : 'workbook';

/** The options with those that a call gave; the others stay. */
export function withOptions(row: Pick<ImportRow, 'options'>, given: ImportOptions): string {
  return JSON.stringify({
    ...optionsOf(row),
    ...Object.fromEntries(Object.entries(given).filter(([, choice]) => choice !== undefined)),
  });
}

/** The choices in the answer about an import. */
export function chosenInAnswer(row: Pick<ImportRow, 'options'>): ImportProgress['chosen'] {
  const { date_orders = {}, values = {}, create_clients = false, fix_phones = true } = optionsOf(row);
  return { date_orders, values, create_clients, fix_phones };
}
