import { z } from 'zod';
import { bodyOf, type FormFields, type ValuesOf } from './form-fields.ts';

/**
 * A schema that takes the form's values, converts them to the request, and validates that with the contract's schema.
 */
export const schemaOf = <Fields extends FormFields, Sent>(fields: Fields, contract: z.ZodType<Sent>) =>
  z
    .custom<ValuesOf<Fields>>()
    .transform((form): unknown => bodyOf(fields, form, null))
    .pipe(contract);
