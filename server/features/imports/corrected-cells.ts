import type { FieldFault } from '../../../contract/base/field-errors.ts';
import { IMPORT_CELLS_CORRECTED, IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import type { ImportRow } from '../../db/tables.ts';
import { fault, invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { type CorrectedCells, optionsOf } from './import-options.ts';
import { findRow } from './imports.queries.ts';

/** Cells that a person corrected in the wizard (INPUT-06). They lie beside the rows, which stay as they came. */

/** By the number of the row and the name of the column, the text of the cell. */
export type Cells = Record<string, Record<string, string>>;

/** Changes the names of the columns. */
export const byRow = (
  cells: Cells,
  renamed: (byColumn: Record<string, string>) => Record<string, string>,
): Cells => Object.fromEntries(Object.entries(cells).map(([row, texts]) => [row, renamed(texts)]));

/**
 * The corrected cells of an import with those of a call.
 * @throws invalid (400) with `errors.cells` for a row or a column that the file does not have, and for too many rows
 */
export async function correctedCells(
  { tx }: Scope,
  row: ImportRow,
  columns: readonly string[],
  cells: Cells,
): Promise<CorrectedCells> {
  const corrected: CorrectedCells = { ...optionsOf(row).cells };
  const faults: FieldFault[] = [];
  for (const [number, texts] of Object.entries(cells)) {
    const found = await findRow(tx, row, Number(number));
    if (!found) {
      faults.push(fault('unknown_reference', IMPORT_MESSAGES.unknownRow(number)));
      continue;
    }
    for (const [column, text] of Object.entries(texts)) {
      const place = columns.indexOf(column);
      if (place < 0) faults.push(fault('unknown_reference', IMPORT_MESSAGES.unknownColumn(column)));
      // As in a file, NUL is removed (open-file.ts).
      else corrected[found[0]] = { ...corrected[found[0]], [place]: text.replaceAll('\0', '') };
    }
  }
  if (Object.keys(corrected).length > IMPORT_CELLS_CORRECTED)
    faults.push(fault('too_long', IMPORT_MESSAGES.manyCells));
  if (faults.length > 0) throw invalid({ cells: faults });
  return corrected;
}
