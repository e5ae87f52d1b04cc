import { useCallback, useRef } from 'react';
import { ApiError } from './api-error.ts';

/**
 * A random UUID (version 4). `crypto.randomUUID` exists only behind HTTPS or on localhost, unlike `getRandomValues`;
 * a console on a company network often has neither.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** True when the server has refused this attempt: the next submit is a new attempt and needs a new key. */
export const isAttemptOver = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/**
 * Runs a creating POST under one Idempotency-Key per attempt. The key stays after a network failure or a 5xx, where
 * the server may or may not have stored the record, and is renewed after a success or a refusal (4xx).
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
