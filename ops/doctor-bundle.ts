import { release } from 'node:os';
import type { Kysely } from 'kysely';
import type { Config } from '../server/config.ts';
import { databaseFacts, databaseSizes, rowCounts } from '../server/db/diagnosis.ts';
import { migrationState } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';
import type { Found } from '../server/features/system/checks/run-checks.ts';
import { countJobs } from '../server/jobs/jobs.queries.ts';

/** Settings whose values are no personal data and no secrets. Of all other settings only the names are written. */
const SHOWN = new Set([
  'NODE_ENV',
  'DEMO',
  'DATABASE_POOL',
  'DATABASE_POOLER',
  'SESSION_IDLE_HOURS',
  'ALLOW_REGISTRATION',
  'AUTH_ERRORS',
  'BUSINESS_TIMEZONE',
  'WEBHOOKS_ALLOW_PRIVATE',
  'MAIL_ALLOW_PRIVATE',
  'OIDC_ROLE_CLAIM',
  'OIDC_ONLY',
  'BACKUP_AT',
  'BACKUP_ROWS_MAX',
  'OUTBOUND',
  'METRICS',
  'DRAIN_SECONDS',
  'LOG_LEVEL',
]);
const NAMED = [
  ...[
    'HOST',
    'PORT',
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_READ_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'DKIM_SELECTOR',
    'PUBLIC_URL',
  ],
  ...['PORTAL_URL', 'CORS_ORIGINS', 'SECRET_KEY', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'TRUST_PROXY'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'],
  ...['METRICS_PORT', 'WEB_DIST', 'BACKUP_DIR', 'BACKUP_KEY_DIR'],
];

const HIDDEN = '‹…›';

/** Patterns removed from every text: addresses of all kinds, paths, and possible keys. */
const PATTERNS = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /[^\s<>@,;]+@[^\s<>@,;]+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}\b/gi,
  /(?:[\p{L}\d_-]+\.)+\p{L}{2,}/gu,
  /(?<=^|[\s("«])\/[^\s"»)]+/g,
  /[A-Za-z0-9_+/=-]{28,}/g,
];

/** The text after these words is the message of another program and may contain anything. */
const OTHERS_WORDS =
  /^(No acepta correo|No se pudo comprobar|No se pudo ver|La configuración no es válida):.*$/s;

/** Removes names of persons and machines, and secrets, from the text of a check. */
export function withoutNames(text: string, secrets: readonly string[]): string {
  let left = text.replace(OTHERS_WORDS, '$1.');
  for (const secret of secrets) if (secret.length > 2) left = left.replaceAll(secret, HIDDEN);
  for (const pattern of PATTERNS) left = left.replace(pattern, HIDDEN);
  return left;
}

type Subject = {
  env: Record<string, string | undefined>;
  config: Config | null;
  db: Kysely<Tables> | null;
  found: readonly Found[];
};

const failed = () => 'no se pudo leer';

async function aboutDatabase(db: Kysely<Tables>): Promise<string[]> {
  const facts = await databaseFacts(db).then(({ engine, version }) => `${engine} ${version}`, failed);
  const sizes = await databaseSizes(db).then(
    ({ database, writeAheadLog }) => `${database} bytes, registro de escritura ${writeAheadLog ?? '-'}`,
    failed,
  );
  const schema = await migrationState(db).then(
    ({ applied, missing, unknown }) =>
      `${applied.sort().at(-1) ?? '-'}, faltan ${missing.length}, desconocidas ${unknown.length}`,
    failed,
  );
  const rows = await rowCounts(db).then(
    (counts) => counts.map(([table, n]) => `  ${table} ${n}`),
    () => [`  ${failed()}`],
  );
  const jobs = await countJobs(db).then(
    (kinds) => kinds.map(({ kind, waiting, failed: n }) => `  ${kind} ${waiting} en espera, ${n} fallaron`),
    () => [`  ${failed()}`],
  );
  return [
    `base de datos: ${facts}`,
    `tamaño: ${sizes}`,
    `esquema: ${schema}`,
    'filas:',
    ...rows,
    'trabajos:',
    ...jobs,
  ];
}

/**
 * A text for a bug report: the installation, its size, and the results of the checks. It has no secrets and no
 * personal data.
 */
export async function bundleText({ env, config, db, found }: Subject): Promise<string> {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  const secrets = [...NAMED.map((name) => env[name] ?? ''), config?.dataDir ?? ''];
  return `${[
    `License Manager ${config?.version ?? ''}`.trim(),
    `node ${process.version}, ${process.platform} ${process.arch} ${release()}`,
    'configuración:',
    ...[...SHOWN].filter(isSet).map((name) => `  ${name}=${withoutNames(env[name]!, [])}`),
    ...NAMED.filter(isSet).map((name) => `  ${name} (con valor)`),
    ...(db === null ? [] : await aboutDatabase(db)),
    'comprobaciones:',
    ...found.map(({ id, state, message }) => `  ${id}: ${state}: ${withoutNames(message, secrets)}`),
  ].join('\n')}\n`;
}
