import type { FieldFaults } from '../../contract/base/field-errors.ts';
import { isUniqueViolation, isUniqueViolationOf } from '../db/dialect.ts';
import { invalid } from '../errors.ts';

/**
 * For `catch` after a write that may violate a unique index: turns the violation into an error of a field.
 * @param errors the errors by field for a value that is taken (400); any other failure is thrown unchanged
 */
export const refuseTaken =
  (errors: FieldFaults) =>
  (error: unknown): never => {
    throw isUniqueViolation(error) ? invalid(errors) : error;
  };

/**
 * Refuses a taken value of a table with several unique columns: only its field gets an error (400).
 * @param errors the error of each field, by the name of its column
 */
export const refuseTakenColumn =
  (errors: FieldFaults) =>
  (error: unknown): never => {
    const taken = Object.entries(errors).find(([column]) => isUniqueViolationOf(error, column));
    throw taken ? invalid(Object.fromEntries([taken])) : error;
  };
