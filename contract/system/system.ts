import { z } from 'zod';
import { listQuery, pageOf } from '../base/page.ts';

/** The state of the server, for the vendor (OPS-01, OPS-02): checks, sizes and jobs. */

const CHECK_STATES = ['ok', 'warning', 'failure'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** The checks in the order in which they are shown, with their labels. */
export const CHECK_LABELS = {
  configuration: 'Configuración',
  public_url: 'Dirección pública',
  certificate: 'Certificado',
  trust_proxy: 'Proxy de confianza',
  clock: 'Reloj',
  disk: 'Espacio en disco',
  data_dir: 'Carpeta de datos',
  write_ahead_log: 'Registro de escritura',
  quick_check: 'Archivo de la base de datos',
  database: 'Base de datos',
  pg_trgm: 'Extensión pg_trgm',
  rights: 'Permisos en la base de datos',
  statement_timeout: 'Límite de tiempo de las consultas',
  replication: 'Réplicas de la base de datos',
  read_standby: 'Réplica para reportes',
  smtp: 'Servidor de correo',
  spf: 'SPF del dominio',
  dmarc: 'DMARC del dominio',
  dkim: 'DKIM del dominio',
  secret_key: 'SECRET_KEY',
  migrations: 'Esquema',
  backup: 'Copias de seguridad',
  jobs: 'Trabajos',
  mails: 'Correos',
  webhooks: 'Webhooks',
  business_timezone: 'Zona horaria',
  counts: 'Cuentas guardadas',
  seats: 'Lugares ocupados',
  sums: 'Sumas por día',
  recurring: 'Sumas de la venta recurrente',
  usage: 'Consumos',
} as const;
export type CheckId = keyof typeof CHECK_LABELS;
export const CHECK_IDS = Object.keys(CHECK_LABELS) as CheckId[];

/** The result of a check: `message` describes the state, `remedy` what to do; null if there is nothing to do. */
export type Finding = { state: CheckState; message: string; remedy: string | null };

const systemCheck = z
  .object({
    id: z.string().meta({ description: 'Qué se comprobó / What was checked' }),
    state: z.enum(CHECK_STATES).meta({ description: 'Resultado / Outcome' }),
    message: z.string(),
    remedy: z
      .string()
      .nullable()
      .meta({ description: 'Qué hacer; null si no hace falta nada / What to do; null where nothing is' }),
    checked_at: z.string().meta({ description: 'Cuándo se comprobó / When it was checked' }),
  })
  .meta({ id: 'SystemCheck' });
export type SystemCheck = z.infer<typeof systemCheck>;

const systemBackup = z
  .object({
    name: z.string(),
    at: z.string().meta({ description: 'Cuándo se hizo / When it was made' }),
    size: z.number().int().meta({ description: 'Bytes / Bytes' }),
    tried_at: z
      .string()
      .nullable()
      .meta({ description: 'Cuándo se probó que sirve / When it was tried that it works' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Por qué no sirve; null si sirve / Why it does not work' }),
  })
  .meta({ id: 'SystemBackup' });

const backupPlan = z
  .object({
    local_time: z.string().nullable().meta({
      description:
        'Hora local de cada día; null si la hace otra réplica / Local time; null where another replica makes it',
    }),
    next_at: z
      .string()
      .nullable()
      .meta({ description: 'Cuándo toca la siguiente / When the next one is due' }),
    last_tried_at: z.string().nullable().meta({
      description: 'Cuándo se probó la última que sirve / When the last one that works was tried',
    }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Por qué falló el último intento / Why the last try failed' }),
  })
  .meta({ id: 'SystemBackupPlan' });

const sizes = z.object({
  database: z.number().int().meta({ description: 'Bytes de la base de datos / Bytes of the database' }),
  write_ahead_log: z.number().int().nullable().meta({
    description: 'Bytes del registro de escritura de SQLite / Bytes of the write-ahead log of SQLite',
  }),
  free_disk: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Bytes libres donde está DATA_DIR / Free bytes where DATA_DIR is' }),
});

/** `GET system/` */
export const systemAnswer = z
  .object({
    version: z.string(),
    engine: z
      .enum(['sqlite', 'postgres'])
      .meta({ description: 'Motor de la base de datos / Database engine' }),
    database_version: z.string().meta({ description: 'Versión del motor / Version of the engine' }),
    started_at: z.string().meta({
      description: 'Cuándo inició el proceso que responde / When the process that answers started',
    }),
    sizes: sizes.meta({ description: 'Tamaños en bytes / Sizes in bytes' }),
    checks: z
      .array(systemCheck)
      .meta({ description: 'Lo que encontró la última comprobación / What the last check found' }),
    jobs: z
      .object({
        waiting: z.number().int().meta({ description: 'Cuántos esperan / How many wait' }),
        running: z.number().int().meta({ description: 'Cuántos están en curso / How many run' }),
        failed: z.number().int().meta({ description: 'Cuántos fallaron / How many failed' }),
      })
      .meta({ description: 'Trabajos en segundo plano / Background jobs' }),
    backups: z.array(systemBackup).meta({
      description:
        'Copias que hizo el programa, y el último intento que falló, con tamaño 0 / Copies that the program made, and the last try that failed, of size 0',
    }),
    backup_plan: backupPlan.nullable().meta({
      description:
        'Copias que hace el programa; null si no hace / Copies that the program makes; null for none',
    }),
    outbound: z.boolean().meta({
      description:
        'Si salen correos, webhooks y cobros (OUTBOUND) / Whether mail, webhooks and calls to providers leave',
    }),
  })
  .meta({ id: 'System' });
export type SystemAnswer = z.infer<typeof systemAnswer>;

const SYSTEM_JOB_STATES = ['waiting', 'running', 'failed'] as const;
export type SystemJobState = (typeof SYSTEM_JOB_STATES)[number];
export const SYSTEM_JOB_STATE_LABELS: Record<SystemJobState, string> = {
  waiting: 'En espera',
  running: 'En curso',
  failed: 'Falló',
};

/** A background job, without the data that it processes. */
export const systemJob = z
  .object({
    id: z.number().int(),
    kind: z.string(),
    label: z.string().meta({ description: 'Qué hace, para personas / What it does, for people' }),
    state: z.enum(SYSTEM_JOB_STATES),
    tries: z.number().int().meta({ description: 'Intentos que fallaron / Tries that failed' }),
    run_at: z.string().meta({ description: 'Cuándo le toca / When its turn is' }),
    last_error: z
      .string()
      .nullable()
      .meta({ description: 'Error del último intento / Error of the last try' }),
  })
  .meta({ id: 'SystemJob' });
export type SystemJob = z.infer<typeof systemJob>;

/** `GET system/jobs/?state=`, the newest first. */
export const systemJobQuery = z.object({
  ...listQuery.pick({ page: true, page_size: true, after: true }).shape,
  state: z.enum(SYSTEM_JOB_STATES).optional(),
});
export const systemJobPage = pageOf(systemJob).meta({ id: 'SystemJobPage' });

export const SYSTEM_MESSAGES = {
  checking: 'La comprobación empezó',
  jobNotFound: 'Trabajo no encontrado',
  notFailed: 'Solo se reintenta un trabajo que falló',
} as const;

/**
 * The calls, all with the permission `settings:manage`, under `/licenses/api/`:
 *
 * - `GET system/` → 200 {@link systemAnswer}
 * - `POST system/check/` → 202 `{success, message}`: starts the checks; `GET system/` returns their results
 * - `GET system/jobs/?state=&page=&page_size=` → 200 {@link systemJobPage}
 * - `POST system/jobs/{id}/retry/` → 200 {@link systemJob}; 409 `conflict` for a job that did not fail
 */
export const SYSTEM_PATH = '/licenses/api/system/';
