import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { USERNAME_MAX, USERNAME_MIN } from '../contract/base/limits.ts';
import type { EmailTransport } from '../contract/mail/email-transport.ts';
import { isInside } from './lib/is-inside.ts';
import { isLoopbackHost, reachedBy } from './lib/this-machine.ts';
import { isGuessablePassword } from './lib/weak-secret.ts';

/** The first administrator in production is the only account at first, so its password is long (D006). */
const ADMIN_PASSWORD_MIN = 15;

const flag = z.enum(['0', '1'], 'debe ser 0 o 1').transform((text) => text === '1');
const url = (protocols: string[], example: string) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `debe ser una dirección como ${example}`,
    );

/** A list of origins, separated by commas, as browsers send them: scheme, name and port. */
const originList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .check((context) => {
    for (const origin of context.value.filter((text) => !isOrigin(text))) {
      context.issues.push({
        code: 'custom',
        input: origin,
        message: `«${origin}» no es un origen: escribe solo esquema, nombre y puerto, como https://panel.example.com, separados por comas`,
      });
    }
  })
  .transform((origins) => origins.map((origin) => new URL(origin).origin));

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || text.includes('*') || !URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('es-MX', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** In place of a provider of payments: on this machine alone. */
const loopbackUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text) && isLoopbackHost(new URL(text).hostname),
    'debe ser una dirección de este equipo, como http://127.0.0.1:4000',
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

const environment = z.object({
  // Any other word could be meant as production, and would open the demo account.
  NODE_ENV: z
    .enum(
      ['production', 'development', 'test'],
      'debe ser production, para un servidor con tus datos, o quedar sin valor',
    )
    .optional(),
  PORT: z.coerce.number('debe ser un número de 0 a 65535').int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://usuario:clave@host:5432/base').optional(),
  /** Where PostgreSQL is when its address names no host. */
  PGHOST: z.string().optional(),
  DATABASE_READ_URL: url(
    ['postgres:', 'postgresql:'],
    'postgres://usuario:clave@replica:5432/base',
  ).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  DATABASE_POOLER: z
    .literal('transaction', 'debe ser transaction, o quedar sin valor donde no hay un pooler como PgBouncer')
    .optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtp://usuario:clave@host:587').optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<)?[^<>\s@]+@[^<>\s@]+>?$/, 'debe ser una dirección como Ventas <ventas@example.com>')
    .default('License Manager <licencias@localhost>'),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/, 'debe ser un selector como s1 o google')
    .optional()
    .transform((selector) => selector ?? null),
  PUBLIC_URL: url(['http:', 'https:'], 'https://licencias.example.com').optional(),
  PORTAL_URL: z
    .string()
    .refine(isOrigin, 'debe ser solo esquema, nombre y puerto, como https://clientes.example.com')
    .transform((text) => new URL(text).origin)
    .optional(),
  MERCADO_PAGO_URL: loopbackUrl.optional(),
  STRIPE_URL: loopbackUrl.optional(),
  CORS_ORIGINS: originList.default([]),
  SESSION_IDLE_HOURS: z.coerce.number('debe ser un número de 1 a 12').min(1).max(12).default(8),
  SECRET_KEY: z.string().min(32, 'necesita al menos 32 caracteres al azar').optional(),
  DEMO: flag.optional(),
  ADMIN_USERNAME: z
    .string()
    .min(USERNAME_MIN, `necesita al menos ${USERNAME_MIN} caracteres`)
    .max(USERNAME_MAX, `admite como máximo ${USERNAME_MAX} caracteres`)
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(ADMIN_PASSWORD_MIN, `necesita al menos ${ADMIN_PASSWORD_MIN} caracteres`)
    .optional(),
  ALLOW_REGISTRATION: flag.optional(),
  AUTH_ERRORS: z.enum(['specific', 'generic'], 'debe ser specific o generic').default('specific'),
  BUSINESS_TIMEZONE: z
    .string()
    .refine(isTimeZone, 'debe ser una zona horaria como America/Mexico_City')
    .default('America/Mexico_City'),
  TRUST_PROXY: z.string().min(1).optional(),
  WEBHOOKS_ALLOW_PRIVATE: flag.default(false),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'debe ser una hora local como 03:00')
    .default('03:00'),
  BACKUP_KEY_DIR: z.string().min(1).optional(),
  BACKUP_ROWS_MAX: z.coerce.number('debe ser un número de 1 en adelante').int().min(1).default(20_000_000),
  OUTBOUND: flag.default(true),
  METRICS: flag.default(false),
  METRICS_PORT: z.coerce.number('debe ser un número de 1 a 65535').int().min(1).max(65535).optional(),
  DRAIN_SECONDS: z.coerce.number('debe ser un número de 0 a 300').min(0).max(300).default(0),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'debe ser info, warn, error…')
    .default('info'),
  /** The folder of the built console; another folder serves those who build it elsewhere. */
  WEB_DIST: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', 'dist', 'web')),
});

export type BackupConfig = {
  dir: string;
  /** The local time of a copy, 'HH:MM'. */
  at: string;
  /** Where the key of DATA_DIR is copied to; null where SECRET_KEY is set, which is kept elsewhere. */
  keyDir: string | null;
  /** A PostgreSQL with more rows is not copied. */
  rowsMax: number;
};

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** A standby on which reports are read; null: none (OPS-05). */
  databaseReadUrl: string | null;
  databasePool: number;
  /** What stands between the program and PostgreSQL and lends a connection for one transaction; null: nothing (OPS-04). */
  databasePooler: 'transaction' | null;
  smtpUrl: string | null;
  /** Where mail goes; follows from smtpUrl. */
  emailTransport: EmailTransport;
  mailFrom: string;
  /** The selector of the keys with which the mail server signs, for the check of the sender's domain; null: not looked at. */
  dkimSelector: string | null;
  publicUrl: string;
  /** The origin of a host of the portal's own, where nothing of staff answers; null where there is none (PORTAL-07). */
  portalUrl: string | null;
  /** What the addresses that clients get begin with: the portal's own origin where there is one. */
  clientUrl: string;
  /** What the addresses in answers begin with: PUBLIC_URL where it is set, else nothing, so that they are relative. */
  linkBase: string;
  /** The origins whose pages may read the answers to staff calls (API-06). */
  /** Where payment providers are asked in their place, in demo mode alone; null for the real ones (PAY-03). */
  mercadoPagoUrl: string | null;
  stripeUrl: string | null;
  corsOrigins: readonly string[];
  /** A session that is not used for this long ends, in milliseconds. */
  sessionIdleMs: number;
  /** Encrypts secrets in the database; null for the key that is kept in the data folder. */
  secretKey: string | null;
  demo: boolean;
  admin: { username: string; password: string } | null;
  allowRegistration: boolean;
  /** Whether anybody may register the first account, who is then an administrator (D005): never in production. */
  openFirstAccount: boolean;
  genericAuthErrors: boolean;
  timeZone: string;
  /** In the form of @fastify/proxy-addr: true, a number of hops, or a list of addresses; false trusts no proxy. */
  trustProxy: boolean | number | string;
  /** Whether webhooks may lead to private addresses. */
  webhooksAllowPrivate: boolean;
  /** The copies that the program makes by itself (OPS-03); null: none. */
  backup: BackupConfig | null;
  /** Whether mail, webhooks and calls to providers leave this server; false for a drill with a restored copy (OPS-03). */
  outbound: boolean;
  /** Where Prometheus metrics are served: nowhere, on the server's port, or on a separate port. */
  metrics: 'off' | 'same-port' | { port: number };
  /**
   * How long a stopping server still serves while it reports not ready, so that the load balancer notices, in
   * milliseconds.
   */
  drainMs: number;
  logLevel: string;
  webDist: string;
  version: string;
};

/** An invalid setting. The message names each variable and the remedy, in Spanish. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Values = z.output<typeof environment>;

/** What the variables together do not allow. @returns the fault that is named first; null: there is none */
function contradictionIn(values: Values, reached: readonly string[]): string | null {
  const production = values.NODE_ENV === 'production';
  const isLocal = reached.length === 0;
  // Demo mode opens the server to everybody, so where others reach it, a setting must ask for it (D140).
  if (!production && !isLocal && values.DEMO === undefined) {
    return (
      `${reached.join(', ')}: el servidor no es solo de este equipo; escribe NODE_ENV=production para usarlo con ` +
      'tus datos, o DEMO=1 para una demostración abierta a cualquiera (admin / admin123).'
    );
  }
  if (production && values.DEMO && !isLocal) {
    return (
      'DEMO: con NODE_ENV=production la cuenta de demostración solo se admite en este equipo ' +
      `(${reached.join(', ')}). Quita DEMO.`
    );
  }
  if (values.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined)
    return 'DATABASE_READ_URL: es de una réplica de PostgreSQL; indica DATABASE_URL, o quítala.';
  const isDemo = values.DEMO ?? !production;
  if (!isDemo && (values.MERCADO_PAGO_URL !== undefined || values.STRIPE_URL !== undefined)) {
    return 'MERCADO_PAGO_URL y STRIPE_URL solo se admiten en modo de demostración: quítalas.';
  }
  return adminFault(values);
}

function adminFault({ ADMIN_USERNAME: username, ADMIN_PASSWORD: password }: Values): string | null {
  if ((username === undefined) !== (password === undefined))
    return 'ADMIN_USERNAME y ADMIN_PASSWORD se indican juntos.';
  if (username === undefined || password === undefined || !isGuessablePassword(password, username))
    return null;
  return (
    'ADMIN_PASSWORD: es fácil de adivinar (una contraseña común, o contiene el nombre de usuario). Elige otra, ' +
    'o quita ADMIN_USERNAME y ADMIN_PASSWORD para crear el administrador con el enlace del registro.'
  );
}

/**
 * Reads the configuration from an environment. It is the only reader of the environment. Blank values count as
 * absent. README.md lists the variables.
 * @throws ConfigError that names every variable which cannot be used, and what it should be
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`La configuración no es válida:\n${lines.join('\n')}`);
  }
  const values = parsed.data;
  const reached = reachedBy(values, values.PGHOST);
  const contradiction = contradictionIn(values, reached);
  if (contradiction !== null) throw new ConfigError(`La configuración no es válida:\n  ${contradiction}`);
  const production = values.NODE_ENV === 'production';
  const demo = values.DEMO ?? !production;
  // Demo data are kept apart from real data: without DATA_DIR they have their own folder.
  const dataDir = resolve(values.DATA_DIR ?? (demo ? './data/demo' : './data'));
  const { publicUrl, portalUrl } = addressesOf(values);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    ...databaseOf(values),
    smtpUrl: values.SMTP_URL ?? null,
    emailTransport: values.SMTP_URL === undefined ? 'folder' : 'smtp',
    mailFrom: values.MAIL_FROM,
    dkimSelector: values.DKIM_SELECTOR,
    publicUrl,
    portalUrl,
    clientUrl: portalUrl ?? publicUrl,
    linkBase: (values.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, ''),
    ...providerUrls(values),
    corsOrigins: values.CORS_ORIGINS,
    sessionIdleMs: values.SESSION_IDLE_HOURS * 60 * 60_000,
    secretKey: values.SECRET_KEY ?? null,
    demo,
    admin:
      values.ADMIN_USERNAME !== undefined && values.ADMIN_PASSWORD !== undefined
        ? { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD }
        : null,
    allowRegistration: values.ALLOW_REGISTRATION ?? demo,
    openFirstAccount: demo || (!production && reached.length === 0),
    genericAuthErrors: values.AUTH_ERRORS === 'generic',
    timeZone: values.BUSINESS_TIMEZONE,
    trustProxy: trustProxy(values.TRUST_PROXY),
    webhooksAllowPrivate: values.WEBHOOKS_ALLOW_PRIVATE,
    backup: backupOf(values, dataDir),
    outbound: values.OUTBOUND,
    metrics:
      values.METRICS_PORT !== undefined
        ? { port: values.METRICS_PORT }
        : values.METRICS
          ? 'same-port'
          : 'off',
    drainMs: values.DRAIN_SECONDS * 1000,
    logLevel: values.LOG_LEVEL,
    webDist: resolve(values.WEB_DIST),
    version: packageVersion(),
  };
}

const databaseOf = (values: Values) => ({
  databaseUrl: values.DATABASE_URL ?? null,
  databaseReadUrl: values.DATABASE_READ_URL ?? null,
  databasePool: values.DATABASE_POOL,
  databasePooler: values.DATABASE_POOLER ?? null,
});

/**
 * Where the program keeps its copies.
 * @throws ConfigError when the key would stand beside them, or nowhere: whoever finds both reads everything, and without
 * it nobody reads the second factors and the keys of signatures
 */
function backupOf(values: Values, dataDir: string): BackupConfig | null {
  if (values.BACKUP_DIR === undefined) return null;
  const dir = resolve(values.BACKUP_DIR);
  const refused = (why: string) => new ConfigError(`La configuración no es válida:\n  ${why}`);
  const plan = { dir, at: values.BACKUP_AT, keyDir: null, rowsMax: values.BACKUP_ROWS_MAX };
  if (values.SECRET_KEY !== undefined) return plan;
  if (dir === dataDir) {
    throw refused('BACKUP_DIR: es DATA_DIR, donde está la clave. Indica otra carpeta, mejor en otro disco.');
  }
  if (values.BACKUP_KEY_DIR === undefined) {
    throw refused(
      'BACKUP_KEY_DIR: falta. Indica otra carpeta para la clave de las copias, que no se guarda junto a ellas, o usa SECRET_KEY.',
    );
  }
  const keyDir = resolve(values.BACKUP_KEY_DIR);
  if (isInside(keyDir, dir)) {
    throw refused(
      'BACKUP_KEY_DIR: está en BACKUP_DIR. La clave no se guarda junto a las copias: indica otra carpeta.',
    );
  }
  return { ...plan, keyDir };
}

/**
 * Where others reach the server: staff and programs, and clients where the portal has a host of its own.
 * @throws ConfigError when both are one, because nothing of staff answers on the host of clients
 */
function addressesOf({
  PUBLIC_URL,
  PORTAL_URL,
  HOST,
  PORT,
}: Values): Pick<Config, 'publicUrl' | 'portalUrl'> {
  const publicUrl = (PUBLIC_URL ?? `http://${hostForUrl(HOST)}:${PORT}`).replace(/(?<!\/)\/+$/, '');
  if (PORTAL_URL === new URL(publicUrl).origin) {
    throw new ConfigError(
      'La configuración no es válida:\n  PORTAL_URL: es la dirección de PUBLIC_URL, y ahí no respondería la consola. Usa otro nombre, o quita PORTAL_URL.',
    );
  }
  return { publicUrl, portalUrl: PORTAL_URL ?? null };
}

const providerUrls = ({ MERCADO_PAGO_URL, STRIPE_URL }: Values) => ({
  mercadoPagoUrl: MERCADO_PAGO_URL ?? null,
  stripeUrl: STRIPE_URL ?? null,
});

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** '1' or 'true' trusts the nearest proxy, a number that many hops, anything else is a list of addresses. */
function trustProxy(text: string | undefined): boolean | number | string {
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true') return 1;
  return /^\d+$/.test(text) ? Number(text) : text;
}

function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
