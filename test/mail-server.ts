import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { MAIL_PORT, ownAddress, type SmtpPeer, startSmtpPeer } from './smtp-peer.ts';

/** Real mail servers for Configuración › Correos, which takes few ports: each has a loopback address of its own. */

type Options = Omit<NonNullable<Parameters<typeof startSmtpPeer>[0]>, 'at'> & { host?: string };

/** Starts a mail server on {@link MAIL_PORT}, until the test ends. */
export async function startMailServer({
  host = ownAddress(),
  ...options
}: Options = {}): Promise<SmtpPeer & { host: string; port: number }> {
  const peer = await startSmtpPeer({ ...options, at: { host, port: MAIL_PORT } });
  onTestFinished(peer.stop);
  return { ...peer, host, port: MAIL_PORT };
}

/** Starts what is no mail server: it does with a connection what the test says. */
export async function startOther(
  onConnection: (socket: Socket) => void,
): Promise<{ host: string; port: number }> {
  const host = ownAddress();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(MAIL_PORT, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { host, port: MAIL_PORT };
}
