import type { FieldErrors } from '../../contract/base/errors.ts';
import { portalTexts } from '../text/es-portal.ts';
import { reportAnswer, reportSilence } from './connection.ts';

/** All calls of the portal to the server. The session is a cookie that scripts cannot read (PORTAL-03). */

const BASE = '/licenses/api/portal/';
const TIMEOUT_MS = 30_000;

/** What a client reads where the server's message speaks to staff, with *tú* (DESK-08). */
const FOR_CLIENTS: Readonly<Record<string, string>> = {
  rate_limited: portalTexts.tooMany,
  unavailable: portalTexts.failed,
};

/** A call that failed. Decide by `code`, never by the message; status 0 is a call without an answer. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: FieldErrors;
  /** The day from which the call is possible again, 'AAAA-MM-DD' (409 release_limit, file_issued). */
  readonly availableFrom: string | null;

  constructor(status: number, body: Record<string, unknown>) {
    const code = typeof body.code === 'string' ? body.code : '';
    super(FOR_CLIENTS[code] ?? (typeof body.message === 'string' ? body.message : portalTexts.failed));
    this.status = status;
    this.code = code;
    this.fieldErrors = (body.errors as FieldErrors | undefined) ?? {};
    this.availableFrom = typeof body.available_from === 'string' ? body.available_from : null;
  }
}

export const asCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : new CallError(0, {});

interface Call {
  method?: 'GET' | 'POST' | 'PATCH';
  body?: object;
}

/**
 * Calls an endpoint of the portal. `Answer` is the contract's type for that path.
 * @param path below /licenses/api/portal/
 * @throws {CallError} for every failure
 */
export const call = <Answer>(path: string, options: Call = {}): Promise<Answer> =>
  callAt<Answer>(BASE + path, options);

/** Like {@link call}, for another public part of the API: payments. */
export async function callAt<Answer>(path: string, options: Call = {}): Promise<Answer> {
  const response = await send(path, options);
  return (await response.json()) as Answer;
}

/** Makes a call and lets the browser save the answer as a file, with the file name from the server. */
export async function download(path: string, body: object, fileName: string): Promise<void> {
  const response = await send(BASE + path, { method: 'POST', body });
  const named = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = named ?? fileName;
  link.click();
  // The browser reads the object URL only after `click()` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function send(path: string, { method = 'GET', body }: Call): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        // Pages of other origins cannot send this header, so the server recognises calls of the portal by it
        // (PORTAL-03).
        ...(method !== 'GET' && { 'X-Portal': '1', 'Content-Type': 'application/json' }),
      },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    reportSilence();
    throw new CallError(0, { message: portalTexts.noAnswer });
  }
  reportAnswer();
  if (response.ok) return response;
  const error = new CallError(response.status, await readBody(response));
  if (error.status === 401) onSessionEnd();
  throw error;
}

/** The error page of a proxy is not JSON. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

let onSessionEnd = () => {};

/** Sets the function that runs when the server does not accept the session any more. */
export function whenSessionEnds(callback: () => void): void {
  onSessionEnd = callback;
}
