import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type MailMessage = {
  messageId: string;
  from: string;
  /** One recipient, name and address apart: a comma in either can never make two of them. */
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
};

export type Mailer = {
  /**
   * Hands the message over. Resolves when the other side has taken it; rejects with {@link MailError}, after a
   * minute at the latest.
   * @param signal gives up at once when it is aborted
   */
  send: (message: MailMessage, signal: AbortSignal) => Promise<void>;
  /** Whether the other side answers just now; never rejects. */
  isReachable: () => Promise<boolean>;
  close: () => void;
};

/** A message that did not leave. `permanent` means that trying again changes nothing: the recipient was refused. */
export class MailError extends Error {
  override name = 'MailError';
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean, cause: unknown) {
    super(message, { cause });
    this.permanent = permanent;
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;
/** For one message as a whole, its wait for a connection included. */
export const SEND_TIMEOUT_MS = 60_000;

/** Mail over SMTP, through a few connections that are kept open. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  const transport = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 4,
      // A kept connection may turn out to be gone; every other repetition is the outbox's affair, which waits longer.
      maxRequeues: 1,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  return {
    send: async (message, signal) => {
      const abort = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
      try {
        await (await transport()).sendMail({ ...toNodemailer(message), signal: abort });
      } catch (error) {
        throw toMailError(error);
      }
    },
    isReachable: () =>
      transport()
        .then((opened) => opened.verify())
        .then(
          () => true,
          () => false,
        ),
    close: () => transport.ifUsed((opened) => opened.close()),
  };
}

/** Without SMTP a message is a file: anyone can open it, and nothing that was promised is lost. */
export function createFileMailer(directory: string): Mailer {
  const composer = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  return {
    send: async (message) => {
      const { message: content } = await (await composer()).sendMail(toNodemailer(message));
      const name = `${message.messageId.replace(/[^A-Za-z0-9.-]/g, '_')}.eml`;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        // Written aside and renamed, so that nobody reads half a message.
        await writeFile(join(directory, `.${name}.tmp`), content, { mode: 0o600, flush: true });
        await rename(join(directory, `.${name}.tmp`), join(directory, name));
      } catch (error) {
        throw toMailError(error);
      }
    },
    isReachable: () => Promise.resolve(true),
    close: () => composer.ifUsed((opened) => opened.close()),
  };
}

/** With the first message: a server that has none to send neither waits for its mailer nor holds it in memory. */
const loadNodemailer = () => import('nodemailer');

function onFirstUse<Value>(make: () => Promise<Value>) {
  let made: Promise<Value> | undefined;
  const use = () => {
    made ??= make();
    return made;
  };
  return Object.assign(use, { ifUsed: (work: (value: Value) => void) => void made?.then(work) });
}

function toNodemailer(message: MailMessage) {
  return {
    messageId: `<${message.messageId}>`,
    from: message.from,
    to: { name: oneLine(message.to.name), address: message.to.address },
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** A line break or NUL in a header would start another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/** What was said to the other side when it refused for good; anything else may be put right without the message. */
const ABOUT_THE_MESSAGE = ['RCPT TO', 'DATA'];

function toMailError(error: unknown): MailError {
  const { message, responseCode, command } = error as Error & { responseCode?: number; command?: string };
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isPermanent = isRefusal && command !== undefined && ABOUT_THE_MESSAGE.includes(command);
  return new MailError(message.slice(0, 500), isPermanent, error);
}
