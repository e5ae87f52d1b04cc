import { createServer } from 'node:net';

/** A free TCP port on the loopback interface. Another process may use it before the caller does. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
