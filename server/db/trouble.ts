/** The fault of a database that cannot be used, and the remedy, in Spanish. */
export type Trouble = { message: string; remedy: string };

const RESTORE =
  'Detén el servidor, guarda aparte la carpeta de datos entera y restaura la última copia en una carpeta nueva (npm run restore, DATA_DIR).';

const SQLITE: Readonly<Record<string, Trouble>> = {
  SQLITE_CORRUPT: { message: 'El archivo de la base de datos está dañado.', remedy: RESTORE },
  SQLITE_NOTADB: {
    message: 'El archivo de la base de datos no es una base de datos, o su comienzo está dañado.',
    remedy: RESTORE,
  },
  SQLITE_CANTOPEN: {
    message: 'El archivo de la base de datos no se puede abrir.',
    remedy: 'Revisa que DATA_DIR exista y que la cuenta del servidor pueda leer y escribir ahí.',
  },
  SQLITE_READONLY: {
    message: 'El archivo de la base de datos no admite cambios.',
    remedy:
      'Revisa que el disco de DATA_DIR admita escritura y que el archivo sea de la cuenta del servidor.',
  },
  SQLITE_FULL: {
    message: 'El disco de la base de datos está lleno.',
    remedy: 'Libera espacio en el disco de DATA_DIR.',
  },
  SQLITE_IOERR: {
    message: 'El disco falló al leer o escribir la base de datos.',
    remedy: 'Revisa el disco y el registro del sistema antes de seguir; ten a la mano la última copia.',
  },
};

const FILES: Readonly<Record<string, Trouble>> = {
  EROFS: {
    message: 'La carpeta de datos está en un disco de solo lectura.',
    remedy: 'Monta el disco con escritura, o indica otra carpeta con DATA_DIR.',
  },
  EACCES: {
    message: 'No hay permiso para usar la carpeta de datos.',
    remedy: 'Da la carpeta a la cuenta del servidor, o indica otra con DATA_DIR.',
  },
  ENOSPC: { message: 'El disco está lleno.', remedy: 'Libera espacio en el disco de DATA_DIR.' },
};

const POSTGRES: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: {
    message: 'La base de datos no responde en la dirección de DATABASE_URL.',
    remedy: 'Revisa que PostgreSQL esté en marcha y que DATABASE_URL tenga su nombre y su puerto.',
  },
  ENOTFOUND: {
    message: 'El nombre del servidor en DATABASE_URL no existe.',
    remedy: 'Corrige el nombre en DATABASE_URL, o revisa el DNS de este equipo.',
  },
  EAI_AGAIN: {
    message: 'No se pudo buscar el nombre del servidor de DATABASE_URL.',
    remedy: 'Revisa el DNS de este equipo.',
  },
  '28P01': {
    message: 'PostgreSQL no acepta el usuario o la contraseña de DATABASE_URL.',
    remedy: 'Corrige el usuario y la contraseña en DATABASE_URL.',
  },
  '28000': {
    message: 'PostgreSQL no deja entrar al usuario de DATABASE_URL.',
    remedy: 'Revisa pg_hba.conf y el usuario de DATABASE_URL.',
  },
  '3D000': {
    message: 'La base de datos de DATABASE_URL no existe.',
    remedy: 'Créala (createdb), o corrige su nombre en DATABASE_URL.',
  },
  '53300': {
    message: 'PostgreSQL no admite más conexiones.',
    remedy: 'Baja DATABASE_POOL, sube max_connections, o pon un pooler (DATABASE_POOLER=transaction).',
  },
  '42501': {
    message: 'El usuario de DATABASE_URL no tiene los permisos que hacen falta.',
    remedy: 'Haz que sea el dueño de la base de datos.',
  },
  '25006': {
    message: 'PostgreSQL solo admite lecturas: es una réplica, o está en modo de solo lectura.',
    remedy: 'Escribe en DATABASE_URL la dirección del servidor primario.',
  },
  '55P03': {
    message: 'Otra sesión de PostgreSQL usa las tablas que la actualización cambia.',
    remedy:
      'Espera a que termine (una copia con pg_dump, una consulta larga) y arranca de nuevo: lo que ya se actualizó se conserva.',
  },
  '08P01': {
    message: 'En la dirección de DATABASE_URL hay un pooler, como PgBouncer.',
    remedy: 'Escribe DATABASE_POOLER=transaction.',
  },
  ETIMEDOUT: {
    message: 'PostgreSQL no respondió a tiempo.',
    remedy: 'Revisa la red entre este equipo y PostgreSQL, y su carga.',
  },
};

/** SQLite's extended codes add a suffix to the basic code: SQLITE_CORRUPT_INDEX. */
const ofSqlite = (code: string): Trouble | undefined =>
  Object.entries(SQLITE).find(([name]) => code === name || code.startsWith(`${name}_`))?.[1];

/** The fault that an error of the database or of its folder stands for; null for any other error. */
export function troubleOf(error: unknown): Trouble | null {
  if (typeof error !== 'object' || error === null) return null;
  // If a host name has several addresses, the error contains one error for each.
  const [first] = error instanceof AggregateError ? error.errors : [];
  const code: unknown = (error as { code?: unknown }).code ?? (first as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string') return ofSqlite(code) ?? FILES[code] ?? POSTGRES[code] ?? null;
  return error instanceof Error && /timeout/i.test(error.message) ? POSTGRES.ETIMEDOUT! : null;
}

/** True for an error that reports a damaged database file. The damage stays until somebody repairs the file. */
export const isDamage = (error: unknown): boolean => {
  const trouble = troubleOf(error);
  return trouble !== null && (trouble === SQLITE.SQLITE_CORRUPT || trouble === SQLITE.SQLITE_NOTADB);
};
