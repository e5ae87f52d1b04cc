import { z } from 'zod';
import { bodyOf, type FormFields, numberErrors, type ValuesOf } from './form-fields.ts';
import { checkTogether } from './spanning-rules.ts';

/**
 * A schema that takes the form's values, converts them to the request, and validates that with the contract's schema.
 */
export const schemaOf = <Fields extends FormFields, Sent>(fields: Fields, contract: z.ZodType<Sent>) =>
  z
    .custom<ValuesOf<Fields>>()
    .transform((form, context) =>
      checkTogether(contract, bodyOf(fields, form, null), numberErrors(fields, form), context),
    );
