import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of a program as received by the gateway. */
export type Question = {
  /** The path without the first part, which selects the behaviour; such as /licenses/api/license/validate/. */
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a program may send anything
  body: any;
  headers: IncomingMessage['headers'];
};

/** A behaviour between program and server: a proxy, a broken network, a fake server. */
export type Behaviour = (question: Question, response: ServerResponse) => void | Promise<void>;

export type Gateway = {
  /** Returns a server URL for a program; calls to it are answered by this behaviour. */
  through: (behaviour: Behaviour) => string;
  stop: () => Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Answers with JSON. */
export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts a server on which each behaviour has a separate URL. */
export async function startGateway(): Promise<Gateway> {
  const behaviours: Behaviour[] = [];
  const server = createServer(async (request, response) => {
    const [, number = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    try {
      await behaviours[Number(number)]!(
        { path, body: await bodyOf(request), headers: request.headers },
        response,
      );
    } catch {
      // The program disconnected, or sent no JSON.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    through: (behaviour) => `http://127.0.0.1:${port}/${behaviours.push(behaviour) - 1}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const html = '<!doctype html><title>Inicia sesión</title><p>Acepta las condiciones de esta red.</p>';

/**
 * Networks and servers that give no valid answer, by name. `problem` is the reason if nothing was stored, `detail`
 * explains it; `timeout` is the program's timeout in seconds, if it must wait.
 * @param elsewhere the target of the redirect
 */
export function outages(
  elsewhere: string,
): Record<string, { behave: Behaviour; problem: string; detail: string; timeout?: number }> {
  const status = (code: number, body: unknown = { success: false }): Behaviour => {
    return (_question, response) => answer(response, code, body);
  };
  const text = (code: number, content: string, type = 'text/html'): Behaviour => {
    return (_question, response) => void response.writeHead(code, { 'content-type': type }).end(content);
  };
  return {
    'the connection is cut': {
      behave: (_question, response) => void response.destroy(),
      problem: 'no_connection',
      detail: 'unreachable',
    },
    'no answer comes': { behave: () => {}, problem: 'no_connection', detail: 'timeout', timeout: 0.3 },
    'an answer that never ends': {
      behave: (_question, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"token":"');
        const timer = setInterval(() => response.write('a'), 50);
        response.once('close', () => clearInterval(timer));
      },
      problem: 'no_connection',
      detail: 'timeout',
      timeout: 0.3,
    },
    'too many questions (429)': {
      behave: status(429, { code: 'rate_limited' }),
      problem: 'no_connection',
      detail: 'rate_limited',
    },
    'a fault (500)': { behave: status(500), problem: 'no_connection', detail: 'server_error' },
    'maintenance (503)': { behave: text(503, html), problem: 'no_connection', detail: 'server_error' },
    'a proxy that asks who is there (407)': {
      behave: (_question, response) =>
        void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="red"' }).end(html),
      problem: 'no_connection',
      detail: 'proxy',
    },
    'a page of a proxy (200)': { behave: text(200, html), problem: 'unverified', detail: 'not_the_server' },
    'a page of a proxy (403)': { behave: text(403, html), problem: 'unverified', detail: 'not_the_server' },
    'no JSON object': {
      behave: text(200, '["token"]', 'application/json'),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'no token': {
      behave: status(200, { success: true, valid: true }),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'a refusal without a token': {
      behave: status(404, { code: 'license_not_found' }),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'a token that is no text': {
      behave: status(200, { token: { valid: true } }),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'a token of broken characters': {
      behave: text(200, '{"token":"\\ud800.\\udfff.\\u0000"}', 'application/json'),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'JSON of ten thousand levels': {
      behave: text(200, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 'application/json'),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'a token whose header has ten thousand levels': {
      behave: status(200, { token: `${Buffer.from('['.repeat(10_000)).toString('base64url')}.e30.AAAA` }),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'JSON with a number of ten thousand digits': {
      behave: text(200, `{"token":${'9'.repeat(10_000)},"b":1e99999}`, 'application/json'),
      problem: 'unverified',
      detail: 'not_the_server',
    },
    'an empty body': { behave: text(200, ''), problem: 'unverified', detail: 'not_the_server' },
    'a redirect': {
      behave: ({ path }, response) => void response.writeHead(307, { location: elsewhere + path }).end(),
      problem: 'unverified',
      detail: 'not_the_server',
    },
  };
}
