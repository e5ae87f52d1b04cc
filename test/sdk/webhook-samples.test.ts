import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { freePort } from '../postgres/free-port.ts';

/**
 * Runs the receivers of docs/webhooks.md unchanged: they accept this server's messages, and no input ends them
 * (HOOK-01).
 */

const docs = join(import.meta.dirname, '..', '..', 'docs');

type Block = { language: string; name: string; text: string };

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(docs, page), 'utf8');
  return [...text.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', name = '', content = '']) => ({ language, name, text: content }),
  );
}

const RECEIVERS = [
  { name: 'JavaScript', language: 'javascript', block: 'js', args: () => ['receiver.mjs'] },
  { name: 'Python', language: 'python', block: 'python', args: () => ['receiver.py'] },
  {
    name: 'PHP',
    language: 'php',
    block: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
] as const;

type Running = { port: number; process: ChildProcess; printed: () => string };

async function startSample(
  { block, args }: (typeof RECEIVERS)[number],
  tool: string,
  port: number,
  secret: string,
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-sample-'));
  for (const { language, name, text } of await blocksOf('webhooks.md')) {
    if (language === block) await writeFile(join(folder, name), text);
  }
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const started = spawn(tool, args(port), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  onTestFinished(async () => {
    if (started.exitCode === null && started.signalCode === null) {
      started.kill('SIGKILL');
      await once(started, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(() => statusOf(port, { method: 'GET' })).toBe(405);
  return { port, process: started, printed: () => printed };
}

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/**
 * Sends a request on a separate connection.
 * @returns the status; 0 if the connection was closed without an answer
 */
function statusOf(port: number, { method = 'POST', headers = {}, body = '' }: Sent): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = request({ host: '127.0.0.1', port, method, headers, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode!);
  });
  sent.on('error', () => resolve(0));
  sent.end(body);
  return promise;
}

/** Sends bytes that are no HTTP request, or only a part of one, and disconnects. */
async function sendBytes(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
}

/** The headers of a message, signed as the specification requires. */
function signed(secret: string, body: string | Buffer, { id = 'msg_1', seconds = Date.now() / 1000 } = {}) {
  const timestamp = String(Math.floor(seconds));
  const key = Buffer.from(secret.split('_')[1]!, 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const BODY = JSON.stringify({ type: 'license.issued', data: { name: 'Ñandú 🦙' } });

/** Requests that every receiver must refuse, and that must not end it. */
function hostile(secret: string): [what: string, sent: Sent, statuses: number[]][] {
  const good = signed(secret, BODY);
  const refused = (what: string, headers: Record<string, string>, body: string | Buffer = BODY) =>
    [what, { headers, body }, [401]] as [string, Sent, number[]];
  const without = (name: keyof typeof good) =>
    Object.fromEntries(Object.entries(good).filter(([header]) => header !== name));
  const now = Date.now() / 1000;
  return [
    refused('no header at all', {}),
    refused('an empty body without headers', {}, ''),
    refused('no id', without('webhook-id')),
    refused('no time', without('webhook-timestamp')),
    refused('no signature', without('webhook-signature')),
    refused('an empty signature', { ...good, 'webhook-signature': '' }),
    refused('a signature without a version', { ...good, 'webhook-signature': 'AAAA' }),
    refused('a signature of another version', {
      ...good,
      'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,'),
    }),
    refused('a signature that is no Base64', { ...good, 'webhook-signature': 'v1,%%% v1, ,,, v1' }),
    refused('a signature in other characters', { ...good, 'webhook-signature': 'v1,ñ\xff\xa0é' }),
    refused('an id in other characters', { ...good, 'webhook-id': 'msg_ñ\xff' }),
    refused('a time in letters', { ...good, 'webhook-timestamp': 'mañana' }),
    refused('a time with a sign', { ...good, 'webhook-timestamp': '-1' }),
    refused('a time of a thousand digits', { ...good, 'webhook-timestamp': '9'.repeat(1000) }),
    refused('an infinite time', { ...good, 'webhook-timestamp': 'Infinity' }),
    refused('an old message', signed(secret, BODY, { seconds: now - 400 })),
    refused('a message of the future', signed(secret, BODY, { seconds: now + 400 })),
    refused('another secret', signed(`whsec_${Buffer.alloc(24, 7).toString('base64')}`, BODY)),
    refused('another body', good, `${BODY} `),
    refused('bytes that are no text', good, Buffer.from([0xff, 0xfe, 0, 0x80])),
    ['another method', { method: 'GET', headers: good }, [405]],
    ['a body of five megabytes', { headers: good, body: 'x'.repeat(5_000_000) }, [413, 0]],
    [
      'a length that is none',
      { headers: { ...good, 'transfer-encoding': 'chunked' }, body: 'x'.repeat(2_000_000) },
      [413, 411, 401, 0],
    ],
  ];
}

/** Texts that are no HTTP request, or that end in the middle of one. */
const BROKEN = [
  'nothing of HTTP\r\n\r\n',
  'POST /avisos HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nhalf of it',
  'POST /avisos HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nx',
];

const expectNoError = (printed: string) =>
  expect(printed).not.toMatch(/Traceback|Exception|Error|Warning|Deprecated|Fatal|Notice/);

const PATH = '/licenses/api/webhooks/';

/** Sends a real message of the server with 'Enviar prueba'. */
async function sendTest(t: TestApp, webhook: number): Promise<string> {
  const { body } = await t.call('POST', `${PATH}${webhook}/test/`);
  return body.status;
}

test('the Spanish and the English page have the same code', async () => {
  expect(await blocksOf('es/recibir-webhooks.md')).toEqual(await blocksOf('webhooks.md'));
});

describe.each(RECEIVERS)('the receiver in $name', (sample) => {
  test('accepts messages of the server, refuses all others, and continues to run', async ({ skip }) => {
    const tool = await findToolchain(sample.language);
    if (tool === undefined) skip();
    const port = await freePort();
    const t = await createTestApp();
    const { body: webhook } = await t.call('POST', PATH, {
      body: { url: `http://127.0.0.1:${port}/avisos`, types: ['license.*'] },
    });
    const { secret } = webhook;
    const running = await startSample(sample, tool!, port, secret);
    expect(await sendTest(t, webhook.id)).toBe('delivered');
    await expect.poll(running.printed).toContain('webhook.test');

    for (const [what, sent, statuses] of hostile(secret)) {
      const status = await statusOf(port, sent);
      expect([what, statuses.includes(status), status]).toEqual([what, true, status]);
      expect([what, running.process.exitCode]).toEqual([what, null]);
    }
    // Skipped for PHP, whose receiver runs inside a web server that is not part of the sample.
    for (const bytes of sample.language === 'php' ? [] : BROKEN) await sendBytes(port, bytes);
    expect(await statusOf(port, { headers: signed(secret, BODY), body: BODY })).toBe(204);
    await expect.poll(running.printed).toContain('license.issued');

    // After a rotation messages are signed with both secrets, so a receiver with the old one accepts them.
    await t.call('POST', `${PATH}${webhook.id}/rotate_secret/`);
    expect(await sendTest(t, webhook.id)).toBe('delivered');
    expectNoError(running.printed());
  });
});
