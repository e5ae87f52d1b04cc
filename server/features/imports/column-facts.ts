import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import { cellText } from '../../lib/workbook/cell-value.ts';
import { cleanText } from './clean-text.ts';
import type { SheetRow } from './read-sheet.ts';

/** The most different texts of a column by which its field is recognised. */
const TEXTS = 20;

/**
 * What all rows of a file say about its columns: how many cells each has, and some of them. A column whose first rows
 * are empty is recognised too, and a field takes the fuller of two columns (INPUT-20).
 */
export class ColumnFacts {
  readonly #filled: number[] = [];
  readonly #texts: Set<string>[] = [];

  add(rows: readonly SheetRow[]): void {
    for (const [, ...cells] of rows) {
      for (const [column, cell] of cells.entries()) {
        const text = cellText(cell);
        if (text === '' || text.trim() === '') continue;
        this.#filled[column] = (this.#filled[column] ?? 0) + 1;
        this.#texts[column] ??= new Set();
        if (this.#texts[column].size < TEXTS) this.#texts[column].add(cleanText(text).trim());
      }
    }
  }

  /** The mapping that headers and cells suggest. */
  suggest(kind: ImportKind, columns: readonly string[]): ImportMapping {
    const texts = columns.map((_, column) => [...(this.#texts[column] ?? [])]);
    const sample = Array.from({ length: TEXTS }, (_, row) => texts.map((column) => column[row] ?? ''));
    const filled = columns.map((_, column) => this.#filled[column] ?? 0);
    return suggestMapping(kind, columns, sample, filled);
  }
}
