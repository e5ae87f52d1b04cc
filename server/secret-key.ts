import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Db } from './db/tables.ts';
import { createSecretBox, type SecretBox } from './lib/secret-box.ts';
import { isGuessableKey } from './lib/weak-secret.ts';

/** The database belongs to another key, or the key of a new one is weak. The message names the remedy, in Spanish. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError';
}

/** The name of the key's file in the data folder; a backup has it beside the copy of the database. */
export const SECRET_KEY_FILE = 'secret.key';

const PURPOSE = 'check';
const PROOF = 'License Manager';

/**
 * The key under which secrets are encrypted: SECRET_KEY, else that of the data folder, which is made at the first
 * start and readable by its owner only.
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
 * Opens the secrets of an installation. The first start stores a proof of its key in the database, and every later one
 * checks it, so that no process works with a key that cannot read what another has written. A key that others guess is
 * refused at the first start alone: it is not rotated, so an installation that has one would lose its secrets.
 * @throws SecretKeyError when the database belongs to another key, and for a weak key of a new installation
 */
export async function openSecrets(db: Db, config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<SecretBox> {
  const secrets = createSecretBox(readSecretKey(config));
  const stored = () => db.selectFrom('secret_proof').select('proof').executeTakeFirst();
  if (!(await stored())) {
    if (config.secretKey !== null && isGuessableKey(config.secretKey)) {
      throw new SecretKeyError(
        'SECRET_KEY es fácil de adivinar. Usa 32 caracteres al azar o más, como los de: openssl rand -base64 32',
      );
    }
    await db
      .insertInto('secret_proof')
      .values({ id: 1, proof: secrets.seal(PROOF, PURPOSE) })
      // Another replica may store its proof first.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
  const row = await stored();
  try {
    if (row && secrets.open(row.proof, PURPOSE) === PROOF) return secrets;
  } catch {
    // Sealed under another key.
  }
  throw new SecretKeyError(
    'La base de datos se creó con otra SECRET_KEY. Usa la misma en todos los procesos: indica SECRET_KEY, o copia ' +
      `${SECRET_KEY_FILE} de la carpeta de datos del primer proceso (o del respaldo) a ${config.dataDir}.`,
  );
}

/**
 * Whether the key of the configuration is that of the database, without making either: 'missing' where neither
 * SECRET_KEY nor its file is there, 'new' where no process has stored a proof yet.
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
