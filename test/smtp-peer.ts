import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { freePort } from './postgres/free-port.ts';

/** One message as it came over the wire: whom it was for, and what was in it. */
export type ReceivedMail = { to: string[]; email: Email; raw: string };

/** What the peer answers; `hang` answers nothing until {@link SmtpPeer.release}. */
export type SmtpAnswer = 'accept' | 'hang' | { code: number; text: string };

export type SmtpPeer = {
  /** For SMTP_URL. */
  url: string;
  /** Messages that were taken, in their order. */
  accepted: ReceivedMail[];
  /** Every message that came in whole, taken or not. */
  offered: ReceivedMail[];
  /** What is answered to a recipient, and to a message that came in whole. */
  answers: { recipient: (address: string) => SmtpAnswer; message: (mail: ReceivedMail) => SmtpAnswer };
  /** Answers whatever hangs by taking it. */
  release: () => void;
  close: () => Promise<void>;
};

/** A real SMTP server on the loopback, which answers what the test wants; gone when its test is done. */
export async function startSmtpPeer(options: { auth?: 'refuse' } = {}): Promise<SmtpPeer> {
  const hanging: (() => void)[] = [];
  const answer = (given: SmtpAnswer, reply: (error?: Error) => void) => {
    if (given === 'accept') reply();
    else if (given === 'hang') hanging.push(reply);
    else reply(Object.assign(new Error(given.text), { responseCode: given.code }));
  };
  const refusesSignIn = options.auth === 'refuse';
  const server = new SMTPServer({
    authOptional: !refusesSignIn,
    allowInsecureAuth: true,
    disabledCommands: refusesSignIn ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
    onRcptTo: (address, _session, done) => answer(peer.answers.recipient(address.address), done),
    onData: async (stream, session, done) => {
      const raw = await text(stream);
      const mail = {
        to: session.envelope.rcptTo.map((recipient) => recipient.address),
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
  // A peer that is let go in the midst of a conversation is part of the tests.
  server.on('error', () => {});
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const release = () => {
    for (const reply of hanging.splice(0)) reply();
  };
  const peer: SmtpPeer = {
    url: `smtp://${refusesSignIn ? 'usuario:clave@' : ''}127.0.0.1:${port}`,
    accepted: [],
    offered: [],
    answers: { recipient: () => 'accept', message: () => 'accept' },
    release,
    close: () => {
      release();
      return new Promise((resolve) => server.close(resolve));
    },
  };
  onTestFinished(peer.close);
  return peer;
}

/** A peer that takes a message in whole and then drops the connection without a word. */
export async function startDroppingPeer(): Promise<{ url: string; drops: () => number }> {
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
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${port}`, drops: () => drops };
}
