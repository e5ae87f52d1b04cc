import { isAbsolute, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EmailTransport } from '../contract/mail/email-transport.ts';
import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { makeApiPages } from './api-pages.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { AppContext } from './context.ts';
import { type DatabaseFacts, databaseFacts } from './db/diagnosis.ts';
import { isRefusedByPooler, keepsTimeouts, oneReplicaAtATime, refuseUnnamedPooler } from './db/dialect.ts';
import { OlderSchemaError } from './db/migrations/baseline.ts';
import {
  engineOf,
  migrate,
  NewerSchemaError,
  openDatabase,
  openDatabases,
  prepareDataDir,
} from './db/open.ts';
import { followStandby, standbyEngine } from './db/read-standby.ts';
import { InterruptedRestoreError, settleRestore } from './db/restore-steps.ts';
import { removeScratchFolders } from './db/scratch-folder.ts';
import { DataDirInUseError, lockDataDir } from './db/sqlite/data-dir-lock.ts';
import { troubleOf } from './db/trouble.ts';
import { insertDemoData } from './features/demo/demo-data.ts';
import { JOBS } from './features/index.ts';
import { createFirstAccount, firstAdminLink } from './features/people/first-account/first-accounts.ts';
import { endOtherSessions } from './features/people/oidc/only-oidc.ts';
import { makeSigningKeys } from './features/programs/signing/make-signing-keys.ts';
import { enterZone, OtherZoneError } from './features/settings/running-zone.ts';
import { businessTimezone } from './features/system/checks/business-timezone.ts';
import { adviceOn } from './features/system/checks/configuration.ts';
import { writeDeliveries } from './features/webhooks/write-deliveries.ts';
import { type JobRunner, startJobs } from './jobs/runner.ts';
import { lookUpName } from './lib/network-address.ts';
import { reasonOf } from './lib/reason-of.ts';
import { releaseStartupMemory } from './lib/startup-memory.ts';
import { within } from './lib/within.ts';
import { openMailer } from './mail-server.ts';
import { openSecrets, SecretKeyError } from './secret-key.ts';

/** The composition root: only this file calls {@link readConfig} and starts services. main.ts imports it. */

/** Errors that are printed without a stack, because their message is sufficient. */
const PLAIN_ERRORS = [
  ConfigError,
  NewerSchemaError,
  OlderSchemaError,
  DataDirInUseError,
  InterruptedRestoreError,
  SecretKeyError,
  OtherZoneError,
];

const POOLER_IN_BETWEEN =
  'entre el programa y PostgreSQL hay un pooler que no deja pasar statement_timeout: escribe DATABASE_POOLER=transaction, o una consulta sin fin no terminará nunca';

/** The time for running requests and mail after the drain; Docker kills the process soon after it. */
const STOP_MS = 8000;

/** SIGHUP is a closed terminal or, on Windows, a closed window; SIGBREAK is Ctrl+Break there (OPS-07). */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

try {
  await start(readConfig(process.env, process.stdout.isTTY));
} catch (error) {
  if (PLAIN_ERRORS.some((kind) => error instanceof kind)) {
    process.stderr.write(`${(error as Error).message}\n`);
  } else {
    process.stderr.write(`No se pudo iniciar: ${explain(error)}\n`);
  }
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  prepareDataDir(config.dataDir);
  // Only one process may use a SQLite file; replicas share the database of DATABASE_URL.
  const lock =
    config.databaseUrl === null ? lockDataDir(config.dataDir, new Date(), config.timeZone) : undefined;
  const engine = engineOf(config);
  if (engine.kind === 'sqlite' && settleRestore(engine.file)) {
    process.stdout.write('Se terminó una restauración que se había interrumpido.\n');
  }
  removeScratchFolders(new Date());
  await refuseUnnamedPooler(engine);
  const { db, forLongWork, close } = openDatabases(engine, (error) => {
    const reason = reasonOf(error);
    process.stderr.write(`Error de la base de datos fuera de toda petición; se reintenta: ${reason}\n`);
  });
  await migrate(forLongWork, (error) =>
    process.stderr.write(`La actualización de la base de datos espera y se repite: ${reasonOf(error)}\n`),
  );
  const standbyAt = standbyEngine(config);
  const standby =
    standbyAt &&
    followStandby(
      db,
      openDatabase(standbyAt, () => {}),
    );
  const secrets = await openSecrets(forLongWork, config);

  const mailer = openMailer({ config, db, secrets, lookUp: lookUpName });
  const now = () => new Date();
  let jobs: JobRunner | undefined;
  let draining = false;
  const context: AppContext = {
    config,
    db,
    forLongWork,
    readLately: standby?.read ?? ((work) => work(db, null)),
    mailer,
    secrets,
    now,
    publish: writeDeliveries,
    lookUp: lookUpName,
    nudgeJobs: (kind) => jobs?.nudge(kind),
    makeApiPages: () => makeApiPages(config),
    isDraining: () => draining,
  };

  const zone = await oneReplicaAtATime(forLongWork, () =>
    enterZone(db, config.timeZone, {
      now,
      onError: (error) =>
        process.stderr.write(`No se anotó que el servidor sigue en marcha: ${reasonOf(error)}\n`),
    }),
  );
  const hasAccount = await oneReplicaAtATime(forLongWork, async () => {
    const exists = await createFirstAccount(context);
    await makeSigningKeys({ db: forLongWork, secrets }, now());
    if (config.demo) await insertDemoData({ ...context, db: forLongWork });
    await endOtherSessions({ ...context, db: forLongWork });
    return exists;
  });

  const firstLink = hasAccount
    ? null
    : `${config.publicUrl}${await firstAdminLink({ ...context, db: forLongWork })}`;
  if (firstLink !== null)
    process.stdout.write(`Crea el primer administrador (un solo uso, 24 horas): ${firstLink}\n`);

  const app = await buildApp(context);
  releaseStartupMemory();
  await app.listen({ port: config.port, host: config.host });
  jobs = startJobs(context, app.log, JOBS);
  const mailTransport = await mailer.transport();
  announce(config, app.listeningOrigin, await databaseFacts(db), mailTransport, firstLink);
  if (!(await keepsTimeouts(db))) app.log.warn(POOLER_IN_BETWEEN);
  if (zone.kept !== config.timeZone) {
    const found = await businessTimezone.run({ config, db, mailer, now });
    if (found?.remedy) app.log.warn(`${found.message} ${found.remedy}`);
  }
  if (mailTransport === 'smtp' && config.outbound) {
    void mailer.problem().then((reason) => {
      if (reason !== null) app.log.warn({ reason }, 'el servidor de correo no acepta correo');
    });
  }

  const stop = async () => {
    if (draining) return;
    draining = true;
    await setTimeout(config.drainMs);
    const ended = Promise.all([app.close(), jobs?.stop()]);
    if (!(await within(STOP_MS, ended))) {
      // What remains are unfinished requests, and mail that another process will send.
      app.log.warn('quedaban conexiones o correos en curso al detenerse');
      app.server.closeAllConnections();
    }
    mailer.close();
    await within(
      STOP_MS,
      zone.leave().catch(() => {}),
    );
    await within(STOP_MS, Promise.all([standby?.close(), close()]));
    lock?.release();
    process.exit(0);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
}

function mailText({ outbound, smtpUrl, dataDir }: Config, transport: EmailTransport): string {
  if (!outbound) return 'ninguno (OUTBOUND=0)';
  if (transport === 'folder') return `archivos .eml en ${displayPath(join(dataDir, 'outbox'))}`;
  return smtpUrl === null ? 'el servidor de Configuración › Correos' : 'SMTP_URL';
}

/** Prints what a new user needs to know. */
function announce(
  config: Config,
  origin: string,
  { engine, version }: DatabaseFacts,
  transport: EmailTransport,
  firstLink: string | null,
): void {
  const lines = [
    `License Manager ${config.version}`,
    `  Dirección:     ${origin}`,
    `  Base de datos: ${engine === 'postgres' ? 'PostgreSQL' : 'SQLite'} ${version}${config.databasePooler ? ' tras un pooler (transaction)' : ''}`,
    ...(config.databaseReadUrl === null ? [] : ['  Reportes:      en la réplica de DATABASE_READ_URL']),
    `  Datos:         ${displayPath(config.dataDir)}`,
    `  Correo:        ${mailText(config, transport)}`,
  ];
  if (config.demo) {
    lines.push(`  Demostración:  usuario ${DEMO_ACCOUNT.username}, contraseña ${DEMO_ACCOUNT.password}`);
  }
  if (config.allowRegistration && !config.demo) {
    lines.push(
      '  Registro:      ALLOW_REGISTRATION=1: cualquiera que llegue a este servidor puede crear una cuenta. Con ella ve',
      '                 y cambia clientes, software, licencias e importaciones (rol Operador), sin invitación.',
    );
  }
  for (const { message, remedy } of adviceOn(config)) {
    if (!message.startsWith('ALLOW_REGISTRATION')) lines.push(`  Revisa:        ${message} ${remedy}`);
  }
  if (config.isQuiet)
    lines.push('  Bitácora:      aquí solo advertencias y errores; con LOG_LEVEL=info, cada solicitud');
  lines.push('', `Abre ${firstLink ?? config.publicUrl}`, 'Ctrl+C para terminar');
  process.stdout.write(`${lines.join('\n')}\n`);
}

function displayPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : `./${fromHere}`;
}

function explain(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'el puerto ya está en uso. Elige otro con PORT.';
  if (code === 'EACCES') return 'no hay permiso para usar el puerto o la carpeta de datos (PORT, DATA_DIR).';
  if (code === 'ECONNREFUSED') return 'la base de datos no responde en la dirección de DATABASE_URL.';
  if (isRefusedByPooler(error))
    return 'en la dirección de DATABASE_URL hay un pooler, como PgBouncer. Escribe DATABASE_POOLER=transaction.';
  const trouble = troubleOf(error);
  if (trouble) return `${trouble.message} ${trouble.remedy} Más: npm run doctor.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
