import { answerError, isRecord, type QueryValues, queryString, unwrap } from './answer.ts';
import { ApiError, CalledOff, networkError } from './api-error.ts';
import { reportAnswer, reportSilence } from './connection.ts';
import { followUse, isInUse } from './last-use.ts';
import { redactPath } from './redact.ts';
import {
  currentRefreshToken,
  currentToken,
  endSession,
  isRenewalDue,
  renewSession,
  requireMfaSetup,
  useSession,
} from './session.ts';
import { confirmAgain } from './step-up.ts';

/** The same origin, unless the build sets another one (D113). */
const API_ORIGIN = String(import.meta.env.VITE_API_URL ?? '').replace(/(?<!\/)\/+$/, '');

/** The address of a public file on the server, for images. */
export const fileAddress = (path: string) => API_ORIGIN + path;

const TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const RENEWAL_CHECK_MS = 30_000;
const REFRESH_PATH = '/api/auth/refresh/';
const REFRESH_LOCK = 'license_manager_refresh';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  /** Empty values are left out. */
  query?: QueryValues;
  /** Sent as JSON. A file is sent unchanged, with its own content type. */
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The message if the failed answer has none. Default: 'HTTP {status}'. */
  fallback?: string;
  /**
   * For calls about the session itself (sign-in, sign-out, refresh): a 401 does not end the session (D003, D122), and
   * the token is not renewed before the call. `allow401`: the messages of a 401 that are shown unchanged.
   */
  ownSession?: { allow401?: readonly string[] };
  /** Replaces `fetch` for this request. Uploads use it to report their progress (upload.ts). */
  transport?: typeof fetch;
  /** Milliseconds until the call counts as failed. Default: thirty seconds. */
  timeout?: number;
}

/**
 * Calls the server and returns its answer, unwrapped from `{success, data}`; undefined for an empty body. `Answer` is
 * the contract's type of that path: the console trusts its server and validates no answer here.
 *
 * @throws {ApiError} for every failure; {@link CalledOff} if the person does not confirm who it is. A 401 also ends the
 * session (SEED-4-05, SEED-8.1-01).
 */
export async function request<Answer>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { response, token } = await send(method, path, options, options.timeout ?? TIMEOUT_MS);
  const body = await readJson(response);
  if (!response.ok) {
    const failed = failure(response, body.value, token, options);
    // The server refused the call until the person enters the password again (PEOPLE-05). After that the same call is
    // repeated.
    if (failed.code !== 'step_up_required') throw failed;
    const isConfirmed = await confirmAgain();
    if (isConfirmed) return request(method, path, options);
    throw isConfirmed === null ? failed : new CalledOff(failed);
  }
  // A JSON body that breaks off, even with a 2xx status, means that the connection broke (D033).
  if (body.broken !== null) throw networkError(body.broken, navigator.onLine);
  return unwrap(body.value) as Answer;
}

/**
 * Downloads a file and saves it with the file name from the server.
 * @param failure the message of every failure but a 401, e.g. 'Failed to export clients' (SEED-8.1-08 to -10)
 * @throws {ApiError}
 */
export async function download(
  path: string,
  { query, failure: message, fileName }: { query?: QueryValues; failure: string; fileName: string },
): Promise<void> {
  let blob: Blob;
  let response: Response;
  try {
    const answer = await send('GET', path, { query }, DOWNLOAD_TIMEOUT_MS);
    response = answer.response;
    if (!response.ok) throw failure(response, undefined, answer.token, { fallback: message });
    blob = await response.blob();
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'network') throw error;
    throw new ApiError({ status: 0, code: 'network', message });
  }
  saveAs(blob, nameFrom(response.headers.get('content-disposition')) ?? fileName);
}

/**
 * Makes a call that answers with a file, and saves it with the file name from the server.
 * @throws {ApiError}
 */
export async function requestFile(
  path: string,
  { fileName, ...options }: RequestOptions & { fileName: string },
): Promise<void> {
  const { response, token } = await send('POST', path, options, TIMEOUT_MS);
  if (!response.ok) throw failure(response, (await readJson(response)).value, token, options);
  saveAs(await response.blob(), nameFrom(response.headers.get('content-disposition')) ?? fileName);
}

/**
 * Renews the access token if it expires soon and a person uses the page. One tab renews it for all tabs (D008). Never
 * throws.
 */
export async function renewIfDue(): Promise<void> {
  if (!isRenewalDue(Date.now()) || !isInUse(Date.now())) return;
  renewal ??= withLock(renew).finally(() => {
    renewal = null;
  });
  await renewal;
}

let renewal: Promise<void> | null = null;

/** Renews the access token in time while the page is open, even if no calls are made. Call it once. */
export function keepRenewed(): void {
  followUse();
  setInterval(() => void renewIfDue(), RENEWAL_CHECK_MS);
}

async function renew(): Promise<void> {
  // Another tab may have renewed the token while this tab waited for the lock.
  await useSession.persist.rehydrate();
  const refreshToken = currentRefreshToken();
  if (!isRenewalDue(Date.now()) || refreshToken === null) return;
  try {
    const pair = await request<{ token: string; refresh_token: string }>('POST', REFRESH_PATH, {
      body: { refresh_token: refreshToken },
      ownSession: {},
    });
    // After a sign-out, or a sign-in as another user, the new tokens are discarded.
    if (currentRefreshToken() === refreshToken) renewSession(pair);
  } catch (error) {
    // Only a refused refresh ends the session. If the server cannot be reached, the old token may still be valid.
    const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    if (refused && currentRefreshToken() === refreshToken) endSession('expired');
  }
}

/** After a tab gets the lock, it sees storage changes of other tabs only after a short delay. */
const STORAGE_DELAY_MS = 100;

/**
 * navigator.locks exists only with HTTPS or on localhost. Without it, the server accepts an old refresh token for ten
 * more seconds, which is sufficient (D008).
 */
async function withLock(work: () => Promise<void>): Promise<void> {
  if (navigator.locks === undefined) return work();
  await new Promise<void>((resolve, reject) => {
    // The caller continues when the work is done; the lock is held a little longer.
    const worked = async () => {
      await work();
      resolve();
      await new Promise((letGo) => setTimeout(letGo, STORAGE_DELAY_MS));
    };
    navigator.locks.request(REFRESH_LOCK, worked).catch(reject);
  });
}

async function send(
  method: Method,
  path: string,
  { query = {}, body, signal, headers, ownSession, transport = fetch }: RequestOptions,
  timeout: number,
): Promise<{ response: Response; token: string | null }> {
  if (ownSession === undefined) await renewIfDue();
  const target = path + queryString(query);
  const token = currentToken();
  const started = performance.now();
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await transport(API_ORIGIN + target, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': body instanceof Blob ? body.type : 'application/json' }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    log(method, target, response.status, started);
    if (response.ok) reportAnswer();
    return { response, token };
  } catch (error) {
    const failed = networkError(error, navigator.onLine);
    // Without a token the sign-in screen is open, and it shows failures of its calls itself (SEED-2.4-07).
    if (token !== null && signal?.aborted !== true) reportSilence();
    log(method, target, failed.message, started);
    throw failed;
  }
}

function failure(
  response: Response,
  body: unknown,
  token: string | null,
  { fallback, ownSession }: RequestOptions,
): ApiError {
  // A late answer to a call with a replaced token must not end the current session.
  const current = token === null || token === currentToken();
  if (response.status === 401 && ownSession === undefined && current) endSession('expired');
  if (response.status === 403 && isForbidden(body) && current) refused();
  const failed = answerError({
    status: response.status,
    body,
    retryAfter: response.headers.get('retry-after'),
    fallback,
    allow401: ownSession?.allow401,
  });
  if (failed.code === 'mfa_setup_required' && current) requireMfaSetup(true);
  return failed;
}

/**
 * True if the role of the signed-in person does not allow the call. The permissions that the console has may be
 * outdated.
 */
const isForbidden = (body: unknown) => isRecord(body) && body.code === 'forbidden';

let refused = () => {};

/** Sets the function that runs after a call was refused because of the person's role. */
export function whenRefused(callback: () => void): void {
  refused = callback;
}

/** Reads a body that may be empty (204, D090) or no JSON at all (a proxy's error page). */
async function readJson(response: Response): Promise<{ value: unknown; broken: unknown }> {
  try {
    const text = await response.text();
    return { value: text.trim() === '' ? undefined : JSON.parse(text), broken: null };
  } catch (error) {
    return { value: undefined, broken: error };
  }
}

/** Logs method, path, outcome and duration of a call, but no body, header or secret (D001). */
function log(method: Method, target: string, outcome: number | string, started: number): void {
  console.debug(`${method} ${redactPath(target)} ${outcome} ${Math.round(performance.now() - started)} ms`);
}

function nameFrom(disposition: string | null): string | null {
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]?.trim() ?? null;
}

/** Lets the browser save a blob as a file. */
export function saveAs(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the object URL only after `click()` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
