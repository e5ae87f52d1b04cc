import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Db } from './db/tables.ts';
import { createSecretBox, type SecretBox } from './lib/secret-box.ts';
import { isGuessableKey } from './lib/weak-secret.ts';

/**
 * The database was created with another key, or the key of a new database is weak. The message contains the remedy,
 * in Spanish.
 */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError';
}

/** The name of the key file in the data folder; a backup has the file beside the copy of the database. */
export const SECRET_KEY_FILE = 'secret.key';

const PURPOSE = 'check';
const PROOF = 'License Manager';

/**
 * The key that encrypts secrets: SECRET_KEY, else the key file in the data folder. The first start makes that file;
 * only its owner can read it.
 */
function readSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): string {
  if (secretKey !== null) return secretKey;
  const file = join(dataDir, SECRET_KEY_FILE);
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Opens the secrets of an installation. The first start stores a proof of its key in the database, and every later
 * start checks it. So no process works with a key that cannot read what another process has written. A key that is
 * easy to guess is refused at the first start only: keys are not rotated, so an existing installation would lose its
 * secrets. A key is made for a new database only.
 * @throws SecretKeyError when the database was created with another key, and for a weak key of a new installation
 */
export async function openSecrets(db: Db, config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretBox> {
  const stored = () => db.selectFrom('secret_proof').select('proof').executeTakeFirst();
  const isNew = !(await stored());
  // A key made now could not fit, and would have to be moved away before the right one is restored.
  const { secretKey, dataDir } = config;
  if (!isNew && secretKey === null && !existsSync(join(dataDir, SECRET_KEY_FILE))) throw otherKey(dataDir);
  const secrets = createSecretBox(readSecretKey(config));
  if (isNew) {
    if (config.secretKey !== null && isGuessableKey(config.secretKey)) {
      throw new SecretKeyError(
        'SECRET_KEY es fácil de adivinar. Usa 32 caracteres al azar o más, como los de: openssl rand -base64 32',
      );
    }
    await db
      .insertInto('secret_proof')
      .values({ id: 1, proof: secrets.seal(PROOF, PURPOSE) })
      // Another replica may store its proof first; the check below compares with that one.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  const row = await stored();
  try {
    if (row && secrets.open(row.proof, PURPOSE) === PROOF) return secrets;
  } catch {
    // The proof was encrypted with another key.
  }
  throw otherKey(dataDir);
}

/** Opens secrets with the configured key, and makes none: without a key nothing can be opened. */
export function knownSecrets({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): SecretBox {
  const file = join(dataDir, SECRET_KEY_FILE);
  const key = secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
  return createSecretBox(key ?? randomBytes(32).toString('base64url'));
}

const otherKey = (dataDir: string) =>
  new SecretKeyError(
    'La base de datos se creó con otra SECRET_KEY. Usa la misma en todos los procesos: indica SECRET_KEY, o copia ' +
      `${SECRET_KEY_FILE} de la carpeta de datos del primer proceso (o del respaldo) a ${dataDir}.`,
  );

/**
 * Compares the configured key with the database, and creates neither a key nor a proof.
 * @returns 'missing' when there is neither SECRET_KEY nor a key file, 'new' when no process has stored a proof yet
 */
export async function secretKeyFits(
  db: Db,
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<'fits' | 'other' | 'missing' | 'new'> {
  const row = await db.selectFrom('secret_proof').select('proof').executeTakeFirst();
  if (!row) return 'new';
  const file = join(dataDir, SECRET_KEY_FILE);
  const key = secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
  if (key === null) return 'missing';
  try {
    return createSecretBox(key).open(row.proof, PURPOSE) === PROOF ? 'fits' : 'other';
  } catch {
    return 'other';
  }
}
