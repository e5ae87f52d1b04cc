import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import {
  WEBHOOK_ANSWER_KEPT,
  WEBHOOK_ANSWER_READ,
  WEBHOOK_TIMEOUT_MS,
  type WebhookProblem,
} from '../../../contract/system/webhooks.ts';
import { pinnedTo } from '../../lib/network-address.ts';
import { addressesOf, mayReach, type Reach } from './target.ts';

/** The outcome of an attempt; `problem` is null if the message was accepted. */
export type Outcome = { status: number | null; problem: WebhookProblem | null; answer: string | null };

type Post = { url: string; headers: Record<string, string>; body: string };

type PostOptions = {
  /** Aborted when the server stops. */
  signal: AbortSignal;
  /** Keeps the connection open for the next message; without it each message has a separate connection. */
  agents?: Agents;
  timeoutMs?: number;
};

/** Connections that stay open from one message to the next. */
export type Agents = { http: http.Agent; https: https.Agent; destroy: () => void };

export function createAgents(): Agents {
  const options = { keepAlive: true, maxSockets: 1 };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    ...agents,
    destroy: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Sends a message once, within ten seconds in all. The host name is resolved and its addresses are checked here, and
 * the connection uses exactly these addresses. So it does not matter if the name leads elsewhere a moment later
 * (HOOK-03). Redirects are not followed. The status decides as soon as it arrives, even if the rest of the answer
 * fails; at most 64 kB of it are read.
 * @throws the reason of `signal` when the server stops; every other failure is an outcome
 */
export async function postMessage(
  reach: Reach,
  post: Post,
  { signal, agents, timeoutMs = WEBHOOK_TIMEOUT_MS }: PostOptions,
): Promise<Outcome> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, deadline]);
  const failed = (problem: WebhookProblem): Outcome => ({ status: null, problem, answer: null });
  try {
    const url = new URL(post.url);
    const addresses = await orAborted(addressesOf(reach, url), ended);
    if (addresses.length === 0) return failed('dns');
    if (!mayReach(reach, url, addresses)) return failed('private_address');
    const send = () => request(url, post, addresses, ended, agents);
    // The receiver may have closed an open connection meanwhile, before it read anything; then it is tried once more.
    return await send().catch((error: unknown) => {
      if (error instanceof StaleConnection) return send();
      throw error;
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return failed(deadline.aborted ? 'timeout' : problemOf(error));
  }
}

/** Waits for the work or for the abort, whichever comes first, because a name look-up cannot be stopped. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** An open connection broke before any part of an answer arrived. */
class StaleConnection extends Error {}

function request(
  url: URL,
  { headers, body }: Post,
  addresses: LookupAddress[],
  signal: AbortSignal,
  agents: Agents | undefined,
): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const isSecure = url.protocol === 'https:';
  const sent = (isSecure ? https : http).request(url, {
    method: 'POST',
    agent: agents ? (isSecure ? agents.https : agents.http) : false,
    lookup: pinnedTo(addresses),
    signal,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  let isAnswered = false;
  sent.on('response', (response) => {
    isAnswered = true;
    const parts: Buffer[] = [];
    let length = 0;
    const finish = () => resolve(outcomeOf(response.statusCode!, Buffer.concat(parts)));
    response.on('data', (part: Buffer) => {
      if (length < WEBHOOK_ANSWER_KEPT) parts.push(part);
      length += part.length;
      if (length > WEBHOOK_ANSWER_READ) response.destroy();
    });
    response.on('error', finish);
    response.on('close', finish);
  });
  sent.on('error', (error) => {
    // The status has arrived, so the outcome is known; the response is closed next.
    if (isAnswered) return;
    const isStale = sent.reusedSocket && codeOf(error) === 'ECONNRESET';
    reject(isStale ? new StaleConnection('The connection was closed.', { cause: error }) : error);
  });
  sent.end(body);
  return promise;
}

function outcomeOf(status: number, answer: Buffer): Outcome {
  return { status, problem: problemOfStatus(status), answer: textOf(answer) };
}

function problemOfStatus(status: number): WebhookProblem | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** The first kilobyte as text. Characters that a database cannot store, and a character that was cut, are replaced. */
const textOf = (answer: Buffer): string =>
  answer
    .subarray(0, WEBHOOK_ANSWER_KEPT)
    .toString('utf8')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const DNS = /^(ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/;
const TLS =
  /^(ERR_TLS_.*|ERR_SSL_.*|CERT_.*|UNABLE_TO_.*|EPROTO|DEPTH_ZERO_.*|SELF_SIGNED_.*|HOSTNAME_MISMATCH)$/;

/** The kind of problem that an error of the look-up, the connection or the answer means. */
function problemOf(error: unknown): WebhookProblem {
  const code = codeOf(error);
  if (DNS.test(code)) return 'dns';
  if (TLS.test(code)) return 'tls';
  return code.startsWith('HPE_') ? 'bad_answer' : 'connection';
}
