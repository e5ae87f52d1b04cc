import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import type { FieldErrors } from '../../contract/errors.ts';
import { invalid, notFound } from '../errors.ts';

/** The errors of an input by top-level field; each text once per field. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'body');
    errors[field] ??= [];
    if (!errors[field].includes(issue.message)) errors[field].push(issue.message);
  }
  return errors;
}

/** Parses with a zod schema; an invalid path parameter is a 404, because no record has it. */
export const zodValidatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data) => {
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    return { error: httpPart === 'params' ? notFound() : invalid(fieldErrorsOf(result.error.issues)) };
  };
};
