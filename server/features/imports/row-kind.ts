import type { DuplicatesQuery } from '../../../contract/clients/duplicates.ts';
import { inSavepoint } from '../../db/savepoint.ts';
import { AppError } from '../../errors.ts';
import { eachOrRefusal } from '../../records/each-or-refusal.ts';
import { changesBetween } from '../../records/record-event.ts';
import type { RecordKind } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import type { RowValues } from './row-values.ts';

/** How rows of one kind become records, by the same rules as the API's own calls. */
export type RowKind = {
  /** The field that gets the error for an unknown or a repeated key. */
  keyField: string;
  /** The message for a key that no record has. */
  unknown: string;
  /** The key that identifies the record of a row; null for a row without a key. */
  keyOf: (row: RowValues) => string | null;
  /**
   * Looks up the records to which some rows refer, for all of them at once.
   * @param choices.createClients true: licences make the clients that are missing
   * @param choices.fixPhones true: clients get the phones of their country that were meant
   */
  lookUp: (
    scope: Scope,
    rows: RowValues[],
    choices: { createClients: boolean; fixPhones: boolean },
  ) => Promise<LookedUp>;
};

/** The operations on rows after the look-up. */
export type LookedUp = {
  /** The id of the record with the row's key. */
  find: (row: RowValues) => number | undefined;
  /** The client that a new record of the row is or makes; undefined if it makes none. */
  clientOf?: (row: RowValues) => DuplicatesQuery | undefined;
  /**
   * Creates the records of rows with different keys.
   * @returns for each row the id of its record, or the error with its wrong fields
   */
  createAll: (rows: RowValues[], options: { notify: boolean }) => Promise<(number | AppError)[]>;
  /**
   * @returns false when the record already has all values.
   * @throws AppError with the wrong fields
   */
  update: (id: number, row: RowValues) => Promise<boolean>;
};

/**
 * Creates the records of the rows whose values are readable.
 * @param valuesOf the values of a row; throws AppError with the wrong fields
 * @param create stores all of them and returns their ids or errors in the same order
 * @returns for each row, in order, the id of its record or its error
 */
export async function createReadable<Values>(
  rows: RowValues[],
  valuesOf: (row: RowValues) => Values,
  create: (values: Values[]) => Promise<(number | AppError)[]>,
): Promise<(number | AppError)[]> {
  const read = await eachOrRefusal(rows, (row) => ({ values: valuesOf(row) }));
  const readable = read.flatMap((one) => (one instanceof AppError ? [] : one.values));
  const made = readable.length === 0 ? [] : await create(readable);
  return read.map((one) => (one instanceof AppError ? one : made.shift()!));
}

const UNCHANGED = Symbol('unchanged');

/**
 * Saves a record if that changes a value; otherwise it also keeps its version.
 * @returns whether it was changed
 */
export async function saveIfDifferent<Row extends { id: number; updated_at: string }, Plain extends object>(
  scope: Scope,
  kind: Pick<RecordKind<Row, Plain>, 'find' | 'written'>,
  id: number,
  save: () => Promise<Plain>,
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
