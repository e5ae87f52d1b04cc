import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A real receiver of webhooks, with answers set by the test. */

// biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the message
export type Received = { headers: IncomingHttpHeaders; text: string; body: any };
export type Answer = number | ((response: ServerResponse, received: Received) => void);

export type Receiver = {
  url: string;
  port: number;
  /** All messages, accepted or not, in the order of their arrival. */
  received: Received[];
  /** The answer to each message: a status, or a function that uses the response. */
  answer: (received: Received) => Answer;
  /** The number of connections opened so far. */
  connections: () => number;
  stop: () => Promise<void>;
};

/** Starts a receiver on the loopback interface, which answers 204 by default; it is stopped when the test ends. */
export async function startReceiver(): Promise<Receiver> {
  let connections = 0;
  const server = createServer(async (request, response) => {
    const content = await text(request).catch(() => '');
    const received = { headers: request.headers, text: content, body: JSON.parse(content || 'null') };
    receiver.received.push(received);
    const answer = receiver.answer(received);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response, received);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/avisos`,
    port,
    received: [],
    answer: () => 204,
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(receiver.stop);
  return receiver;
}

/** The signature of a received message, computed here from the specification without code of the server. */
export function signatureOf({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.split('_')[1]!, 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
