import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { answerSocketError } from './socket-errors.ts';

const HEADERS = { 'strict-transport-security': 'max-age=1' };

/** Both ends of a connection; the caller's end stays open until the test closes it. */
async function connection(): Promise<{ server: Socket; caller: Socket }> {
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  const accepted = once(listener, 'connection');
  const caller = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
  const [server]: Socket[] = await accepted;
  if (!server) throw new Error('No connection was accepted.');
  onTestFinished(() => {
    caller.destroy();
    server.destroy();
    listener.close();
  });
  return { server, caller };
}

const failure = (code?: string) => Object.assign(new Error('no'), code !== undefined && { code });

test.each([
  [failure('HPE_HEADER_OVERFLOW'), '431 Request Header Fields Too Large', 'headers_too_large'],
  [failure('ERR_HTTP_REQUEST_TIMEOUT'), '408 Request Timeout', 'request_timeout'],
  [failure('HPE_INVALID_METHOD'), '400 Bad Request', 'invalid'],
  [failure(), '400 Bad Request', 'invalid'],
])('%j is answered %s with the standard error body', async (error, status, code) => {
  const { server, caller } = await connection();
  answerSocketError(error, server, HEADERS);
  const [head, body] = (await text(caller)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status}\r\n`);
  expect(head).toContain('\r\nstrict-transport-security: max-age=1\r\n');
  expect(JSON.parse(body ?? '')).toMatchObject({ success: false, code, message: expect.any(String) });
});

test('a closed or unwritable connection gets no answer', async () => {
  const reset = await connection();
  answerSocketError(failure('ECONNRESET'), reset.server, HEADERS);
  expect(await text(reset.caller)).toBe('');

  const ended = await connection();
  const errors: Error[] = [];
  ended.server.on('error', (error) => errors.push(error)).end('HTTP/1.1 200 OK\r\n\r\n');
  const closed = once(ended.server, 'close');
  answerSocketError(failure('HPE_INVALID_METHOD'), ended.server, HEADERS);
  await closed;
  expect(errors).toEqual([]);
});

test('the socket is closed after the answer, even if the caller keeps it open (promises)', async () => {
  const { server, caller } = await connection();
  answerSocketError(failure('HPE_INVALID_METHOD'), server, HEADERS);
  await text(caller);
  expect([caller.writable, server.destroyed]).toEqual([true, false]);
  await once(server, 'close');
  expect(server.destroyed).toBe(true);
});
