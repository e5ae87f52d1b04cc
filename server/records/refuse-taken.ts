import type { FieldFaults } from '../../contract/base/field-errors.ts';
import { isUniqueViolation, isUniqueViolationOf } from '../db/dialect.ts';
import { invalid } from '../errors.ts';

/**
 * What follows a write that may meet a taken name or address, for `catch`.
 * @param errors the errors by field where it is taken (400); any other failure stays what it is
 */
export const refuseTaken =
  (errors: FieldFaults) =>
  (error: unknown): never => {
    throw isUniqueViolation(error) ? invalid(errors) : error;
  };

/**
 * The same for a table with several unique columns: only the field whose column is taken is named.
 * @param errors the error of each field, by the name of its column
 */
export const refuseTakenColumn =
  (errors: FieldFaults) =>
  (error: unknown): never => {
    const taken = Object.entries(errors).find(([column]) => isUniqueViolationOf(error, column));
    throw taken ? invalid(Object.fromEntries([taken])) : error;
  };
