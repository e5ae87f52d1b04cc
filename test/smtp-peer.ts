import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A received message: the sender and recipients of its envelope, and its content. */
type ReceivedMail = { from: string; to: string[]; email: Email; raw: string };

/** The server's answer; `hang` sends none until {@link SmtpPeer.release}. */
export type SmtpAnswer = 'accept' | 'hang' | { code: number; text: string };

export type SmtpPeer = {
  /** The URL for SMTP_URL. */
  url: string;
  /** Accepted messages, in order. */
  accepted: ReceivedMail[];
  /** Every completely received message, whether accepted or not. */
  offered: ReceivedMail[];
  /** The answers to a recipient and to a complete message. */
  answers: { recipient: (address: string) => SmtpAnswer; message: (mail: ReceivedMail) => SmtpAnswer };
  /**
   * The first accepted message, past or future, for which `matches` is true.
   * @throws Error after `timeout` milliseconds, with the recipients of messages that arrived
   */
  waitFor: (matches: (mail: ReceivedMail) => boolean, timeout?: number) => Promise<ReceivedMail>;
  /** Accepts all messages that wait for an answer. */
  release: () => void;
  /** Closes all connections and stops listening. May be called twice. */
  stop: () => Promise<void>;
};

type PeerOptions = {
  auth?: 'refuse';
  /** Default: a free port of 127.0.0.1. */
  at?: { host: string; port: number };
  /** Encryption: from the start, or by STARTTLS. Default: none. */
  tls?: { from: 'start' | 'starttls'; key: string | Buffer; cert: string | Buffer };
  /** The user that must sign in. */
  signIn?: { username: string; password: string };
};

/** A port that Configuración › Correos takes (DESK-07). */
export const MAIL_PORT = 2525;

let used = 0;

/** An address of this machine that no other test uses. Where there is only one, tests that need it wait in vain. */
export function ownAddress(): string {
  if (process.platform === 'darwin') return '127.0.0.1';
  used += 1;
  return `127.${1 + (process.pid % 250)}.${(process.pid >> 8) % 250}.${used}`;
}

/** Starts a real SMTP server on the loopback interface with answers set by the test. The test must stop it. */
export async function startSmtpPeer(options: PeerOptions = {}): Promise<SmtpPeer> {
  const { at, tls, signIn } = options;
  const hanging: (() => void)[] = [];
  const answer = (given: SmtpAnswer, reply: (error?: Error) => void) => {
    if (given === 'accept') reply();
    else if (given === 'hang') hanging.push(reply);
    else reply(Object.assign(new Error(given.text), { responseCode: given.code }));
  };
  const refusesSignIn = options.auth === 'refuse';
  const server = new SMTPServer({
    authOptional: !refusesSignIn && !signIn,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(tls?.from === 'starttls' ? [] : ['STARTTLS']),
      ...(refusesSignIn || signIn ? [] : ['AUTH']),
    ],
    ...(tls && { key: tls.key, cert: tls.cert, secure: tls.from === 'start' }),
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      if (signIn && username === signIn.username && password === signIn.password)
        done(null, { user: username });
      // Some servers repeat what they got.
      else done(Object.assign(new Error(`no: ${username} ${password}`), { responseCode: 535 }));
    },
    onRcptTo: (address, _session, done) => answer(peer.answers.recipient(address.address), done),
    onData: async (stream, session, done) => {
      const raw = await text(stream).catch(() => undefined);
      // The sender disconnected during the message.
      if (raw === undefined) return;
      const { mailFrom, rcptTo } = session.envelope;
      const mail = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map((recipient) => recipient.address),
        email: await PostalMime.parse(raw),
        raw,
      };
      peer.offered.push(mail);
      answer(peer.answers.message(mail), (error) => {
        if (!error) peer.accepted.push(mail);
        done(error);
      });
    },
  });
  // Ignored, because tests may disconnect during a session.
  server.on('error', () => {});
  const port = await listen(server.server, at?.port, at?.host);
  let stopped: Promise<void> | undefined;
  const peer: SmtpPeer = {
    url: `smtp://${refusesSignIn ? 'usuario:clave@' : ''}${at?.host ?? '127.0.0.1'}:${port}`,
    accepted: [],
    offered: [],
    answers: { recipient: () => 'accept', message: () => 'accept' },
    waitFor: async (matches, timeout = 60_000) => {
      const deadline = Date.now() + timeout;
      for (;;) {
        const found = peer.accepted.find(matches);
        if (found) return found;
        if (Date.now() > deadline) {
          const arrived = peer.accepted.map((mail) => mail.to.join(', ')).join('; ') || 'nothing';
          throw new Error(`The message did not come within ${timeout} ms. What came: ${arrived}.`);
        }
        await setTimeout(25);
      }
    },
    release: () => {
      for (const reply of hanging.splice(0)) reply();
    },
    stop: () => {
      peer.release();
      stopped ??= new Promise((resolve) => server.close(() => resolve()));
      return stopped;
    },
  };
  return peer;
}

async function listen(server: Server, at = 0, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The SMTP peer has no port.');
  return address.port;
}

/** Starts a server that receives a complete message and then disconnects without an answer. */
export async function startDroppingPeer(): Promise<{
  url: string;
  drops: () => number;
  stop: () => Promise<void>;
}> {
  let drops = 0;
  const server: Server = createServer((socket) => {
    let isData = false;
    socket.on('error', () => {});
    socket.write('220 peer\r\n');
    socket.on('data', (chunk) => {
      const said = chunk.toString('latin1');
      if (isData) {
        if (!said.includes('\r\n.\r\n')) return;
        drops += 1;
        socket.destroy();
      } else if (/^DATA/im.test(said)) {
        isData = true;
        socket.write('354 go on\r\n');
      } else socket.write('250 ok\r\n');
    });
  });
  const port = await listen(server);
  return {
    url: `smtp://127.0.0.1:${port}`,
    drops: () => drops,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
