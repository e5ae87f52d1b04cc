import type { FieldErrors } from '../../contract/base/errors.ts';
import { ApiError } from './api-error.ts';

/** Pure functions that parse answers of the server, so that each form of answer can be tested without a network. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes `data` out of `{success, data}`, only when both keys are present: a sign-in answer has no `data` (D089). */
export function unwrap(answer: unknown): unknown {
  return isRecord(answer) && 'success' in answer && 'data' in answer ? answer.data : answer;
}

/** Reads the messages of an `errors` object by field. A single text becomes a list with one text. */
export function readFieldErrors(value: unknown): FieldErrors {
  if (!isRecord(value)) return {};
  const errors: FieldErrors = {};
  for (const [field, texts] of Object.entries(value)) {
    const list = (Array.isArray(texts) ? texts : [texts]).filter((text) => typeof text === 'string');
    if (list.length > 0) errors[field] = list;
  }
  return errors;
}

interface FailedAnswer {
  status: number;
  /** The parsed body; undefined if it was empty or not JSON. */
  body: unknown;
  retryAfter: string | null;
  /** The message when the answer has none. Default: 'HTTP {status}' (SEED-8.1-03). */
  fallback?: string;
  /** For the sign-in call only: the messages of a 401 that are shown unchanged (D003). */
  allow401?: readonly string[];
}

/** The error of an answer that is not 2xx (SEED-8.1-01 to -03). */
export function answerError({ status, body, retryAfter, fallback, allow401 = [] }: FailedAnswer): ApiError {
  const parts = isRecord(body) ? body : {};
  const said = typeof parts.message === 'string' && parts.message.trim() !== '' ? parts.message : null;
  const known401 = said !== null && allow401.some((message) => said.includes(message));
  const seconds = Number(retryAfter);
  return new ApiError({
    status,
    code: typeof parts.code === 'string' ? parts.code : '',
    message: status === 401 && !known401 ? 'Unauthorized' : (said ?? fallback ?? `HTTP ${status}`),
    fieldErrors: readFieldErrors(parts.errors),
    current: isRecord(parts.current) ? parts.current : null,
    retryAfter: retryAfter !== null && Number.isFinite(seconds) ? seconds : null,
    body: parts,
  });
}

/** A value in a query; empty values are left out (SEED-7.2-02, SEED-7.3-02, SEED-7.4-02). */
type QueryValue = string | number | boolean | null | undefined;

/** The parameters of a query. A parameter with several values is repeated. */
export type QueryValues = Record<string, QueryValue | readonly string[]>;

/** '?a=1&b=2', or '' without values. False and 0 count as values. */
export function queryString(query: QueryValues): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of typeof values === 'object' && values !== null ? values : [values]) {
      const text = value === null || value === undefined ? '' : String(value).trim();
      if (text !== '') parameters.append(name, text);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
