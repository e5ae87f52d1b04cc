import type { DuplicateReason, DuplicatesQuery } from '../../../contract/clients/duplicates.ts';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { Db } from '../../db/tables.ts';
import { findDuplicates } from '../clients/find-duplicates.ts';
import type { CellFinding } from './findings.ts';
import type { LookedUp } from './row-kind.ts';
import { type RowValues, textOf } from './row-values.ts';

/** Finds the rows whose new client may be one that exists already (INPUT-19). They are told, never refused. */

/** The fields of a row that have other names than those of its client. */
const FIELDS: Record<ImportKind, Partial<Record<DuplicateReason, string>>> = {
  clients: {},
  software: {},
  licenses: { email: 'client', name: 'client_name' },
};

/**
 * By row, what is told of its client. It is asked before rows are stored, so that no row is a duplicate of another one.
 * @param rows those that become new records
 */
export async function findLikelyDuplicates(
  db: Db,
  kind: ImportKind,
  { clientOf }: Pick<LookedUp, 'clientOf'>,
  rows: readonly RowValues[],
): Promise<ReadonlyMap<RowValues, CellFinding>> {
  if (!clientOf) return new Map();
  const asked = rows.flatMap((row) => {
    const client = clientOf(row);
    return client ? [{ row, client }] : [];
  });
  const found = await findDuplicates(
    db,
    asked.map(({ client }) => client),
  );
  return new Map(
    asked.flatMap(({ row, client }, at): [RowValues, CellFinding][] => {
      const [surest] = found[at] ?? [];
      if (!surest) return [];
      const field = FIELDS[kind][surest.why] ?? surest.why;
      return [
        [row, { sort: 'duplicates', field, text: shownText(row, client, surest.why), value: surest.name }],
      ];
    }),
  );
}

/** The cell as it is; of a name in two columns both. */
const shownText = (row: RowValues, client: DuplicatesQuery, why: DuplicateReason) =>
  (why === 'name' ? undefined : textOf(row, why)) ?? client[why] ?? '';
