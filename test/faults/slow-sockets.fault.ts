import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, connections, newLicense, percentile, signIn } from './http.ts';
import { record } from './promises.ts';

const SOCKETS = 500;

/** Half of them never complete their headers, half never complete their body. */
const OPENINGS = [
  'GET /api/health/ HTTP/1.1\r\nHost: lento\r\nX-Lento: ',
  'POST /api/auth/login/ HTTP/1.1\r\nHost: lento\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"username":"',
];

/**
 * Sends a byte every second until the server closes the connection.
 * @returns the socket, and the milliseconds until it was closed
 */
function drip(port: number, opening: string): { socket: Socket; closed: Promise<number> } {
  // Like an attacker, this side stays open when the server closes its side.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const start = performance.now();
  socket.on('error', () => undefined);
  // Reads, so that the end of the stream is detected.
  socket.resume();
  socket.once('connect', () => socket.write(opening));
  const timer = setInterval(() => socket.write('x'), 1000);
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => {
      clearInterval(timer);
      resolve(performance.now() - start);
    }),
  );
  return { socket, closed };
}

test.for(ENGINES)(
  '500 sockets that send single bytes slowly do not delay normal requests, %s',
  async (engine, context) => {
    const server = await startForTest(await engineEnv(engine));
    const { token } = await signIn(server);
    await newLicense(server, token);
    const port = Number(new URL(server.url).port);
    const dripping = Array.from({ length: SOCKETS }, (_, index) => drip(port, OPENINGS[index % 2]!));
    onTestFinished(() => {
      for (const { socket } of dripping) socket.destroy();
    });
    let ended = false;
    const closed = Promise.all(dripping.map((one) => one.closed)).finally(() => {
      ended = true;
    });

    const agent = connections(4);
    const times: number[] = [];
    const paths = [
      '/licenses/api/clients/?page_size=20',
      '/licenses/api/licenses/?page_size=20',
      '/licenses/api/statistics/',
    ];
    while (!ended) {
      const path = paths[times.length % paths.length]!;
      const start = performance.now();
      const answer = await call(server, 'GET', path, { token, agent });
      expect(answer.status).toBe(200);
      times.push(performance.now() - start);
      await setTimeout(10);
    }
    agent.destroy();
    const slowest = Math.max(...(await closed));
    const p95 = percentile(times, 0.95);
    record(context, {
      promise:
        '500 sockets dripping bytes: normal requests keep p95 under 200 ms, the slow ones are closed within 15 s',
      engine,
      tried: `${SOCKETS} sockets, the last closed after ${(slowest / 1000).toFixed(1)} s; ${times.length} requests meanwhile, p95 ${Math.round(p95)} ms`,
    });
    expect(slowest).toBeLessThan(15_000);
    expect(p95).toBeLessThan(200);
  },
);
