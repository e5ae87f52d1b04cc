import { z } from 'zod';
import { writtenNumber } from '../base/numbers.ts';
import { line } from '../base/text.ts';

/**
 * The vendor's mail server (DESK-07), `/licenses/api/settings/mail/`, only for people with `settings:manage` and a
 * confirmed identity:
 *
 * - `GET` → 200 {@link mailSettings}
 * - `PUT`, `PATCH` {@link mailSettingsUpdate} → 200 {@link mailSettings}; 400, 412 `stale`
 * - `POST test/` {@link mailServerTest} → 200 {@link mailServerTested}; 429 after {@link MAIL_TESTS_OF_HOUR}
 */

export const MAIL_SETTINGS_PATH = '/licenses/api/settings/mail/';

const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITIES)[number];

export const MAIL_PORTS = [25, 465, 587, 2525] as const;

export const MAIL_TESTS_OF_HOUR = 10;
/** The most characters of what a mail server said that an answer contains. */
export const MAIL_ANSWER_MAX = 500;
/** A mail that was written to the folder longer ago is not sent any more. */
export const MAIL_WAITING_DAYS = 30;

const HOST_MAX = 253;
const USERNAME_MAX = 254;
const PASSWORD_MAX = 500;
const FROM_MAX = 320;

/** The fields whose change makes the stored password one of another server. */
export const MAIL_CONNECTION_FIELDS = ['host', 'port', 'security', 'username'] as const;

export const MAIL_SETTINGS_LABELS = {
  host: 'Servidor',
  port: 'Puerto',
  security: 'Seguridad',
  username: 'Usuario',
  password: 'Contraseña',
  from: 'Remitente',
} as const;

export const MAIL_SERVER_MESSAGES = {
  host: 'Escribe solo el nombre del servidor, como smtp.example.com',
  port: `El puerto debe ser ${MAIL_PORTS.slice(0, -1).join(', ')} o ${MAIL_PORTS.at(-1)}`,
  security: 'La seguridad debe ser tls, starttls o none',
  passwordAgain: 'Escribe la contraseña otra vez: la guardada era de la conexión anterior',
  passwordMissing: 'Escribe la contraseña de este usuario',
  usernameMissing: 'Una contraseña necesita un usuario',
  noneNeedsLoopback: 'Sin cifrado solo se admite un servidor de este mismo equipo (localhost)',
  noneTakesNoUser: 'Sin cifrado no se admite un usuario: su contraseña viajaría a la vista',
  privateAddress:
    'Es una dirección de una red privada. Si es tu servidor, quien administra este programa define MAIL_ALLOW_PRIVATE=1',
  from: 'Escribe un remitente como Ventas <ventas@example.com>',
  noRecipient: 'Tu cuenta no tiene un email: escribe a qué dirección va la prueba',
  recipient: 'El email no es válido',
} as const;

/** Why a mail did not leave, where the mail server itself said nothing. */
export const MAIL_PROBLEMS = {
  /** Nothing more is said of what does not greet as a mail server (DESK-07). */
  notMail: 'no es un servidor de correo',
  noServer: 'no hay un servidor de correo: el correo queda en la bandeja de salida',
  unknownName: 'el nombre del servidor no existe en el DNS',
  unreachable: 'no se pudo conectar con el servidor',
  timeout: 'el servidor no respondió a tiempo',
  privateAddress: 'el servidor está en una red privada, y falta MAIL_ALLOW_PRIVATE=1',
  notHere: 'sin cifrado solo se admite un servidor de este mismo equipo',
  noStartTls:
    'el servidor no ofrece cifrado (STARTTLS) en ese puerto, y sin él la contraseña y los correos viajarían a la vista',
  certificate: (why: string) => `el certificado del servidor no es de confianza: ${why}`,
  tls: 'no se pudo establecer la conexión cifrada',
  closed: 'el servidor cerró la conexión',
  lostKey: 'la contraseña se cifró con otra SECRET_KEY: escríbela otra vez en Configuración › Correos',
} as const;

export const CERTIFICATE_PROBLEMS = {
  selfSigned: 'lo firmó él mismo',
  unknown: 'lo firmó una autoridad desconocida',
  expired: 'venció',
  name: 'es de otro nombre',
  other: 'no se pudo comprobar',
} as const;

/** A host name or an IP address; no scheme, port, path or user. */
const isHost = (text: string) =>
  /^(?=.{1,253}$)[\p{L}\p{N}]([\p{L}\p{N}._-]*[\p{L}\p{N}])?\.?$/u.test(text) ||
  (text.includes(':') && /^[0-9a-f:.]{2,45}$/i.test(text));

/** 'ventas@example.com' or 'Ventas <ventas@example.com>', as in MAIL_FROM. */
const isSender = (text: string) =>
  /^([^<>\r\n]*<)?[^<>\s@,;]+@[^<>\s@,;]+>?$/.test(text) && text.includes('<') === text.endsWith('>');

const values = {
  host: z.string(),
  port: z.number().int(),
  security: z.enum(MAIL_SECURITIES),
  username: z.string(),
  has_password: z.boolean(),
  from: z.string(),
  updated_at: z.string(),
};

export const mailSettings = z
  .object({
    ...values,
    /** True if SMTP_URL is set: then it is used, and these settings are not. */
    smtp_url: z.boolean(),
    /** The sender of mails now: `from`, else MAIL_FROM. */
    sender: z.string(),
  })
  .meta({ id: 'MailSettings' });
export type MailSettings = z.infer<typeof mailSettings>;

/** Fields of the answer that a caller may send back. They are ignored (API-05). */
const answered = z.unknown().optional();

export const mailSettingsUpdate = z
  .object({
    /** '' removes the mail server, with its password. */
    host: line(HOST_MAX)
      .refine((text) => text === '' || isHost(text), MAIL_SERVER_MESSAGES.host)
      .overwrite((text) => text.toLowerCase()),
    port: writtenNumber(
      z
        .number(MAIL_SERVER_MESSAGES.port)
        .refine((port) => (MAIL_PORTS as readonly number[]).includes(port), MAIL_SERVER_MESSAGES.port),
    ),
    security: z.enum(MAIL_SECURITIES, MAIL_SERVER_MESSAGES.security),
    username: line(USERNAME_MAX),
    /** Absent: unchanged. '': removed. */
    password: z
      .string()
      .max(PASSWORD_MAX)
      .refine((text) => text.isWellFormed() && !text.includes('\0')),
    from: line(FROM_MAX).refine((text) => text === '' || isSender(text), MAIL_SERVER_MESSAGES.from),
    has_password: answered,
    smtp_url: answered,
    sender: answered,
    updated_at: z.string().max(40),
  })
  .partial()
  .meta({
    examples: [
      {
        host: 'smtp.example.com',
        port: 587,
        security: 'starttls',
        username: 'ventas@example.com',
        password: 'una contraseña',
        from: 'Ventas <ventas@example.com>',
      },
    ],
  });
export type MailSettingsUpdate = z.output<typeof mailSettingsUpdate>;

/** `to`: absent, the caller's own address. */
export const mailServerTest = z
  .object({ to: z.string().trim().max(254).optional() })
  .meta({ examples: [{ to: 'ventas@example.com' }] });

/** What became of a test mail: the reply code of the mail server, null if it gave none, and what it said. */
export const mailServerTested = z
  .object({ success: z.boolean(), code: z.number().int().nullable(), text: z.string().max(MAIL_ANSWER_MAX) })
  .meta({ id: 'MailServerTested' });
export type MailServerTested = z.infer<typeof mailServerTested>;

/** How many mails of the folder can still be sent. */
export const mailsWaiting = z.object({ count: z.number().int() }).meta({ id: 'MailsWaiting' });
export type MailsWaiting = z.infer<typeof mailsWaiting>;
