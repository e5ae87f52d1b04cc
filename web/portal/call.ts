import type { FieldErrors } from '../../contract/base/errors.ts';
import { portalTexts } from '../text/es-portal.ts';
import { noteAnswer, noteSilence } from './connection.ts';

/** The portal's one way to the server. The session is a cookie that no script reads (PORTAL-03). */

const BASE = '/licenses/api/portal/';
const TIMEOUT_MS = 30_000;

/** A call that failed. Decide by `code`, never by the message; status 0 is a call without an answer. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: FieldErrors;
  /** The day from which the call will be answered, 'AAAA-MM-DD' (409 release_limit, file_issued). */
  readonly availableFrom: string | null;

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.message === 'string' ? body.message : portalTexts.failed);
    this.status = status;
    this.code = typeof body.code === 'string' ? body.code : '';
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
 * Calls the portal's part of the API. `Answer` is the contract's type of that path.
 * @param path below /licenses/api/portal/
 * @throws {CallError} for every failure
 */
export const call = <Answer>(path: string, options: Call = {}): Promise<Answer> =>
  callAt<Answer>(BASE + path, options);

/** As {@link call}, for another public part of the API: that of payments. */
export async function callAt<Answer>(path: string, options: Call = {}): Promise<Answer> {
  const response = await send(path, options);
  return (await response.json()) as Answer;
}

/** Calls and gives the answer to the browser as a file to save, under the name that the server says. */
export async function download(path: string, body: object, fileName: string): Promise<void> {
  const response = await send(BASE + path, { method: 'POST', body });
  const named = /filename="?([^";]+)"?/i.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = named ?? fileName;
  link.click();
  // The browser reads the address only after `click()` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function send(path: string, { method = 'GET', body }: Call): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        // No page of another origin can send it: it is what tells the portal's own calls from theirs (PORTAL-03).
        ...(method !== 'GET' && { 'X-Portal': '1', 'Content-Type': 'application/json' }),
      },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    noteSilence();
    throw new CallError(0, { message: portalTexts.noAnswer });
  }
  noteAnswer();
  if (response.ok) return response;
  const error = new CallError(response.status, await readBody(response));
  if (error.status === 401) onSessionEnd();
  throw error;
}

/** A proxy's error page is no JSON. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

let onSessionEnd = () => {};

/** Calls back when the server no longer knows the session. */
export function whenSessionEnds(callback: () => void): void {
  onSessionEnd = callback;
}
