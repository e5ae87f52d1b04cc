import { useCallback, useRef } from 'react';
import { ApiError } from './api-error.ts';

/**
 * A random UUID (version 4). `crypto.randomUUID` exists only with HTTPS or on localhost, and many consoles on company
 * networks have neither. `getRandomValues` exists everywhere.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** True if the server refused this attempt. The next submit is a new attempt and needs a new key. */
export const isAttemptOver = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/**
 * Sends a POST that creates a record, with one Idempotency-Key for each attempt. After a network failure or a 5xx the
 * key stays the same, because the server may have stored the record. After a success or a refusal (4xx) a new key is
 * used.
 *
 *     const createOnce = useIdempotentAttempt();
 *     await createOnce((headers) => request('POST', path, { body, headers }));
 */
export function useIdempotentAttempt() {
  const key = useRef<string | null>(null);
  return useCallback(async <Answer>(send: (headers: Record<string, string>) => Promise<Answer>) => {
    key.current ??= newIdempotencyKey();
    try {
      const answer = await send({ 'Idempotency-Key': key.current });
      key.current = null;
      return answer;
    } catch (error) {
      if (isAttemptOver(error)) key.current = null;
      throw error;
    }
  }, []);
}
