import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type MailMessage = {
  messageId: string;
  from: string;
  /** The display name in From. Absent or empty: the name in `from`. */
  senderName?: string;
  /** The address for replies. Absent or empty: the sender. */
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
  /** Why the mail server accepts no mail now; null when it accepts mail. Never rejects. */
  problem: () => Promise<string | null>;
  close: () => void;
};

/**
 * A failed delivery. `permanent` means that a retry cannot succeed, because the server refused the recipient or the
 * message.
 */
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

/** The parameter of SMTP_URL that allows mail and password without encryption: `?tls=off`. */
const TLS = 'tls';

/**
 * Reads SMTP_URL. A connection beyond this machine is encrypted (smtps: or STARTTLS), unless the address has
 * `?tls=off`. STARTTLS is required and not only tried: an attacker on the way could remove it from the greeting and
 * read password and mail.
 * @returns the address for nodemailer, and whether nothing may be sent before STARTTLS
 */
export function readSmtpUrl(smtpUrl: string): { url: string; requireTLS: boolean } {
  const url = new URL(smtpUrl);
  const isOff = url.searchParams.get(TLS) === 'off';
  // nodemailer would read these parameters as its options.
  for (const name of [TLS, 'ignoreTLS', 'requireTLS', 'opportunisticTLS']) url.searchParams.delete(name);
  const isEncrypted = url.protocol === 'smtps:';
  return { url: url.href, requireTLS: !isEncrypted && !isOff && !isThisMachine(url.hostname) };
}

/** Other names do not count, even if they lead to this machine: a name server outside of it resolves them. */
const isThisMachine = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Sends mail over SMTP through a small pool of open connections. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  const { url, requireTLS } = readSmtpUrl(smtpUrl);
  const transport = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({
      url,
      requireTLS,
      pool: true,
      maxConnections: 4,
      // nodemailer retries once, because a pooled connection may be closed. Later retries are made by the mail job,
      // which waits longer.
      maxRequeues: 1,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  const problem = () =>
    transport()
      .then((opened) => opened.verify())
      .then(
        () => null,
        (error) => toMailError(error).message,
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
    isReachable: async () => (await problem()) === null,
    problem,
    close: () => transport.ifUsed((opened) => opened.close()),
  };
}

/** Writes each message to a file, for a server without SMTP. */
export function createFileMailer(directory: string): Mailer {
  const composer = onFirstUse(async () =>
    (await loadNodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  return {
    send: async (message) => {
      const { message: content } = await (await composer()).sendMail(toNodemailer(message));
      const name = `${message.messageId.replace(/[^A-Za-z0-9.-]/g, '_')}.eml`;
      try {
        // Writes a temporary file and renames it, so that nobody reads a partial message.
        const temporary = join(directory, `.${name}.tmp`);
        const write = () => writeFile(temporary, content, { mode: 0o600, flush: true });
        await write().catch(async () => {
          // Makes the folder for the first message, and again if somebody has removed it.
          await mkdir(directory, { recursive: true, mode: 0o700 });
          await write();
        });
        await rename(temporary, join(directory, name));
      } catch (error) {
        throw toMailError(error);
      }
    },
    isReachable: () => Promise.resolve(true),
    problem: () => Promise.resolve(null),
    close: () => composer.ifUsed((opened) => opened.close()),
  };
}

/** Sends nothing, for a drill (OUTBOUND=0): messages stay in the outbox. */
function createHeldMailer(): Mailer {
  const reason = 'OUTBOUND=0: este servidor no envía correos';
  return {
    send: () => Promise.reject(new MailError(reason, false, undefined)),
    isReachable: () => Promise.resolve(false),
    problem: () => Promise.resolve(reason),
    close: () => {},
  };
}

/** Chooses the mailer by the configuration. */
export function mailerOf({
  smtpUrl,
  dataDir,
  outbound,
}: {
  smtpUrl: string | null;
  dataDir: string;
  outbound: boolean;
}): Mailer {
  if (!outbound) return createHeldMailer();
  return smtpUrl === null ? createFileMailer(join(dataDir, 'outbox')) : createSmtpMailer(smtpUrl);
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

/** The address in `from`, with another display name. */
const named = (name: string, from: string) => ({
  name: oneLine(name),
  address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim(),
});

/** A line break or NUL in a header would start a new header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/**
 * SMTP commands whose permanent refusal concerns the message itself. After other refusals an administrator can
 * correct the settings.
 */
const ABOUT_THE_MESSAGE = ['RCPT TO', 'DATA'];

export const NO_TLS =
  'El servidor de correo no ofrece cifrado (STARTTLS), y sin él la contraseña y los correos viajarían a la vista. ' +
  'Usa smtps:// o un servidor con STARTTLS; si la red entre ambos es de confianza, agrega ?tls=off a SMTP_URL.';

function toMailError(error: unknown): MailError {
  const { message, responseCode, command, code } = error as Error & {
    responseCode?: number;
    command?: string;
    code?: string;
  };
  // With a response code the server has refused STARTTLS; without one TLS itself failed, and the error's message has
  // the reason.
  if (code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined)
    return new MailError(NO_TLS, false, error);
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isPermanent = isRefusal && command !== undefined && ABOUT_THE_MESSAGE.includes(command);
  return new MailError(message.slice(0, 500), isPermanent, error);
}
