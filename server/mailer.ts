import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type MailMessage = {
  messageId: string;
  from: string;
  /** The name shown in From instead of the one in `from`; absent or empty for that one. */
  senderName?: string;
  /** Where answers go; absent or empty for the sender. */
  replyTo?: string;
  /** Further headers by name. */
  headers?: Record<string, string>;
  /** One recipient; name and address are separate, so a comma in either cannot add a second recipient. */
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
};

export type Mailer = {
  /**
   * Delivers the message. Resolves when the mail server has accepted it; rejects with {@link MailError} after a
   * minute at most.
   * @param signal aborts the delivery
   */
  send: (message: MailMessage, signal: AbortSignal) => Promise<void>;
  /** Whether the mail server answers now; never rejects. */
  isReachable: () => Promise<boolean>;
  close: () => void;
};

/** A failed delivery. `permanent` means that a retry cannot succeed: the recipient was refused. */
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
/** The limit for one message, including the wait for a connection. */
export const SEND_TIMEOUT_MS = 60_000;

/** Sends mail over SMTP through a small pool of open connections. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  const transport = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 4,
      // A pooled connection may be closed; every other retry is done by the outbox, which waits longer.
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

/** Without SMTP each message is written to a file. */
export function createFileMailer(directory: string): Mailer {
  const composer = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  return {
    send: async (message) => {
      const { message: content } = await (await composer()).sendMail(toNodemailer(message));
      const name = `${message.messageId.replace(/[^A-Za-z0-9.-]/g, '_')}.eml`;
      try {
        // Written to a temporary file and renamed, so that nobody reads a partial message.
        const temporary = join(directory, `.${name}.tmp`);
        const write = () => writeFile(temporary, content, { mode: 0o600, flush: true });
        await write().catch(async () => {
          // The folder is made with the first message, and again after somebody has removed it.
          await mkdir(directory, { recursive: true, mode: 0o700 });
          await write();
        });
        await rename(temporary, join(directory, name));
      } catch (error) {
        throw toMailError(error);
      }
    },
    isReachable: () => Promise.resolve(true),
    close: () => composer.ifUsed((opened) => opened.close()),
  };
}

/** Loaded with the first message, to save memory in servers that send no mail. */
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
    from: message.senderName ? named(message.senderName, message.from) : message.from,
    ...(message.replyTo && { replyTo: { name: '', address: message.replyTo } }),
    to: { name: oneLine(message.to.name), address: message.to.address },
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    headers: {
      ...Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, value]) => [name, oneLine(value)]),
      ),
      'Auto-Submitted': 'auto-generated',
    },
  };
}

/** The address of `from` with another name. */
const named = (name: string, from: string) => ({
  name: oneLine(name),
  address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim(),
});

/** A line break or NUL in a header would start a new header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/** SMTP commands whose permanent refusal is about the message itself; other refusals can be corrected in the settings. */
const ABOUT_THE_MESSAGE = ['RCPT TO', 'DATA'];

function toMailError(error: unknown): MailError {
  const { message, responseCode, command } = error as Error & { responseCode?: number; command?: string };
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isPermanent = isRefusal && command !== undefined && ABOUT_THE_MESSAGE.includes(command);
  return new MailError(message.slice(0, 500), isPermanent, error);
}
