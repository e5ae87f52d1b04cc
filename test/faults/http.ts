import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { DEMO_ACCOUNT } from '../../contract/people/auth.ts';

/** An answer over a real socket. */
export type HttpAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the answer
  body: any;
};

export type HttpOptions = {
  token?: string | undefined;
  body?: unknown;
  /** A raw body, with its content type in `headers`. */
  payload?: string | Buffer;
  headers?: Record<string, string>;
  /** The connection pool; default: a new connection for each call. */
  agent?: Agent;
  timeoutMs?: number;
};

/**
 * Calls a running server.
 * @throws the socket's error if there is no answer: refused, reset, or no data for `timeoutMs` (30 s)
 */
export function call(
  server: { url: string },
  method: string,
  path: string,
  { token, body, payload: raw, headers, agent, timeoutMs = 30_000 }: HttpOptions = {},
): Promise<HttpAnswer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      server.url + path,
      {
        method,
        agent: agent ?? false,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = String(incoming.headers['content-type'] ?? '').includes('application/json');
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    const timer = setTimeout(() => outgoing.destroy(new Error(`No answer in ${timeoutMs} ms.`)), timeoutMs);
    outgoing.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(payload);
  });
}

/** A pool of connections that stay open between calls, like those of a browser or a load balancer. */
export const connections = (count: number): Agent => new Agent({ keepAlive: true, maxSockets: count });

/**
 * Signs in with the demo account.
 * @returns the tokens
 */
export async function signIn(server: { url: string }): Promise<{ token: string; refresh_token: string }> {
  const answer = await call(server, 'POST', '/api/auth/login/', {
    body: { username: DEMO_ACCOUNT.username, password: DEMO_ACCOUNT.password },
  });
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

let count = 0;

/** A valid, unique client. */
export function newClient(): { name: string; email: string; phone: string } {
  count += 1;
  const mark = `${process.pid}-${count}`;
  return { name: `Cliente ${mark}`, email: `cliente-${mark}@example.com`, phone: '+525512345678' };
}

/**
 * Creates a licence with a new client and software.
 * @throws if one of the three is not created
 */
export async function newLicense(
  server: { url: string },
  token: string,
  values: Record<string, unknown> = {},
): Promise<{ id: number; license_key: string }> {
  const create = async (path: string, body: unknown) => {
    const answer = await call(server, 'POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const client = values.client ?? (await create('/licenses/api/clients/', newClient())).id;
  count += 1;
  const software =
    values.software ??
    (await create('/licenses/api/software/', { name: `Programa ${process.pid}-${count}`, version: '1.0.0' }))
      .id;
  return create('/licenses/api/licenses/', {
    license_type: 'premium',
    price: 100,
    ...values,
    client,
    software,
  });
}

/** The percentile of samples, in their unit. `part` is a fraction, such as 0.95. */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
