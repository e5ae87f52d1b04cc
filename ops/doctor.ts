// npm run doctor: examines an installation, with or without a running server, and says what to do.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECK_LABELS, type CheckState } from '../contract/system/system.ts';
import { type Config, ConfigError, readConfig } from '../server/config.ts';
import { type Engine, forLongWork } from '../server/db/dialect.ts';
import { DATABASE_FILE, engineOf, openDatabase } from '../server/db/open.ts';
import { interruption } from '../server/db/restore-steps.ts';
import { DataDirInUseError, LOCK_FILE, lockDataDir } from '../server/db/sqlite/data-dir-lock.ts';
import { type Check, failure } from '../server/features/system/checks/check.ts';
import { type Found, runChecks } from '../server/features/system/checks/run-checks.ts';
import { giveToOwnerOf } from '../server/lib/give-to-owner.ts';
import { lookUpName } from '../server/lib/network-address.ts';
import { openMailer } from '../server/mail-server.ts';
import { mailerOf } from '../server/mailer.ts';
import { knownSecrets } from '../server/secret-key.ts';
import { bundleText } from './doctor-bundle.ts';
import { doctorChecks, type Mending } from './doctor-checks.ts';
import { endWithMessage } from './end-with-message.ts';

const USAGE = `Uso: npm run doctor                       comprueba la instalación
     npm run doctor -- --json              lo mismo como JSON
     npm run doctor -- --fix               corrige cuentas, lugares, sumas y consumos guardados; con SQLite, con el servidor detenido
     npm run doctor -- --bundle ARCHIVO    escribe además un texto sin secretos ni datos personales, para reportar un problema
Termina con 0 si todo está bien, con 1 si hay avisos y con 2 si algo falla.`;

type Env = Record<string, string | undefined>;
type Options = { fix?: boolean };
type Diagnosis = {
  found: Found[] /** The text of `--bundle`. */;
  bundle: () => Promise<string>;
  close: () => Promise<void>;
};

/**
 * Examines the installation that the environment configures. It starts no server, creates no file and no table, and
 * changes nothing except the repairs of `fix`.
 */
export async function diagnose(env: Env, { fix = false }: Options = {}): Promise<Diagnosis> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = error.message.replace(/\s*\n\s*/g, ' ');
    const remedy = 'Corrige esas variables; docs/es/configuracion.md las describe.';
    const found: Found[] = [{ id: 'configuration', state: 'failure', message, remedy }];
    return { found, bundle: () => bundleText({ env, config: null, db: null, found }), close: async () => {} };
  }
  const engine = engineOf(config);
  const isThere = engine.kind === 'postgres' || existsSync(engine.file);
  const lock = fix && isThere ? mending(engine, config) : { mending: 'ask' as const, release: () => {} };
  // The connection opens with the first query, so a missing file is not created.
  const db = openDatabase(forLongWork(engine), () => {});
  // A file that is missing must not be created by asking it for the mail server.
  const mailer = isThere
    ? openMailer({ config, db, secrets: knownSecrets(config), lookUp: lookUpName })
    : mailerOf(config);
  try {
    const checks = doctorChecks(lock.mending).map((check) =>
      check.id === 'database' && !isThere ? absent : check,
    );
    const found = await runChecks(checks, { config, db, mailer, now: () => new Date() });
    return {
      found,
      bundle: () => bundleText({ env, config, db: isThere ? db : null, found }),
      // A file that could not be opened cannot be closed either, so the error is ignored.
      close: () => db.destroy().catch(() => {}),
    };
  } finally {
    mailer.close();
    lock.release();
  }
}

/** Replaces the check of a database whose file does not exist. Checks that need it are then skipped. */
const absent: Check = {
  id: 'database',
  needs: 'nothing',
  run: async ({ config }) => {
    const interrupted = interruption(join(config.dataDir, DATABASE_FILE));
    if (interrupted !== null) return failure(interrupted, 'Repite npm run restore -- COPIA.');
    return failure(
      `No hay una base de datos en ${config.dataDir}.`,
      'Corrige DATA_DIR o DATABASE_URL; si es una instalación nueva, el primer inicio del servidor la crea.',
    );
  },
};

/** Locks the data folder during a repair, because a running server would change the counts meanwhile. */
function mending(engine: Engine, config: Config): { mending: Mending; release: () => void } {
  if (engine.kind === 'postgres') return { mending: 'mend', release: () => {} };
  try {
    const lock = lockDataDir(config.dataDir, new Date(), config.timeZone);
    const release = () => {
      lock.release();
      giveToOwnerOf(config.dataDir, join(config.dataDir, LOCK_FILE));
    };
    return { mending: 'mend', release };
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    return {
      mending: { refused: 'El servidor está en marcha: detenlo y repite npm run doctor -- --fix.' },
      release: () => {},
    };
  }
}

const WORDS: Record<CheckState, string> = { ok: 'ok', warning: 'aviso', failure: 'falla' };
const LABEL_WIDTH = Math.max(...Object.values(CHECK_LABELS).map((label) => label.length));

/** The results, one line each, with the remedy below. */
export function printed(found: readonly Found[]): string {
  const lines = found.flatMap(({ id, state, message, remedy }) => [
    `${WORDS[state].padEnd(5)}  ${CHECK_LABELS[id].padEnd(LABEL_WIDTH)}  ${message}`,
    ...(remedy === null ? [] : [`       ${' '.repeat(LABEL_WIDTH)}  → ${remedy}`]),
  ]);
  const count = (state: CheckState) => found.filter((one) => one.state === state).length;
  return [...lines, '', `${count('ok')} ok, ${count('warning')} avisos, ${count('failure')} fallas`].join(
    '\n',
  );
}

/** 0 if all is well, 1 with warnings, 2 with failures. */
export function exitCodeOf(found: readonly Found[]): 0 | 1 | 2 {
  if (found.some(({ state }) => state === 'failure')) return 2;
  return found.some(({ state }) => state === 'warning') ? 1 : 0;
}

function readArguments(args: string[]): { json: boolean; fix: boolean; bundle: string | null } {
  const bundleAt = args.indexOf('--bundle');
  const bundle = bundleAt < 0 ? null : (args[bundleAt + 1] ?? '');
  const others = args.filter((_, index) => bundleAt < 0 || (index !== bundleAt && index !== bundleAt + 1));
  if (bundle === '' || others.some((word) => word !== '--json' && word !== '--fix')) throw new Error(USAGE);
  return { json: others.includes('--json'), fix: others.includes('--fix'), bundle };
}

if (import.meta.main) {
  process.umask(0o077);
  try {
    const { json, fix, bundle } = readArguments(process.argv.slice(2));
    const { found, bundle: text, close } = await diagnose(process.env, { fix });
    try {
      if (bundle !== null) writeFileSync(bundle, await text(), { mode: 0o600, flag: 'wx' });
      const checks = found.map(({ id, state, message, remedy }) => ({ id, state, message, remedy }));
      process.stdout.write(`${json ? JSON.stringify({ checks }, null, 2) : printed(found)}\n`);
      if (bundle !== null && !json) process.stdout.write(`Escrito en ${bundle}; léelo antes de enviarlo.\n`);
    } finally {
      await close();
    }
    process.exitCode = exitCodeOf(found);
  } catch (error) {
    endWithMessage(error);
  }
}
