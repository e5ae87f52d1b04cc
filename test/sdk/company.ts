import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { COMPANY_HOST, issuedCertificate } from './certificate.ts';

/** The network of a company: the licence server is reached only through its proxy, under a certificate of its authority. */
export type Company = {
  /** The server's URL. No DNS knows its name. */
  server: string;
  /** The same server without the proxy, under the same certificate. */
  direct: string;
  /** The proxy's URL, with user and password, and without them. */
  proxy: string;
  proxyWithoutUser: string;
  /** The certificate of the authority, as PEM. */
  ca: string;
  /** Where the proxy was asked to lead to since the last call of this, as host:port. */
  tunnels: () => string[];
  stop: () => void;
};

const USER = 'usuario:clave';

async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** What leads to a server by TLS, as nginx does before it. */
function tlsFront(url: string, certificate: { cert: string; key: string }): Server {
  return createServer(certificate, (asked, response) => {
    const { method, headers } = asked;
    const call = request(url + asked.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    call.on('error', () => response.destroy());
    asked.pipe(call);
  });
}

/** A proxy that asks for user and password, and leads only to the licence server. */
function proxyTo(port: number, tunnels: string[]): NetServer {
  const proxy = createHttpServer((_request, response) => void response.writeHead(403).end());
  proxy.on('connect', (asked: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const said = `Basic ${Buffer.from(USER).toString('base64')}`;
    if (asked.headers['proxy-authorization'] !== said) {
      const realm = 'Proxy-Authenticate: Basic realm="red"\r\nContent-Length: 0\r\nConnection: close';
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${realm}\r\n\r\n`);
      return;
    }
    tunnels.push(asked.url!);
    if (asked.url !== `${COMPANY_HOST}:443`) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  return proxy;
}

/** Starts it before a running licence server. */
export async function startCompany(url: string): Promise<Company> {
  const { ca, middle, cert, key } = issuedCertificate();
  const front = tlsFront(url, { cert: cert + middle, key });
  const port = await listen(front);
  const tunnels: string[] = [];
  const proxy = proxyTo(port, tunnels);
  const proxyPort = await listen(proxy);
  return {
    server: `https://${COMPANY_HOST}`,
    direct: `https://localhost:${port}`,
    proxy: `http://${USER}@127.0.0.1:${proxyPort}`,
    proxyWithoutUser: `http://127.0.0.1:${proxyPort}`,
    ca,
    tunnels: () => tunnels.splice(0),
    stop: () => {
      front.closeAllConnections();
      for (const server of [front, proxy]) server.close();
    },
  };
}
