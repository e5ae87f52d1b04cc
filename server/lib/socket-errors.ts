import type { Socket } from 'node:net';
import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../errors.ts';

/** What Node refuses before there is a request, by its error code. */
const SOCKET_ERRORS: Record<string, [status: number, reason: string, code: ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};

/** Time for the answer to arrive; a peer that does not hang up by itself must not keep the socket. */
const LINGER_MS = 500;

/** Answers a request that could not even be read in the same error shape as all others, and closes the socket. */
export function answerSocketError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, code] = SOCKET_ERRORS[error.code ?? ''] ?? [400, 'Bad Request', 'invalid'];
  const body = JSON.stringify(new AppError(status, code).toBody());
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
