import { inSavepoint } from '../../db/savepoint.ts';
import { changesBetween } from '../../records/record-event.ts';
import type { RecordKind } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import type { RowValues } from './row-values.ts';

/** How the rows of a kind become records, by the verbs that the console's calls use. */
export type RowKind = {
  /** The field that an unknown or a repeated key is reported at. */
  keyField: string;
  /** The message for a key that no record has. */
  unknown: string;
  /** What tells the records of a file apart; null for a row without a key. */
  keyOf: (row: RowValues) => string | null;
  /** The id of the record with the row's key. */
  find: (scope: Scope, row: RowValues) => Promise<number | undefined>;
  /** @throws AppError naming the wrong fields */
  create: (scope: Scope, row: RowValues, options: { notify: boolean }) => Promise<unknown>;
  /** @returns false when the record has all values already. @throws AppError naming the wrong fields */
  update: (scope: Scope, id: number, row: RowValues) => Promise<boolean>;
};

const UNCHANGED = Symbol('unchanged');

/**
 * Saves a record where that changes a value; one that has all values already keeps its version too.
 * @returns whether it was changed
 */
export async function saveIfDifferent<Row extends { id: number; updated_at: string }, Plain extends object>(
  scope: Scope,
  kind: Pick<RecordKind<Row, Plain & Record<string, unknown>>, 'find' | 'written'>,
  id: number,
  save: () => Promise<Plain & Record<string, unknown>>,
): Promise<boolean> {
  const before = await kind.find(scope, id);
  try {
    await inSavepoint(scope.tx, async () => {
      const after = await save();
      if (before && Object.keys(changesBetween(kind.written(before), kind.written(after))).length === 0) {
        throw UNCHANGED;
      }
    });
    return true;
  } catch (error) {
    if (error === UNCHANGED) return false;
    throw error;
  }
}
