import { createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../../test/webhook-receiver.ts';
import { createAgents, postMessage } from './post-message.ts';
import type { Reach } from './target.ts';

/** A single attempt, with real sockets and receivers that misbehave (HOOK-03). */

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];
const signal = new AbortController().signal;
const DEMO: Reach = { lookUp: async () => LOOPBACK, config: { demo: true, webhooksAllowPrivate: false } };
const STRICT: Reach = { ...DEMO, config: { demo: false, webhooksAllowPrivate: false } };

const post = (
  url: string,
  {
    reach = DEMO,
    ...options
  }: { reach?: Reach; timeoutMs?: number; agents?: ReturnType<typeof createAgents> } = {},
) => postMessage(reach, { url, headers: { 'webhook-id': 'msg_1' }, body: '{"ñ":1}' }, { signal, ...options });

/** A server that answers exactly what the test writes to the socket. */
async function rawServer(speak: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

test('an accepted message is sent completely, with the requested host name', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => (response) => response.writeHead(202).end('gracias');
  const url = `http://receptor.test:${receiver.port}/avisos?a=1`;
  expect(await post(url)).toEqual({ status: 202, problem: null, answer: 'gracias' });
  const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
  expect([headers.host, text]).toEqual([`receptor.test:${receiver.port}`, '{"ñ":1}']);
});

test('a redirect is not followed', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()];
  receiver.answer = () => (response) => response.writeHead(307, { location: other.url }).end();
  expect(await post(receiver.url)).toMatchObject({ status: 307, problem: 'redirect' });
  expect(other.received).toEqual([]);
});

test('an attempt ends when the receiver does not answer', async () => {
  const silent = await rawServer(() => {});
  expect(await post(silent, { timeoutMs: 100 })).toEqual({ status: null, problem: 'timeout', answer: null });
});

test('a receiver that sends its body slowly counts by its status', async () => {
  const slow = await rawServer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhola'),
  );
  expect(await post(slow, { timeoutMs: 200 })).toEqual({ status: 200, problem: null, answer: 'hola' });
});

test('an attempt ends when the host name is not resolved in time', async () => {
  const lookUp = async () => {
    await setTimeout(1000, undefined, { ref: false });
    return LOOPBACK;
  };
  const outcome = await post('http://receptor.test/', { reach: { ...DEMO, lookUp }, timeoutMs: 50 });
  expect(outcome.problem).toBe('timeout');
});

test('a receiver that refuses, closes the connection, or does not speak HTTP is a failure', async () => {
  const gone = await startReceiver();
  await gone.stop();
  expect((await post(gone.url)).problem).toBe('connection');
  const cut = await rawServer((socket) => socket.destroy());
  expect((await post(cut)).problem).toBe('connection');
  const half = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'));
  expect((await post(half)).problem).toBe('connection');
  const nonsense = await rawServer((socket) => socket.end('hola\r\n\r\n'));
  expect((await post(nonsense)).problem).toBe('bad_answer');
});

test('a receiver with a wrong content length or a truncated answer counts by its status', async () => {
  const long = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nhola'));
  expect(await post(long)).toEqual({ status: 200, problem: null, answer: 'hola' });
  const short = await rawServer((socket) =>
    socket.end('HTTP/1.1 500 No\r\ncontent-length: 2\r\n\r\nhola y adiós'),
  );
  expect(await post(short)).toEqual({ status: 500, problem: 'status', answer: 'ho' });
});

test('of an endless answer 64 kB are read and 1 kB is stored', async () => {
  let sent = 0;
  const endless = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const part = Buffer.alloc(16 * 1024, 'x');
    const write = () => {
      sent += part.length;
      if (!socket.destroyed) socket.write(part, () => setImmediate(write));
    };
    write();
  });
  const { answer, ...outcome } = await post(endless);
  expect([outcome, answer!.length]).toEqual([{ status: 200, problem: null }, 1024]);
  // The sockets' buffers hold data that were sent but never read, so the limit is higher than what is read.
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test('characters that no database can store are replaced in the stored answer', async () => {
  const invalid = await rawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\na\u0000b\u0007'),
  );
  expect((await post(invalid)).answer).toBe('a\ufffdb\ufffd');
});

test('http outside demo mode, and every private address, is refused before connecting', async () => {
  const receiver = await startReceiver();
  const { port } = receiver;
  const refused = { status: null, problem: 'private_address', answer: null };
  const urls = [
    receiver.url,
    `https://127.0.0.1:${port}/`,
    `https://receptor.test:${port}/`,
    `https://[::1]:${port}/`,
  ];
  for (const url of urls) expect([url, await post(url, { reach: STRICT })]).toEqual([url, refused]);
  const mixed = async () => [{ address: '93.184.216.34', family: 4 }, ...LOOPBACK];
  expect(await post('https://receptor.test/', { reach: { ...STRICT, lookUp: mixed } })).toEqual(refused);
  expect(await post('http://receptor.test/', { reach: { ...DEMO, lookUp: mixed } })).toEqual(refused);
  expect(receiver.connections()).toBe(0);
});

test('with WEBHOOKS_ALLOW_PRIVATE a private receiver is accepted, and its certificate is checked', async () => {
  const receiver = await startReceiver();
  const reach = { ...STRICT, config: { demo: false, webhooksAllowPrivate: true } };
  expect(await post(`https://receptor.test:${receiver.port}/`, { reach })).toMatchObject({
    status: null,
    problem: 'tls',
  });
  expect(receiver.connections()).toBe(1);
});

test('the connection uses the address that was checked, also when the name resolves differently a moment later', async () => {
  const receiver = await startReceiver();
  let asked = 0;
  const lookUp = async () => {
    asked += 1;
    return asked === 1 ? LOOPBACK : [{ address: '10.0.0.1', family: 4 }];
  };
  const url = `http://receptor.test:${receiver.port}/`;
  expect((await post(url, { reach: { ...DEMO, lookUp } })).status).toBe(204);
  expect(asked).toBe(1);
  expect((await post(url, { reach: { ...DEMO, lookUp } })).problem).toBe('private_address');
});

test('an unknown host name has a separate error', async () => {
  const unknown = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  expect((await post('http://receptor.test/', { reach: { ...DEMO, lookUp: unknown } })).problem).toBe('dns');
  const empty = async () => [];
  expect((await post('http://receptor.test/', { reach: { ...DEMO, lookUp: empty } })).problem).toBe('dns');
});

test('a reused connection that the receiver closed is replaced by a new one', async () => {
  const receiver = await startReceiver();
  const agents = createAgents();
  onTestFinished(agents.destroy);
  let sockets = 0;
  receiver.answer = () => (response) => {
    sockets += 1;
    if (sockets === 2) response.socket!.resetAndDestroy();
    else response.writeHead(204).end();
  };
  expect((await post(receiver.url, { agents })).status).toBe(204);
  expect((await post(receiver.url, { agents })).status).toBe(204);
  expect([receiver.received.length, receiver.connections()]).toEqual([3, 2]);
});

test('stopping the server ends the attempt without a result', async () => {
  const silent = await rawServer(() => {});
  const stop = new AbortController();
  const attempt = postMessage(DEMO, { url: silent, headers: {}, body: '{}' }, { signal: stop.signal });
  stop.abort(new Error('stopping'));
  await expect(attempt).rejects.toThrow('stopping');
});
