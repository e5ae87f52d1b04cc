import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, unique } from './staff.ts';

export type Message = { headers: IncomingHttpHeaders; body: string };

/** Another system of the vendor that receives webhook messages. */
export type Receiver = { url: string; messages: Message[]; answer: number };

export const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed.
  receiver: async ({}, use) => {
    const receiver: Receiver = { url: '', messages: [], answer: 200 };
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      receiver.messages.push({ headers: request.headers, body });
      response.writeHead(receiver.answer).end('recibido');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${unique()}`;
    await use(receiver);
    server.closeAllConnections();
    server.close();
  },
});
