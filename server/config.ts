import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ADMIN_PASSWORD_MIN, USERNAME_MAX, USERNAME_MIN } from '../contract/base/limits.ts';
import { wholeNumber, writtenNumber } from '../contract/base/numbers.ts';
import { isInside } from './lib/is-inside.ts';
import { isLoopbackHost, reachedBy } from './lib/this-machine.ts';
import { isGuessablePassword } from './lib/weak-secret.ts';

const whole = (least: number, most: number, message: string) =>
  writtenNumber(wholeNumber(least, most, message));

/** A number that may have decimals. */
const decimal = (least: number, most: number, message: string) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text),
    z.number(message).min(least, message).max(most, message),
  );

const flag = z.enum(['0', '1'], 'debe ser 0 o 1').transform((text) => text === '1');
const url = (protocols: string[], example: string) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `debe ser una dirección como ${example}`,
    );

/** A list of origins (scheme, host, port), separated by commas, in the form that browsers send. */
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

/** An address on this machine that replaces a payment provider's address. */
const loopbackUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\//i.test(text) && URL.canParse(text) && isLoopbackHost(new URL(text).hostname),
    'debe ser una dirección de este equipo, como http://127.0.0.1:4000',
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

const environment = z.object({
  // No other word is accepted: a misspelled 'production' would start a demo with its public account.
  NODE_ENV: z
    .enum(
      ['production', 'development', 'test'],
      'debe ser production, para un servidor con tus datos, o quedar sin valor',
    )
    .optional(),
  PORT: whole(0, 65_535, 'debe ser un número de 0 a 65535').default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://usuario:clave@host:5432/base').optional(),
  /** The host of PostgreSQL, for a DATABASE_URL that contains none. */
  PGHOST: z.string().optional(),
  DATABASE_READ_URL: url(
    ['postgres:', 'postgresql:'],
    'postgres://usuario:clave@replica:5432/base',
  ).optional(),
  DATABASE_POOL: whole(2, 200, 'debe ser un número de 2 a 200').default(16),
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
  SESSION_IDLE_HOURS: decimal(1, 12, 'debe ser un número de 1 a 12').default(8),
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
  OIDC_ISSUER: url(['http:', 'https:'], 'https://identidad.example.com')
    .refine((text) => !/[?#]/.test(text), 'debe ser la dirección del emisor, sin ? ni #')
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().trim().min(1).max(40, 'admite como máximo 40 caracteres').optional(),
  OIDC_ROLE_CLAIM: z.string().trim().min(1).optional(),
  OIDC_ONLY: flag.optional(),
  WEBHOOKS_ALLOW_PRIVATE: flag.default(false),
  MAIL_ALLOW_PRIVATE: flag.default(false),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'debe ser una hora local como 03:00')
    .default('03:00'),
  BACKUP_KEY_DIR: z.string().min(1).optional(),
  BACKUP_ROWS_MAX: whole(1, Number.MAX_SAFE_INTEGER, 'debe ser un número de 1 en adelante').default(
    20_000_000,
  ),
  OUTBOUND: flag.default(true),
  METRICS: flag.default(false),
  METRICS_PORT: whole(1, 65_535, 'debe ser un número de 1 a 65535').optional(),
  DRAIN_SECONDS: decimal(0, 300, 'debe ser un número de 0 a 300').default(0),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'debe ser info, warn, error…')
    .optional(),
  /** The folder with what `npm run sdk:libraries` makes, for the developer kit (CODE-06). */
  SDK_LIBRARIES: z
    .string()
    .min(1)
    .refine((folder) => existsSync(folder), 'debe ser una carpeta que existe')
    .transform((folder) => resolve(folder))
    .optional()
    .transform((folder) => folder ?? null),
  /** The folder of the built console. It can be set for a console that was built elsewhere. */
  WEB_DIST: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', 'dist', 'web')),
});

export const CONFIG_VARIABLES: readonly string[] = Object.keys(environment.shape);

export type BackupConfig = {
  dir: string;
  /** The local time of a copy, 'HH:MM'. */
  at: string;
  /**
   * The folder to which the key file of DATA_DIR is copied; null where SECRET_KEY is set, because its owner stores
   * that key.
   */
  keyDir: string | null;
};

/** The OpenID Connect provider with which staff sign in (SIGN-02). */
export type OidcConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name that people read: 'Entrar con …'. */
  name: string;
  /** The claim with a person's role; null: roles are those of Configuración › Usuarios. */
  roleClaim: string | null;
  /** Whether nobody signs in another way. */
  only: boolean;
};

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** The address of a standby, from which reports are read; null for none (OPS-05). */
  databaseReadUrl: string | null;
  databasePool: number;
  /**
   * The mode of the pooler between the program and PostgreSQL: it lends a connection for one transaction; null for no
   * pooler (OPS-04).
   */
  databasePooler: 'transaction' | null;
  /** The mail server of the environment; null: that of Configuración › Correos, or none (mailer.ts). */
  smtpUrl: string | null;
  mailFrom: string;
  /**
   * The selector of the DKIM key with which the mail server signs, for the check of the sender's domain; null: DKIM
   * is not checked.
   */
  dkimSelector: string | null;
  publicUrl: string;
  /**
   * The origin of the separate host of the portal, which serves nothing for staff; null where there is none
   * (PORTAL-07).
   */
  portalUrl: string | null;
  /** The beginning of the addresses that clients get: `portalUrl` if it is set, else `publicUrl`. */
  clientUrl: string;
  /**
   * The beginning of the addresses in answers: PUBLIC_URL if it is set, else an empty text, which makes them
   * relative.
   */
  linkBase: string;
  /** Addresses that replace those of the payment providers, in demo mode only; null for the real ones (PAY-03). */
  mercadoPagoUrl: string | null;
  stripeUrl: string | null;
  /** The origins whose pages may read the answers to staff calls (API-06). */
  corsOrigins: readonly string[];
  /** The time without use after which a session ends, in milliseconds. */
  sessionIdleMs: number;
  /** The key that encrypts secrets in the database; null for the key file in the data folder. */
  secretKey: string | null;
  demo: boolean;
  admin: { username: string; password: string } | null;
  allowRegistration: boolean;
  /** Whether anybody may register the first account, which becomes an administrator (D005). Never in production. */
  openFirstAccount: boolean;
  genericAuthErrors: boolean;
  /** Null: nobody signs in with OpenID Connect. */
  oidc: OidcConfig | null;
  timeZone: string;
  /** In the form of @fastify/proxy-addr: true, a number of hops, or a list of addresses; false trusts no proxy. */
  trustProxy: boolean | number | string;
  /** Whether webhooks may call private addresses. */
  webhooksAllowPrivate: boolean;
  /** Whether the mail server of Configuración › Correos may have a private address (DESK-07). */
  mailAllowPrivate: boolean;
  /** The copies that the program itself makes (OPS-03); null for none. */
  backup: BackupConfig | null;
  /** The program makes no copy of a PostgreSQL database that has more rows, neither daily nor by hand. */
  backupRowsMax: number;
  /**
   * Whether this server sends mail and webhooks and calls providers; false for a drill with a restored copy (OPS-03).
   */
  outbound: boolean;
  /** Where Prometheus metrics are served: nowhere, on the server's port, or on a separate port. */
  metrics: 'off' | 'same-port' | { port: number };
  /**
   * The time, in milliseconds, for which a stopping server still answers but reports 'not ready', so that the load
   * balancer notices.
   */
  drainMs: number;
  logLevel: string;
  /** Whether requests are not logged because a person reads the output (the default on a terminal). */
  isQuiet: boolean;
  /** The folder of the shared library for the developer kit; null for none. */
  sdkLibraries: string | null;
  webDist: string;
  version: string;
};

/** An invalid setting. The message contains each variable and the remedy, in Spanish. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Values = z.output<typeof environment>;

/**
 * Checks rules between several variables.
 * @returns the first fault; null for none
 */
function contradictionIn(values: Values, reached: readonly string[]): string | null {
  const production = values.NODE_ENV === 'production';
  const isLocal = reached.length === 0;
  // Demo mode gives everybody access. Where other machines reach the server, DEMO must be set explicitly (D140).
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
  return oidcFault(values, isDemo) ?? adminFault(values);
}

/** http would send the client's secret and people's names in the clear. */
function oidcFault(values: Values, isDemo: boolean): string | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = values;
  const given = [issuer, id, secret].filter((value) => value !== undefined).length;
  if (given !== 0 && given !== 3)
    return 'OIDC_ISSUER, OIDC_CLIENT_ID y OIDC_CLIENT_SECRET se indican juntos.';
  if (issuer === undefined) {
    const { OIDC_NAME, OIDC_ROLE_CLAIM, OIDC_ONLY } = values;
    const isAlone = OIDC_NAME !== undefined || OIDC_ROLE_CLAIM !== undefined || OIDC_ONLY === true;
    return isAlone
      ? 'OIDC_NAME, OIDC_ROLE_CLAIM y OIDC_ONLY necesitan OIDC_ISSUER: indícala, o quítalas.'
      : null;
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || (isDemo && isLoopbackHost(hostname))) return null;
  return 'OIDC_ISSUER: debe empezar con https://; http:// solo se admite en este equipo y en modo de demostración.';
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
 * Reads the configuration from an environment; no other code reads the environment. Blank values count as absent.
 * docs/configuration.md describes the variables.
 * @param isTerminal whether a person reads the output as it is written; then lines of requests would scroll away what
 *   the start says, and are left out unless LOG_LEVEL asks for them
 * @throws ConfigError with each invalid variable and its valid values
 */
export function readConfig(env: Record<string, string | undefined>, isTerminal = false): Config {
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
  // Demo data and real data have different default folders.
  const dataDir = resolve(values.DATA_DIR ?? (demo ? './data/demo' : './data'));
  const { publicUrl, portalUrl } = addressesOf(values);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    ...databaseOf(values),
    smtpUrl: values.SMTP_URL ?? null,
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
    oidc: oidcOf(values),
    timeZone: values.BUSINESS_TIMEZONE,
    trustProxy: trustProxy(values.TRUST_PROXY),
    webhooksAllowPrivate: values.WEBHOOKS_ALLOW_PRIVATE,
    mailAllowPrivate: values.MAIL_ALLOW_PRIVATE,
    backup: backupOf(values, dataDir),
    backupRowsMax: values.BACKUP_ROWS_MAX,
    outbound: values.OUTBOUND,
    metrics:
      values.METRICS_PORT !== undefined
        ? { port: values.METRICS_PORT }
        : values.METRICS
          ? 'same-port'
          : 'off',
    drainMs: values.DRAIN_SECONDS * 1000,
    logLevel: values.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
    isQuiet: values.LOG_LEVEL === undefined && isTerminal,
    webDist: resolve(values.WEB_DIST),
    sdkLibraries: values.SDK_LIBRARIES,
    version: packageVersion(),
  };
}

function oidcOf({ OIDC_ISSUER: issuer, ...values }: Values): OidcConfig | null {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.OIDC_NAME ?? new URL(issuer).hostname,
    roleClaim: values.OIDC_ROLE_CLAIM ?? null,
    only: values.OIDC_ONLY ?? false,
  };
}

const databaseOf = (values: Values) => ({
  databaseUrl: values.DATABASE_URL ?? null,
  databaseReadUrl: values.DATABASE_READ_URL ?? null,
  databasePool: values.DATABASE_POOL,
  databasePooler: values.DATABASE_POOLER ?? null,
});

/**
 * Where and when the program makes its copies.
 * @throws ConfigError when the key would be stored beside the copies, or nowhere. Whoever finds both can read
 * everything; without the key nobody can read the second factors and the signing keys
 */
function backupOf(values: Values, dataDir: string): BackupConfig | null {
  if (values.BACKUP_DIR === undefined) return null;
  const dir = resolve(values.BACKUP_DIR);
  const refused = (why: string) => new ConfigError(`La configuración no es válida:\n  ${why}`);
  const plan = { dir, at: values.BACKUP_AT, keyDir: null };
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
 * The public addresses: PUBLIC_URL for staff and programs, PORTAL_URL for clients if the portal has a separate host.
 * @throws ConfigError when both are the same, because the clients' host serves nothing for staff
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

/** '1' and 'true' trust the nearest proxy, another number trusts that many; any other text is a list of addresses. */
function trustProxy(text: string | undefined): boolean | number | string {
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true') return 1;
  return /^\d+$/.test(text) ? Number(text) : text;
}

function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
