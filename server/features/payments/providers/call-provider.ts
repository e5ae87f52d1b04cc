import { reasonOf } from '../../../lib/reason-of.ts';
import { NOWHERE, ProviderAway, ProviderRefused } from './provider.ts';

/** The timeout for an answer of a provider, in milliseconds. */
const TIMEOUT_MS = 8000;
/**
 * Refusals of this moment only, besides 5xx: a timeout, another call with the same idempotency key that is under way,
 * too many calls.
 */
const OF_NOW: readonly number[] = [408, 409, 429];
/** The largest answer that is read, in bytes. */
const ANSWER_MAX = 2_000_000;

type Call = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
};

/** The JSON of an answer. It is not trusted, so every part is checked when it is read. */
export type Json = Record<string, unknown>;

/**
 * Calls a provider.
 * @throws ProviderAway if it does not answer, or answers 408, 409, 429 or 5xx; ProviderRefused for any other error. Their
 * messages contain nothing of the request, because it contains a token.
 */
export async function callProvider(url: string, call: Call): Promise<Json> {
  if (url.startsWith(NOWHERE)) throw new ProviderAway('OUTBOUND=0: este servidor no llama a proveedores');
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...call, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await readText(response);
  } catch (error) {
    throw new ProviderAway(`no responde: ${reasonOf(error)}`);
  }
  const { status } = response;
  if (OF_NOW.includes(status) || status >= 500) throw new ProviderAway(`respondió ${status}`);
  if (!response.ok) throw new ProviderRefused(status, `respondió ${status}: ${text.slice(0, 300)}`);
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch {
    // Not JSON, so it is handled below as no answer.
  }
  throw new ProviderAway('la respuesta no se entiende');
}

/** The states in which Stripe and Mercado Pago give no money back; a refund that is under way is not one of them. */
const NOT_REFUNDED: readonly unknown[] = ['failed', 'canceled', 'rejected', 'cancelled'];

/**
 * Checks a refund, which a provider can answer with success although it makes none.
 * @throws ProviderRefused if it was not made
 */
export function mustBeRefunded({ status }: Json): void {
  if (NOT_REFUNDED.includes(status)) throw new ProviderRefused(200, `el reembolso quedó ${String(status)}`);
}

async function readText(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > ANSWER_MAX) throw new Error('la respuesta es demasiado larga');
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > ANSWER_MAX) throw new Error('la respuesta es demasiado larga');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object inside an answer; an empty object if it is missing. */
export const partOf = (json: Json, name: string): Json => {
  const part = json[name];
  return isObject(part) ? part : {};
};

/** An id in an answer, where it may also be a number; null if it is missing. */
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

export const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** An instant in an answer, in the form in which it is stored; null if it is missing. */
export function instantIn(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** An instant that an answer has in seconds, in the form in which it is stored; null if it is missing. */
export const secondsIn = (value: unknown): string | null =>
  typeof value === 'number' && value > 0 && value < 1e11 ? new Date(value * 1000).toISOString() : null;

/** An address to which a client can be sent: only http or https. */
export function addressIn(value: unknown): string {
  const text = textIn(value);
  const url = text === null ? null : URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ProviderAway('la respuesta no tiene dirección');
  }
  return url.href;
}
