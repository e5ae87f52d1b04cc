import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A message as it came over the wire. */
export type ReceivedMessage = {
  /** Envelope sender and recipients: who the mail really goes to, whatever its headers say. */
  from: string;
  to: string[];
  raw: string;
  /** The same, parsed by a library that the product does not use. */
  mail: Email;
};

/** What the peer does with a recipient: take it, answer with a code of SMTP, or say nothing at all. */
export type SmtpAnswer = 'accept' | 'hang' | { code: number; text: string };

/** A real SMTP server on the loopback. */
export type SmtpPeer = {
  /** For SMTP_URL. */
  url: string;
  port: number;
  messages: ReceivedMessage[];
  /** Decides about every recipient from now on; at first all are accepted. */
  answerWith: (decide: (recipient: string) => SmtpAnswer) => void;
  /**
   * The first message, already here or still to come, for which `matches` holds.
   * @throws Error after `timeout` milliseconds, with the recipients that did arrive
   */
  waitFor: (matches: (message: ReceivedMessage) => boolean, timeout?: number) => Promise<ReceivedMessage>;
  /** Cuts every connection and stops listening. May be called twice. */
  stop: () => Promise<void>;
};

/**
 * Starts an SMTP server on 127.0.0.1 that takes mail from anybody, without TLS or password.
 * @param port one that is free by default; name one to come back where a peer has been before
 */
export async function startSmtpPeer(port = 0): Promise<SmtpPeer> {
  const messages: ReceivedMessage[] = [];
  let decide: (recipient: string) => SmtpAnswer = () => 'accept';
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(address, _session, callback) {
      const answer = decide(address.address);
      if (answer === 'hang') return;
      if (answer === 'accept') callback();
      else callback(Object.assign(new Error(answer.text), { responseCode: answer.code }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        messages.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((recipient) => recipient.address),
          raw: raw.toString('utf8'),
          mail: await PostalMime.parse(raw),
        });
        callback();
      });
    },
  });
  // A sender that is killed in mid-sentence is something the tests do on purpose.
  smtp.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    smtp.server.once('error', reject);
    smtp.listen(port, '127.0.0.1', () => resolve());
  });
  const address = smtp.server.address();
  if (address === null || typeof address === 'string') throw new Error('The SMTP peer has no port.');

  let stopped: Promise<void> | undefined;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    messages,
    answerWith: (next) => {
      decide = next;
    },
    waitFor: async (matches, timeout = 10_000) => {
      const deadline = Date.now() + timeout;
      for (;;) {
        const found = messages.find(matches);
        if (found) return found;
        if (Date.now() > deadline) {
          const arrived = messages.map((message) => message.to.join(', ')).join('; ') || 'nothing';
          throw new Error(`The message did not come within ${timeout} ms. What came: ${arrived}.`);
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    stop: () => {
      stopped ??= new Promise((resolve) => smtp.close(() => resolve()));
      return stopped;
    },
  };
}
