import {
  databaseFacts,
  databaseFile,
  databaseSizes,
  hasTrigrams,
  missingRights,
  quickCheck,
  replication,
} from '../../../db/diagnosis.ts';
import { damageOf, hasUnnamedPooler, keepsTimeouts } from '../../../db/dialect.ts';
import { hindranceTexts } from '../../../db/migrations/baseline.ts';
import { engineOf, migrationState, newerSchemaText } from '../../../db/open.ts';
import { bytesText, type Check, counted, failure, ok, warning } from './check.ts';

/** The oldest version of PostgreSQL with which the program is tested. */
const POSTGRES_MIN = 13;
const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export const database: Check = {
  id: 'database',
  needs: 'nothing',
  run: async ({ db }) => {
    const { engine, version } = await databaseFacts(db);
    const damage = damageOf(db);
    if (damage) return failure(damage.message, damage.remedy);
    if (engine === 'postgres' && Number.parseInt(version, 10) < POSTGRES_MIN) {
      return failure(
        `PostgreSQL ${version} es más viejo que ${POSTGRES_MIN}.`,
        'Actualiza PostgreSQL; antes haz una copia con npm run backup.',
      );
    }
    return ok(`${ENGINES[engine]} ${version} responde.`);
  },
};

export const migrations: Check = {
  id: 'migrations',
  needs: 'database',
  run: async ({ db }) => {
    const { applied, missing, unknown, hindrance } = await migrationState(db);
    if (hindrance !== null) {
      const { message, remedy } = hindranceTexts(hindrance, 'database');
      return failure(message, remedy);
    }
    if (unknown.length > 0) {
      return failure(newerSchemaText(unknown), 'Actualiza el programa, o restaura una copia anterior.');
    }
    if (applied.length === 0) {
      return warning('La base de datos está vacía.', 'El primer inicio del servidor crea las tablas.');
    }
    if (missing.length > 0) {
      return warning(
        `${missing.length === 1 ? 'Falta' : 'Faltan'} ${counted(missing.length, 'migración', 'migraciones')} de esta versión del programa.`,
        'Haz una copia con npm run backup e inicia el servidor: las aplica al empezar.',
      );
    }
    return ok(`Al día (${applied.sort().at(-1)}).`);
  },
};

export const pgTrgm: Check = {
  id: 'pg_trgm',
  needs: 'database',
  run: async ({ db }) => {
    const has = await hasTrigrams(db);
    if (has === null) return null;
    return has
      ? ok('Instalada.')
      : failure(
          'Falta la extensión pg_trgm, que usan las búsquedas.',
          'Como dueño de la base de datos: create extension pg_trgm;',
        );
  },
};

export const rights: Check = {
  id: 'rights',
  needs: 'database',
  run: async ({ db }) => {
    const missing = await missingRights(db);
    if (missing === null) return null;
    if (missing.onlyReads) {
      return failure(
        'PostgreSQL solo admite lecturas: es una réplica, o está en modo de solo lectura.',
        'Escribe en DATABASE_URL la dirección del servidor primario.',
      );
    }
    if (missing.tables.length > 0) {
      return failure(
        `El usuario de DATABASE_URL no puede leer y escribir ${counted(missing.tables.length, 'tabla', 'tablas')}: ${missing.tables.slice(0, 5).join(', ')}.`,
        'Haz que sea el dueño de la base de datos y de sus tablas.',
      );
    }
    if (!missing.mayCreate) {
      return warning(
        'El usuario de DATABASE_URL no puede crear tablas: la siguiente versión no podrá migrar.',
        'Como dueño de la base de datos: grant create on schema public to USUARIO;',
      );
    }
    return ok('Los que hacen falta.');
  },
};

export const statementTimeout: Check = {
  id: 'statement_timeout',
  needs: 'database',
  run: async ({ db, config }) => {
    if (config.databaseUrl === null) return null;
    if (await hasUnnamedPooler(engineOf(config))) {
      return failure(
        'En la dirección de DATABASE_URL hay un pooler en modo de transacciones: el servidor no inicia.',
        'Escribe DATABASE_POOLER=transaction.',
      );
    }
    if (await keepsTimeouts(db)) {
      return ok(
        config.databasePooler ? 'Se fija en cada transacción, tras un pooler.' : 'PostgreSQL lo respeta.',
      );
    }
    return warning(
      'Entre el programa y PostgreSQL hay un pooler que no deja pasar statement_timeout: una consulta sin fin no terminará nunca.',
      'Escribe DATABASE_POOLER=transaction.',
    );
  },
};

const BEHIND_SECONDS = 30;
const SLOT_WAL_BYTES = 1e9;

export const replicas: Check = {
  id: 'replication',
  needs: 'database',
  run: async ({ db }) => {
    const found = await replication(db);
    if (found === null) return null;
    const { standbys, secondsBehind, bytesBehind, slotWalBytes } = found;
    if (slotWalBytes > SLOT_WAL_BYTES) {
      return warning(
        `Una réplica que no está conectada retiene ${bytesText(slotWalBytes)} del registro de PostgreSQL.`,
        'Vuelve a conectarla, o borra su slot (pg_drop_replication_slot) antes de que llene el disco.',
      );
    }
    if (standbys === 0) return ok('Sin réplicas.');
    const lag = secondsBehind === null ? '' : `, la última ${secondsBehind} s atrás`;
    if ((secondsBehind ?? 0) > BEHIND_SECONDS) {
      return warning(
        `${counted(standbys, 'réplica', 'réplicas')}${lag} (${bytesText(bytesBehind ?? 0)}).`,
        'Revisa la red y la carga de la réplica.',
      );
    }
    return ok(`${counted(standbys, 'réplica', 'réplicas')}${lag}.`);
  },
};

const WAL_BYTES = 256e6;

export const writeAheadLog: Check = {
  id: 'write_ahead_log',
  needs: 'database',
  run: async ({ db }) => {
    const { writeAheadLog: bytes } = await databaseSizes(db);
    if (bytes === null) return null;
    if (bytes < WAL_BYTES) return ok(`${bytesText(bytes)}.`);
    return warning(
      `${bytesText(bytes)}: algo impide que se pase al archivo de la base de datos.`,
      'Cierra los programas que tengan abierto el archivo, y reinicia el servidor.',
    );
  },
};

/** Reads the whole file, so the server does not run it together with its requests. */
export const quickCheckOfFile: Check = {
  id: 'quick_check',
  needs: 'database',
  limitMs: 6 * 3_600_000,
  run: async ({ db }) => {
    const file = await databaseFile(db);
    if (file === null) return null;
    const lines = quickCheck(file);
    if (lines.length === 0) return ok('Todas sus páginas se leen bien.');
    return failure(
      `El archivo está dañado: ${lines[0]}`,
      'Detén el servidor, guarda aparte la carpeta de datos entera y restaura la última copia en una carpeta nueva (npm run restore, DATA_DIR).',
    );
  },
};
