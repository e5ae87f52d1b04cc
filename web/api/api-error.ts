import type { FieldErrors } from '../../contract/errors.ts';

/** The four texts of a request that never got an answer (SEED-8.1-04 to -07). */
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
 * Every failure of a call to the server, the network's included (`status` 0, `code` 'network').
 * `code` is the server's stable code, '' when it sent none: decide by it, never by the text.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Texts per field; empty when the failure belongs to no field. */
  readonly fieldErrors: FieldErrors;
  /** The record as it is now, with code 'stale' (412). */
  readonly current: Record<string, unknown> | null;
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number | null;
  /** The answer as it came, empty when it was no JSON object. */
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

/** True for a request that never got an answer. */
export const isNetworkError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'network';

/** The text of whatever was thrown, as the screens show it. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : NETWORK_MESSAGES.unknown;

const UNREACHABLE = /failed to fetch|networkerror|load failed|network request failed/i;

/**
 * What a failed `fetch` or a broken body means (D033). Browsers say the same thing in three ways.
 * @param online what the browser knows of its own connection
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
