import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../contract/base/errors.ts';
import { AppError } from '../errors.ts';

/** The answers to Node's errors that occur before a request exists, by error code. */
const SOCKET_ERRORS: Record<string, [status: number, reason: string, code: ErrorCode]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};

/** The time for the answer to arrive before the server closes the socket. */
const LINGER_MS = 500;

/** Header values by name. They are written here because fastify adds none to these answers. */
type Headers = Readonly<Record<string, string>>;

/** Answers an unreadable request with the standard error body, and closes the socket. */
export function answerSocketError(error: Error & { code?: string }, socket: Socket, headers: Headers): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, code] = SOCKET_ERRORS[error.code ?? ''] ?? [400, 'Bad Request', 'invalid'];
  endWith(socket, reason, new AppError(status, code), headers);
}

/** Refuses CONNECT: no path accepts this method. */
export const refuseTunnel = (headers: Headers) => (_request: IncomingMessage, socket: Duplex) => {
  // Node has removed its error listener from this socket; without one, a disconnect would end the process.
  socket.on('error', () => socket.destroy());
  const error = new AppError(405, 'method_not_allowed', { headers: { Allow: '' } });
  endWith(socket, 'Method Not Allowed', error, headers);
};

function endWith(socket: Duplex, reason: string, error: AppError, headers: Headers): void {
  const body = JSON.stringify(error.toBody());
  const more = Object.entries({ ...headers, ...error.headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(
    `HTTP/1.1 ${error.status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n${more.join('')}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
