import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailTransport } from '../contract/mail/email-transport.ts';
import { MAIL_ANSWER_MAX, MAIL_PROBLEMS, type MailServerTested } from '../contract/mail/mail-settings.ts';
import {
  certificateProblem,
  MailConnectionError,
  type MailHost,
  type MailReach,
  openConnection,
} from './mail-connection.ts';

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

/** A way in which messages leave. */
type Transport = {
  /**
   * Delivers the message. Resolves when the mail server has accepted it, with its reply; rejects with {@link MailError}
   * after a minute at most.
   * @param signal aborts the delivery
   */
  send: (message: MailMessage, signal: AbortSignal) => Promise<string>;
  /** Why the mail server accepts no mail now; null when it accepts mail. Never rejects. */
  problem: () => Promise<string | null>;
  close: () => void;
};

/** The mail server of Configuración › Correos. */
export type MailServer = MailHost & {
  username: string;
  /** Null: it is stored, but sealed with another SECRET_KEY. '': none. */
  password: string | null;
  /** The sender; '': MAIL_FROM. */
  from: string;
};

/** Sends mail in the way that is configured now: SMTP_URL, else Configuración › Correos, else files in a folder. */
export type Mailer = {
  /**
   * As {@link Transport.send}; the sender is the configured one.
   * @param by another mail server that sends this message
   * @returns how it left
   */
  send: (message: Omit<MailMessage, 'from'>, signal: AbortSignal, by?: MailServer) => Promise<EmailTransport>;
  /** Sends a message once, by a connection of its own, and tells what the mail server said. Never rejects. */
  trySend: (message: Omit<MailMessage, 'from'>, signal: AbortSignal) => Promise<MailServerTested>;
  /** How mail leaves now. */
  transport: () => Promise<EmailTransport>;
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
  /** The reply code of the mail server; null if it gave none. */
  readonly code: number | null;

  constructor(message: string, permanent: boolean, cause: unknown, code: number | null = null) {
    super(message, { cause });
    this.permanent = permanent;
    this.code = code;
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

const TIMEOUTS = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
};
/** A small pool of open connections. */
const POOL = {
  pool: true,
  maxConnections: 4,
  // nodemailer retries once, because a pooled connection may be closed. Later retries are made by the mail job, which
  // waits longer.
  maxRequeues: 1,
} as const;
const NO_FILES = { disableFileAccess: true, disableUrlAccess: true };

/** Sends mail to the server of SMTP_URL. */
export function createSmtpMailer(smtpUrl: string): Transport {
  const { url, requireTLS } = readSmtpUrl(smtpUrl);
  return smtpTransport(
    async () =>
      (await loadNodemailer()).createTransport({ url, requireTLS, ...POOL, ...TIMEOUTS, ...NO_FILES }),
    toMailError,
  );
}

/**
 * Sends mail to the server of Configuración › Correos, whose addresses are checked at each connection (DESK-07).
 * @param isPooled false for a single message
 */
function createServerMailer(reach: MailReach, server: MailServer, isPooled: boolean): Transport {
  const { host, port, security, username, password } = server;
  return smtpTransport(
    async () => {
      if (password === null) throw new MailConnectionError(MAIL_PROBLEMS.lostKey);
      return (await loadNodemailer()).createTransport({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(username !== '' && { auth: { user: username, pass: password } }),
        getSocket: (_options, callback) => {
          openConnection(reach, server, CONNECT_TIMEOUT_MS).then(
            (connection) => callback(null, { connection, secured: security === 'tls' }),
            (error) => callback(error, false),
          );
        },
        ...(isPooled && POOL),
        ...TIMEOUTS,
        ...NO_FILES,
      });
    },
    (error) => serverError(error, server),
  );
}

type Opened = Pick<import('nodemailer').Transporter, 'verify' | 'close'> & {
  sendMail: (message: object) => Promise<{ response?: string }>;
};

function smtpTransport(open: () => Promise<Opened>, explain: (error: unknown) => MailError): Transport {
  const transport = onFirstUse(open);
  return {
    send: async (message, signal) => {
      const abort = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
      try {
        const { response } = await (await transport()).sendMail({ ...toNodemailer(message), signal: abort });
        return response ?? '';
      } catch (error) {
        throw explain(error);
      }
    },
    problem: () =>
      transport()
        .then((opened) => opened.verify())
        .then(
          () => null,
          (error) => explain(error).message,
        ),
    close: () => transport.ifUsed((opened) => opened.close()),
  };
}

/** Writes each message to a file, for a server without SMTP. */
function createFileMailer(directory: string): Transport {
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
        return '';
      } catch (error) {
        throw toMailError(error);
      }
    },
    problem: () => Promise.resolve(null),
    close: () => composer.ifUsed((opened) => opened.close()),
  };
}

/** Sends nothing, for a drill (OUTBOUND=0): messages stay in the outbox. */
function createRefusingMailer(): Transport {
  const reason = 'OUTBOUND=0: este servidor no envía correos';
  return {
    send: () => Promise.reject(new MailError(reason, false, undefined)),
    problem: () => Promise.resolve(reason),
    close: () => {},
  };
}

type MailerOptions = {
  smtpUrl: string | null;
  dataDir: string;
  outbound: boolean;
  mailFrom: string;
  /**
   * The mail server of Configuración › Correos; null for none. It is asked for each message, so that a change, also
   * one of another replica, holds for the next. A version is never given to two servers.
   */
  stored?: () => Promise<{ version: string; server: MailServer } | null>;
  reach?: MailReach;
};

const NOWHERE: MailReach = { lookUp: () => Promise.resolve([]), demo: false, mailAllowPrivate: false };

/** Makes the mailer of a process. */
export function mailerOf({
  smtpUrl,
  dataDir,
  outbound,
  mailFrom,
  stored = () => Promise.resolve(null),
  reach = NOWHERE,
}: MailerOptions): Mailer {
  const refusing = outbound ? null : createRefusingMailer();
  const fixed = smtpUrl === null ? null : createSmtpMailer(smtpUrl);
  const folder = createFileMailer(join(dataDir, 'outbox'));
  const ofServer = currentTransport((server) => createServerMailer(reach, server, true));

  const configured = async () => (fixed === null ? await stored() : null);
  const transport = async (): Promise<EmailTransport> =>
    fixed !== null || (await configured()) !== null ? 'smtp' : 'folder';
  const problem = async () => {
    if (refusing !== null) return refusing.problem();
    if (fixed !== null) return fixed.problem();
    try {
      const found = await configured();
      return found === null ? null : await ofServer.use(found, (open) => open.problem());
    } catch (error) {
      return toMailError(error).message;
    }
  };
  /** Uses another mail server, or the configured one by a connection of its own, for one message. */
  const once = async (server: MailServer, message: Omit<MailMessage, 'from'>, signal: AbortSignal) => {
    const open = createServerMailer(reach, server, false);
    try {
      return await open.send({ ...message, from: server.from || mailFrom }, signal);
    } finally {
      open.close();
    }
  };
  return {
    send: async (message, signal, by) => {
      const sent = { ...message, from: mailFrom };
      if (refusing !== null) await refusing.send(sent, signal);
      if (by !== undefined) {
        await once(by, message, signal);
        return 'smtp';
      }
      if (fixed !== null) {
        await fixed.send(sent, signal);
        return 'smtp';
      }
      const found = await configured();
      if (found === null) {
        await folder.send(sent, signal);
        return 'folder';
      }
      const from = found.server.from || mailFrom;
      await ofServer.use(found, (open) => open.send({ ...message, from }, signal));
      return 'smtp';
    },
    trySend: async (message, signal) => {
      try {
        if (refusing !== null) await refusing.send({ ...message, from: mailFrom }, signal);
        const found = await configured();
        if (fixed === null && found === null)
          return { success: false, code: null, text: MAIL_PROBLEMS.noServer };
        const reply =
          found === null
            ? await fixed!.send({ ...message, from: mailFrom }, signal)
            : await once(found.server, message, signal);
        return { success: true, code: codeIn(reply), text: shortened(reply) };
      } catch (error) {
        const { code, message: text } = error instanceof MailError ? error : toMailError(error);
        return { success: false, code, text: signal.aborted ? MAIL_PROBLEMS.timeout : shortened(text) };
      }
    },
    transport,
    isReachable: async () => (await problem()) === null,
    problem,
    close: () => {
      fixed?.close();
      folder.close();
      ofServer.close();
    },
  };
}

const codeIn = (reply: string) => (/^\d{3}/.test(reply) ? Number(reply.slice(0, 3)) : null);

/** The beginning of what a mail server said, without what a database cannot store. */
const shortened = (text: string) => oneLine(text.toWellFormed()).slice(0, MAIL_ANSWER_MAX).toWellFormed();

/** Keeps the connections to the mail server of one version. Those of the version before close after their messages. */
function currentTransport(open: (server: MailServer) => Transport) {
  type Kept = { version: string; transport: Transport; uses: number };
  let kept: Kept | undefined;
  const release = (one: Kept) => {
    one.uses -= 1;
    if (one.uses === 0 && one !== kept) one.transport.close();
  };
  return {
    use: async <Result>(
      { version, server }: { version: string; server: MailServer },
      work: (transport: Transport) => Promise<Result>,
    ): Promise<Result> => {
      if (kept?.version !== version) {
        const before = kept;
        kept = { version, transport: open(server), uses: 0 };
        if (before?.uses === 0) before.transport.close();
      }
      const one = kept;
      one.uses += 1;
      return work(one.transport).finally(() => release(one));
    },
    close: () => kept?.transport.close(),
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
    from: senderIn(message),
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

/**
 * The address in `from`, with its display name or another one. Read here, because nodemailer reads a list of senders in
 * a name such as 'ventas@example.com, Ventas'.
 */
function senderIn({ from, senderName }: Pick<MailMessage, 'from' | 'senderName'>) {
  const [, name = '', address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? [];
  const shown = /^\s*"(.*)"\s*$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1') ?? name;
  return { name: oneLine(senderName || shown).trim(), address: address.trim() };
}

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

type SmtpError = Error & { responseCode?: number; command?: string; code?: string };

function toMailError(error: unknown): MailError {
  if (error instanceof MailError) return error;
  const { message, responseCode, command, code } = error as SmtpError;
  // With a response code the server has refused STARTTLS; without one TLS itself failed, and the error's message has
  // the reason.
  if (isWithoutStartTls(error as SmtpError)) return new MailError(NO_TLS, false, error);
  // The greeting of what is no mail server is no business of whoever reads the list of mails (DESK-07).
  if (command === 'CONN' && code === 'EPROTOCOL') return new MailError(MAIL_PROBLEMS.notMail, false, error);
  const isRefusal = responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  const isPermanent = isRefusal && command !== undefined && ABOUT_THE_MESSAGE.includes(command);
  return new MailError(message.slice(0, 500), isPermanent, error, responseCode ?? null);
}

const isWithoutStartTls = ({ code, command, responseCode }: SmtpError) =>
  code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined;

/** The text for a failure of a connection, by the code of nodemailer. */
const FAILURES: Readonly<Record<string, string>> = {
  ETIMEDOUT: MAIL_PROBLEMS.timeout,
  ESOCKET: MAIL_PROBLEMS.closed,
  ECONNECTION: MAIL_PROBLEMS.closed,
  ETLS: MAIL_PROBLEMS.tls,
};

/**
 * The error of a server of Configuración › Correos: what it said, or in Spanish what happened. A server that repeats
 * the password does not make it readable.
 */
function serverError(error: unknown, { username, password }: MailServer): MailError {
  const smtp = error as SmtpError & { response?: string };
  if (error instanceof MailConnectionError) return new MailError(error.message, false, error);
  if (isWithoutStartTls(smtp)) return new MailError(MAIL_PROBLEMS.noStartTls, false, error);
  const known = toMailError(error);
  const said = smtp.response ? withoutPassword(smtp.response, username, password ?? '') : null;
  const text = said ?? certificateProblem(error) ?? FAILURES[smtp.code ?? ''] ?? known.message;
  return new MailError(shortened(text), known.permanent, undefined, known.code);
}

function withoutPassword(said: string, username: string, password: string): string {
  if (password === '') return said;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const forms = [base64(`\0${username}\0${password}`), base64(password), password];
  return forms.reduce((text, form) => text.replaceAll(form, '•••'), said);
}
