import { z } from 'zod';
import { bodyOf, type FormFields, type ValuesOf } from './form-fields.ts';

/** The schema of a form: the values as typed in, what is sent out, by the contract's own rules. */
export const schemaOf = <Fields extends FormFields, Sent>(fields: Fields, contract: z.ZodType<Sent>) =>
  z
    .custom<ValuesOf<Fields>>()
    .transform((form): unknown => bodyOf(fields, form, null))
    .pipe(contract);
