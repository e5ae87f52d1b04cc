import type { FieldErrors } from '../../contract/base/errors.ts';

/** The four messages of a request without an answer (SEED-8.1-04 to -07). */
const NETWORK_MESSAGES = {
  unreachable: 'Network error: No se pudo conectar con el servidor',
  cancelled: 'Network error: La solicitud fue cancelada',
  broken: 'Network error: Error de conexión con el servidor',
  unknown: 'Network error: Error de conexión',
} as const;

interface ApiErrorParts {
  status: number;
  code: string;
  message: string;
  fieldErrors?: FieldErrors;
  current?: Record<string, unknown> | null;
  retryAfter?: number | null;
  body?: Record<string, unknown>;
}

/**
 * A failed call to the server, network failures included (`status` 0, `code` 'network').
 * `code` is the server's stable code, '' when it sent none: decide by the code, never by the message.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages by field; empty if the failure concerns no field. */
  readonly fieldErrors: FieldErrors;
  /** The stored record, with code 'stale' (412). */
  readonly current: Record<string, unknown> | null;
  /** Seconds to wait before the next try (Retry-After), if the server sent it. */
  readonly retryAfter: number | null;
  /** The answer's body; empty if it was no JSON object. */
  readonly body: Record<string, unknown>;

  constructor(parts: ApiErrorParts) {
    super(parts.message);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.fieldErrors = parts.fieldErrors ?? {};
    this.current = parts.current ?? null;
    this.retryAfter = parts.retryAfter ?? null;
    this.body = parts.body ?? {};
  }
}

/**
 * A call that the person gave up by cancelling 'Confirma tu identidad' (PEOPLE-05). Nothing has failed, so nothing is
 * said: whatever was open and typed stays.
 */
export class CalledOff extends ApiError {}

/** True for a request without an answer. */
export const isNetworkError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'network';

/** The message of any thrown value, as the screens show it. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : NETWORK_MESSAGES.unknown;

const UNREACHABLE = /failed to fetch|networkerror|load failed|network request failed/i;

/**
 * The error of a failed `fetch` or a broken body (D033). Browsers use different texts for the same failure.
 * @param online `navigator.onLine`
 */
export function networkError(cause: unknown, online: boolean): ApiError {
  return new ApiError({ status: 0, code: 'network', message: networkMessage(cause, online) });
}

function networkMessage(cause: unknown, online: boolean): string {
  if (cause instanceof DOMException && cause.name === 'AbortError') return NETWORK_MESSAGES.cancelled;
  if (!online) return NETWORK_MESSAGES.unreachable;
  if (cause instanceof TypeError) {
    return UNREACHABLE.test(cause.message) ? NETWORK_MESSAGES.unreachable : NETWORK_MESSAGES.broken;
  }
  if (cause instanceof SyntaxError) return NETWORK_MESSAGES.broken;
  return NETWORK_MESSAGES.unknown;
}
