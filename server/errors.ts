import {
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  type FieldErrors,
  type RowError,
} from '../contract/base/errors.ts';
import type { FieldErrorCode, FieldFault, FieldFaults } from '../contract/base/field-errors.ts';

/** An error with its answer: status, stable code and message. Every other error becomes a 500. */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly faults: FieldFaults | undefined;
  readonly current: Record<string, unknown> | undefined;
  readonly mfaToken: string | undefined;
  readonly availableFrom: string | undefined;
  readonly seatFreeAt: string | undefined;
  /** The refused licence, and its open payment request. */
  readonly license: number | undefined;
  readonly paymentRequest: number | undefined;
  /** The client into which the missing one was merged. */
  readonly mergedInto: number | undefined;
  /** The first rows because of which an import cannot be undone. */
  readonly rows: RowError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ErrorCode,
    details: {
      message?: string;
      errors?: FieldFaults;
      current?: Record<string, unknown>;
      mfaToken?: string;
      availableFrom?: string;
      seatFreeAt?: string;
      license?: number;
      paymentRequest?: number;
      mergedInto?: number;
      rows?: RowError[];
      headers?: Record<string, string>;
    } = {},
  ) {
    super(details.message ?? ERROR_CODES[code]);
    this.status = status;
    this.code = code;
    this.faults = details.errors;
    this.current = details.current;
    this.mfaToken = details.mfaToken;
    this.availableFrom = details.availableFrom;
    this.seatFreeAt = details.seatFreeAt;
    this.license = details.license;
    this.paymentRequest = details.paymentRequest;
    this.mergedInto = details.mergedInto;
    this.rows = details.rows;
    this.headers = details.headers ?? {};
  }

  toBody(): ErrorBody {
    return {
      success: false,
      code: this.code,
      message: this.message,
      ...(this.faults && {
        errors: ofEach(this.faults, ({ message }) => message),
        error_codes: ofEach(this.faults, ({ code }) => code),
      }),
      ...(this.current && { current: this.current }),
      ...(this.mfaToken !== undefined && { mfa_token: this.mfaToken }),
      ...(this.availableFrom !== undefined && { available_from: this.availableFrom }),
      ...(this.seatFreeAt !== undefined && { seat_free_at: this.seatFreeAt }),
      ...(this.license !== undefined && { license: this.license }),
      ...(this.paymentRequest !== undefined && { payment_request: this.paymentRequest }),
      ...(this.mergedInto !== undefined && { merged_into: this.mergedInto }),
      ...(this.rows && { rows: this.rows }),
    };
  }
}

/** Takes one part of each error, by field, in the order of the errors. */
const ofEach = <Part>(faults: FieldFaults, part: (fault: FieldFault) => Part): Record<string, Part[]> =>
  Object.fromEntries(Object.entries(faults).map(([field, found]) => [field, found.map(part)]));

/** One error of a field: a code for programs and a text for people. */
export const fault = (code: FieldErrorCode, message: string): FieldFault => ({ code, message });

/** Turns the messages of a rule that both sides share into errors with the code of that rule. */
export const faultsOf = (code: FieldErrorCode, texts: FieldErrors): FieldFaults =>
  Object.fromEntries(
    Object.entries(texts).map(([field, found]) => [field, found.map((text) => fault(code, text))]),
  );

/** 400: one or more fields are invalid; the answer contains all of them. */
export const invalid = (errors: FieldFaults) => new AppError(400, 'invalid', { errors });

/** 401: no session. The console clears its token when it gets this text (SEED-8.1-01). */
export const unauthorized = (message?: string) =>
  new AppError(401, 'unauthorized', { ...(message !== undefined && { message }) });

export const forbidden = (message?: string) =>
  new AppError(403, 'forbidden', { ...(message !== undefined && { message }) });

export const notFound = (message?: string) =>
  new AppError(404, 'not_found', { ...(message !== undefined && { message }) });

/** 409: the present state of a record does not allow it. */
export const conflict = (message: string) => new AppError(409, 'conflict', { message });

/** 409: other records still refer to this record (D013). */
export const inUse = (message: string) => new AppError(409, 'in_use', { message });

/** 409: the licence was paid, so it can only be cancelled (INPUT-18). */
export const hasPayments = () => new AppError(409, 'has_payments');

/** 409: money came in for the open request of a licence, so that nothing ends the request in passing (MONEY-06). */
export const paidInPart = (message: string, license: number, paymentRequest: number) =>
  new AppError(409, 'has_payments', { message, license, paymentRequest });

/** 409: the last renewal was paid when it was sold, so it is not undone (MONEY-05). */
export const soldAndPaid = (message: string) => new AppError(409, 'has_payments', { message });

/** 412: the record was changed in the meantime; `current` is the record as stored now. */
export const stale = (current: object) => new AppError(412, 'stale', { current: { ...current } });

/** 429, with the seconds until another attempt is allowed. */
export const rateLimited = (retryAfterSeconds: number) =>
  new AppError(429, 'rate_limited', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** 503: figures of a large database that are being computed; Retry-After says when to try again. */
export const figuresPending = () => new AppError(503, 'figures_pending', { headers: { 'retry-after': '5' } });

/** 503: the database cannot be reached; Retry-After says when to try again. */
export const unavailable = () => new AppError(503, 'unavailable', { headers: { 'retry-after': '2' } });
