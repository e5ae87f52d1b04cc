import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy on the loopback that can go silent as a firewall does that forgets its connections: it closes none of them. */
export type SilentProxy = {
  /** The address that was given, through the proxy. */
  url: string;
  /** How many connections its callers hold open just now. */
  open: () => number;
  /** How many were ever opened to it. */
  opened: () => number;
  /** From now on takes whatever is sent, in both directions, and passes nothing on. */
  goSilent: () => void;
  /** Passes on what comes from now on; what was swallowed stays lost. */
  resume: () => void;
  close: () => Promise<void>;
};

/** @param target the address of a PostgreSQL */
export async function startSilentProxy(target: string): Promise<SilentProxy> {
  const address = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;
  let open = 0;
  let opened = 0;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      if (!silent && !to.destroyed) to.write(chunk);
    });
    // Whoever breaks off tells nobody: what counts is that the other side is closed too.
    from.on('error', () => {});
    from.once('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((caller) => {
    open += 1;
    opened += 1;
    caller.once('close', () => {
      open -= 1;
    });
    const upstream = connect(Number(address.port), address.hostname);
    pass(caller, upstream);
    pass(upstream, caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own.port);
  return {
    url: url.toString(),
    open: () => open,
    opened: () => opened,
    goSilent: () => {
      silent = true;
    },
    resume: () => {
      silent = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
