import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import type { FieldErrors } from '../../contract/errors.ts';
import { invalid, notFound } from '../errors.ts';

/** All that is wrong with an input, by the top-level field that the caller knows. Each text once per field. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'body');
    errors[field] ??= [];
    if (!errors[field].includes(issue.message)) errors[field].push(issue.message);
  }
  return errors;
}

/** Parses with a zod schema; a path parameter that cannot be read names nothing that exists, hence 404. */
export const zodValidatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data) => {
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    return { error: httpPart === 'params' ? notFound() : invalid(fieldErrorsOf(result.error.issues)) };
  };
};
