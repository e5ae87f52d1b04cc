import type { FieldFaults } from '../../contract/field-errors.ts';
import { isUniqueViolation } from '../db/dialect.ts';
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
