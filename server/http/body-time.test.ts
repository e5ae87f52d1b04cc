import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { limitBodyTime } from './body-time.ts';

/** A short window for the test, in place of ten seconds. */
const WINDOW_MS = 60;
const PART = 40 * 1024;

async function listen(windowMs = WINDOW_MS): Promise<number> {
  const app = Fastify({ bodyLimit: 10_000_000 });
  limitBodyTime(app, {}, windowMs);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const length = async ({ body }: { body: unknown }) => String((body as Buffer).length);
  app.post('/short', length);
  app.post('/long', { config: { bodyMs: WINDOW_MS * 4 } }, length);
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, length);
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return (app.server.address() as { port: number }).port;
}

/**
 * Sends a body in parts, one per half window.
 * @returns the server's whole answer until it closes the connection
 */
async function send(path: string, parts: number, size: number): Promise<string> {
  const socket = connect(await listen(), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${parts * size}\r\n\r\n`,
  );
  for (let part = 0; part < parts && !socket.destroyed; part += 1) {
    socket.write(Buffer.alloc(size, 'a'));
    await sleep(WINDOW_MS / 2);
  }
  await closed;
  return answer;
}

const LATE = /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/;

test('a body that takes longer than its time limit is 408, and the connection is closed', async () => {
  expect(await send('/short', 40, PART)).toMatch(LATE);
});

test('a route for files allows more time as long as bytes arrive', async () => {
  expect(await send('/long', 4, PART)).toMatch(/^HTTP\/1\.1 200 [\s\S]*163840$/);
  expect(await send('/long', 40, 10)).toMatch(LATE);
});

test('a route for files has a total time limit too', async () => {
  expect(await send('/long', 40, PART)).toMatch(LATE);
});

test('a call that is refused before its body is answered without waiting for the body', async () => {
  expect(await send('/refused', 40, 10)).toMatch(/^HTTP\/1\.1 401 (?![\s\S]*408)/);
});

test('of several bodies each has its whole window, whatever the others do', async () => {
  const windowMs = 1000;
  const port = await listen(windowMs);
  const begin = () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('POST /short HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\na');
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (data) => {
        text += data.toString();
      });
      socket.on('close', () => resolve(text));
    });
    return { end: () => socket.write('a'), answer };
  };
  const first = begin();
  await sleep(windowMs / 2);
  const second = begin();
  expect(await first.answer).toMatch(LATE);
  second.end();
  expect(await second.answer).toMatch(/^HTTP\/1\.1 200 /);
  const third = begin();
  expect(await third.answer).toMatch(LATE);
});
