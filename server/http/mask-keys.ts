import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FILE_TYPES } from '../../contract/base/file-columns.ts';
import { maskKey, maskKeysIn } from '../../contract/licenses/license-key.ts';

/**
 * Masks licence keys in answers to callers who may not read licences (PEOPLE-07). A key can activate machines, and
 * events, mails, notifications and files contain keys. They are masked here for all routes, so that no route can
 * forget it.
 */

/** The fields that contain keys, also imported keys, which may have any form. */
const KEY_FIELDS: ReadonlySet<string> = new Set(['license_key']);

const ISSUES: ReadonlySet<string> = new Set(['/licenses/api/licenses/', '/licenses/api/licenses/batch/']);

/**
 * Whether the answer to a request may contain licence keys. It may for installed programs, which sent the key
 * themselves.
 */
export function maySeeKeys({ principal, method, routeOptions }: FastifyRequest): boolean {
  if (!principal || principal.permissions.has('licenses:read')) return true;
  // A client sees only keys of that client's own licences.
  if (principal.portal) return true;
  // Whoever issues a licence must be able to give its key to the client.
  return method === 'POST' && ISSUES.has(routeOptions.url ?? '');
}

/** A copy of a JSON value in which all licence keys are masked. */
export function withoutKeys<Value>(value: Value): Value {
  const known = new Set<string>();
  collect(value, known);
  const keys = [...known].filter((key) => key !== '');
  return masked(value, (text) =>
    maskKeysIn(keys.reduce((clean, key) => clean.replaceAll(key, maskKey(key)), text)),
  ) as Value;
}

/** A key is in such a field, or in the field's change: `{before, after}`. */
function collect(value: unknown, keys: Set<string>, isKey = false): void {
  if (typeof value === 'string' && isKey) keys.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) collect(part, keys, isKey || KEY_FIELDS.has(name));
}

function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((part) => masked(part, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, masked(part, mask)]));
}

/**
 * A file in which the licence keys that this program made are masked. Each part ends at the end of a line, so no key
 * is split between two parts.
 */
async function* fileWithoutKeys(parts: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const part of parts) yield maskKeysIn(String(part));
}

/** Masks licence keys in every answer to a caller without `licenses:read`. */
export function maskKeys(app: FastifyInstance): void {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    done(null, maySeeKeys(request) ? payload : withoutKeys(payload));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // A workbook is no text; its rows are masked before they are written (file-reply.ts).
    const isText = reply.getHeader('content-type') !== FILE_TYPES.xlsx;
    const isFile = isText && payload instanceof Readable && !maySeeKeys(request);
    done(null, isFile ? Readable.from(fileWithoutKeys(payload)) : payload);
  });
}
