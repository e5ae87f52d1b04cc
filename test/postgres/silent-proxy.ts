import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy on the loopback interface that can stop forwarding, like a firewall that drops a connection without closing
 * it.
 */
export type SilentProxy = {
  /** The target's URL through the proxy. */
  url: string;
  /** The number of open connections. */
  open: () => number;
  /** The number of connections opened so far. */
  opened: () => number;
  /** Discards all data in both directions from now on. */
  goSilent: () => void;
  /** Forwards new data again; discarded data stays lost. */
  resume: () => void;
  /** Closes all connections, and connects new ones to another server, like a load balancer after a failover. */
  leadTo: (target: string) => void;
  close: () => Promise<void>;
};

/** @param target the URL of a PostgreSQL server */
export async function startSilentProxy(target: string): Promise<SilentProxy> {
  let address = new URL(target);
  const sockets = new Set<Socket>();
  let silent = false;
  let open = 0;
  let opened = 0;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      if (!silent && !to.destroyed) to.write(chunk);
    });
    // The error is ignored: the close event closes the other side too.
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
    leadTo: (other) => {
      address = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
