import { ERROR_CODES, type ErrorBody, type ErrorCode, type FieldErrors } from '../contract/errors.ts';

/** An error that is an answer: a status, a stable code and a text for people. Anything else thrown is a 500. */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly fieldErrors: FieldErrors | undefined;
  readonly current: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ErrorCode,
    details: {
      message?: string;
      errors?: FieldErrors;
      current?: Record<string, unknown>;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(details.message ?? ERROR_CODES[code]);
    this.status = status;
    this.code = code;
    this.fieldErrors = details.errors;
    this.current = details.current;
    this.headers = details.headers ?? {};
  }

  toBody(): ErrorBody {
    return {
      success: false,
      code: this.code,
      message: this.message,
      ...(this.fieldErrors && { errors: this.fieldErrors }),
      ...(this.current && { current: this.current }),
    };
  }
}

/** 400: one or more fields cannot be taken. All of them are named at once. */
export const invalid = (errors: FieldErrors) => new AppError(400, 'invalid', { errors });

/** 401: no session. The console clears its token on it, so the text is the one it knows (SEED-8.1-01). */
export const unauthorized = (message?: string) =>
  new AppError(401, 'unauthorized', { ...(message !== undefined && { message }) });

export const forbidden = (message?: string) =>
  new AppError(403, 'forbidden', { ...(message !== undefined && { message }) });

export const notFound = (message?: string) =>
  new AppError(404, 'not_found', { ...(message !== undefined && { message }) });

/** 409: the record is still needed by others (D013). */
export const inUse = (message: string) => new AppError(409, 'in_use', { message });

/** 412: someone saved in between; `current` is what is stored now, so that nothing is lost unseen. */
export const stale = (current: Record<string, unknown>) => new AppError(412, 'stale', { current });

/** 429, with the seconds after which another try has a chance. */
export const rateLimited = (retryAfterSeconds: number) =>
  new AppError(429, 'rate_limited', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** 503: the database cannot be reached just now; the caller is told to come back. */
export const unavailable = () => new AppError(503, 'unavailable', { headers: { 'retry-after': '2' } });
