import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import type { FieldErrorCode, FieldFaults } from '../../contract/base/field-errors.ts';
import { isParagraph, TEXT_MESSAGES } from '../../contract/base/text.ts';
import { withoutDirectionMarks } from '../../contract/reading/direction.ts';
import { fault, invalid, notFound } from '../errors.ts';

type Issue = z.core.$ZodIssue;

/**
 * The errors of an input by top-level field, each with its code; the same text only once per field.
 * @param input the checked value: an issue at a value that is absent from it gets the code `required`
 */
export function faultsIn(issues: readonly Issue[], input: unknown): FieldFaults {
  const faults: FieldFaults = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'body');
    faults[field] ??= [];
    if (faults[field].some(({ message }) => message === issue.message)) continue;
    faults[field].push({ code: codeOf(issue, input), message: issue.message });
  }
  return faults;
}

/** The code of an issue by its kind (API-04). If a later version of zod adds a kind, this does not compile. */
function codeOf(issue: Issue, input: unknown): FieldErrorCode {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_format':
    case 'invalid_union':
      return isAbsent(valueAt(input, issue.path)) ? 'required' : 'invalid';
    case 'too_big':
      return hasLength(issue.origin) ? 'too_long' : 'out_of_range';
    case 'too_small':
      if (!hasLength(issue.origin)) return 'out_of_range';
      return Number(issue.minimum) <= 1 ? 'required' : 'too_short';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom':
      // A rule made with `coded` contains its code.
      return (issue.params?.code as FieldErrorCode | undefined) ?? 'invalid';
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return 'invalid';
  }
}

const hasLength = (origin: string) => origin === 'string' || origin === 'array' || origin === 'set';

const isAbsent = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );

/** Errors in these are answered in another way: a wrong page is a 404, a wrong size is clamped (D045). */
const PAGING = new Set(['page', 'page_size']);

/**
 * Refuses control characters but line breaks in the texts of a query, because PostgreSQL can neither store NUL nor compare with it.
 * It is done here for all routes, so that a route whose schema forgets it does not answer 500.
 */
function controlFaults(query: unknown): FieldFaults {
  const malformed = Object.entries(query ?? {}).filter(
    ([name, value]) =>
      !PAGING.has(name) && [value].flat().some((one) => typeof one === 'string' && !isParagraph(one)),
  );
  return Object.fromEntries(malformed.map(([name]) => [name, [fault('invalid', TEXT_MESSAGES.characters)]]));
}

/** The texts of a query without marks of direction, which come along when a name or a key is pasted (INPUT-13). */
const withoutMarks = (query: unknown): unknown =>
  Object.fromEntries(
    Object.entries(query ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutDirectionMarks(value) : value,
    ]),
  );

/** Validates with a zod schema. An invalid path parameter is a 404, because no record has it. */
export const zodValidatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data) => {
    const result = schema.safeParse(httpPart === 'querystring' ? withoutMarks(data) : data);
    if (result.success) {
      const faults = httpPart === 'querystring' ? controlFaults(result.data) : {};
      return Object.keys(faults).length === 0 ? { value: result.data } : { error: invalid(faults) };
    }
    return { error: httpPart === 'params' ? notFound() : invalid(faultsIn(result.error.issues, data)) };
  };
};
