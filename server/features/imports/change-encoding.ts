import type { ImportMapping } from '../../../contract/imports/import-mapping.ts';
import { type Encoding, IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import type { ImportRow } from '../../db/tables.ts';
import { fault, invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { optionsOf } from './import-options.ts';
import { canBeReadAs, readerOf, readRows } from './import-source.ts';
import { firstRows, updateImport } from './imports.queries.ts';
import { headOf, warningsOf } from './read-sheet.ts';

/** An import in the encoding that was asked for, and its columns by the names that they had before. */
type Reread = { row: ImportRow; renamed: Renamed };
/** What is said of each column, by its names of now. */
type Renamed = <Said>(byColumn: Readonly<Record<string, Said>>) => Record<string, Said>;

/**
 * Reads the file of a locked import in another encoding from now on: columns, first rows, mapping and warnings change
 * with it (INPUT-04). Without an encoding, or with the one in use, nothing changes.
 * @throws invalid (400) with `errors.encoding` if the file cannot be read in it
 */
export async function changeEncoding(
  { tx }: Scope,
  row: ImportRow,
  encoding: Encoding | undefined,
): Promise<Reread> {
  const options = optionsOf(row);
  const { source, suggested, date_orders } = options;
  if (encoding === undefined || encoding === source?.encoding)
    return { row, renamed: (byColumn) => byColumn };
  if (!source || !canBeReadAs(source, encoding))
    throw invalid({ encoding: [fault('not_allowed', IMPORT_MESSAGES.notReadAs(encoding))] });
  const read = await readerOf(source, encoding);
  const head = headOf(row.kind, source.headers.map(read), readRows(await firstRows(tx, row.id), read));
  const before = JSON.parse(row.columns) as string[];
  const names = new Map(before.map((name, index) => [name, head.columns[index] ?? name]));
  const renamed: Renamed = (byColumn) =>
    Object.fromEntries(Object.entries(byColumn).map(([name, said]) => [names.get(name) ?? name, said]));
  const chosen = { ...source, encoding };
  const changes = {
    columns: JSON.stringify(head.columns),
    sample: JSON.stringify(head.sample),
    mapping: JSON.stringify(renamed(JSON.parse(row.mapping) as ImportMapping)),
    warnings: JSON.stringify(warningsOf(chosen, head.warnings)),
    options: JSON.stringify({
      ...options,
      source: chosen,
      suggested: suggested && renamed(suggested),
      date_orders: date_orders && renamed(date_orders),
    }),
  };
  await updateImport(tx, row.id, changes);
  return { row: { ...row, ...changes }, renamed };
}
