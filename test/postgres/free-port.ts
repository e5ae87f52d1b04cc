import { createServer } from 'node:net';

/**
 * Ports below those that the system gives out by itself (from 32768 on Linux): to whoever listens on port 0, and to the
 * near end of each connection. Beside a test that starts a server, other tests open thousands of both, and one would
 * take the server's port before the server listens on it.
 */
const FIRST = 20_000;
const COUNT = 12_000;
/** Test processes have neighbouring ids; each begins so many ports after the one before. */
const APART = 97;

let asked = 0;

/** A TCP port of the loopback interface on which nothing listens, and which this process has not been given lately. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + ((process.pid * APART + asked) % COUNT);
    asked += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${FIRST} to ${FIRST + COUNT - 1} are in use.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
