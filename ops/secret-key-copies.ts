import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../server/config.ts';
import { prepareDataDir } from '../server/db/open.ts';
import { keyDraftOf, type Replacement } from '../server/db/restore-steps.ts';
import { keyCopyOf, momentOfCopy } from '../server/features/system/copies/copy-files.ts';
import { giveToOwnerOf } from '../server/lib/give-to-owner.ts';
import { draftOf, publish, removeDraft, removeLeftDrafts } from '../server/lib/publish-file.ts';
import { SECRET_KEY_FILE } from '../server/secret-key.ts';
import { CopyError, type MayReplace, NotEmptyError, refuseToOverwrite, setAsideAs } from './copy-error.ts';

/**
 * The key that encrypts second factors and signing keys. A backup stores it beside the copy of the database: FILE and
 * FILE.key.
 */

type KeyPlace = Pick<Config, 'secretKey' | 'dataDir' | 'backup'>;

const copyOf = (file: string) => `${file}.key`;

/** The key file of a copy: beside it, or in BACKUP_KEY_DIR for an automatic backup. */
function keyOfCopy({ backup }: KeyPlace, file: string): string {
  const name = basename(file);
  const isAutomatic = resolve(dirname(file)) === backup?.dir && momentOfCopy(name) !== null;
  return isAutomatic && backup.keyDir !== null ? keyCopyOf(backup.keyDir, name) : copyOf(file);
}
const keyFileOf = ({ dataDir }: KeyPlace) => join(dataDir, SECRET_KEY_FILE);
const readKey = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/** Writes a key file completely, flushed to disk, and readable by its owner only. */
function writeKey(file: string, key: string): void {
  const draft = draftOf(file);
  try {
    writeDraft(draft, key);
    publish(draft, file);
  } finally {
    removeDraft(draft);
  }
}

function writeDraft(draft: string, key: string): void {
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
}

/**
 * Copies the key of the data folder to FILE.key. Call it before the database is copied, so that every copy has its
 * key.
 * @returns a message for the person, in Spanish, and what removes the key again if the database cannot be copied
 * @throws CopyError if FILE exists, or FILE.key with another key
 */
export function backUpKey(config: KeyPlace, file: string): { advice: string; takeBack: () => void } {
  refuseToOverwrite(file);
  const copy = copyOf(file);
  const nothing = () => {};
  if (config.secretKey !== null) {
    return { advice: 'SECRET_KEY no forma parte de la copia: guárdala aparte.', takeBack: nothing };
  }
  const key = readKey(keyFileOf(config));
  if (key === null) {
    const advice = `No hay ${SECRET_KEY_FILE} en ${config.dataDir}: la copia va sin la clave de la verificación en dos pasos y de las firmas.`;
    return { advice, takeBack: nothing };
  }
  // FILE.key may exist from a backup that was killed; that is accepted if it has the same key.
  const isThere = readKey(copy) === key;
  if (!isThere) {
    refuseToOverwrite(copy);
    removeLeftDrafts(copy);
    writeKey(copy, key);
  }
  const advice = `Guarda también ${copy}: sin esa clave no se pueden leer la verificación en dos pasos ni las claves de firma.`;
  return { advice, takeBack: isThere ? nothing : () => rmSync(copy, { force: true }) };
}

/**
 * Checks that the key of a copy can be restored. Call it before the database is restored.
 * @throws NotEmptyError if the folder has another key that may not be replaced
 */
export async function checkKey(config: KeyPlace, file: string, mayReplace: MayReplace): Promise<void> {
  const copy = keyOfCopy(config, file);
  const key = readKey(copy);
  if (key === null) return;
  if (config.secretKey !== null && config.secretKey !== key) {
    throw new CopyError(
      `La copia tiene su propia clave en ${copy}. Indica esa como SECRET_KEY, o quita SECRET_KEY.`,
    );
  }
  const present = readKey(keyFileOf(config));
  if (config.secretKey === null && present !== null && present !== key) {
    const there = `${keyFileOf(config)} es la clave de otra instalación.`;
    if (!(await mayReplace(`${there} Se guarda aparte.`))) {
      throw new NotEmptyError(`${there} Restaura en una carpeta vacía (DATA_DIR), o agrega --replace.`);
    }
  }
}

/**
 * Writes the key of a copy to its draft in the data folder, so that it is replaced together with the database.
 * @param database its draft is named after the database
 * @returns the paths of the files; empty if the folder has that key already, or the copy has none
 */
export function stageKey(config: KeyPlace, file: string, database: string): Replacement[] {
  const target = keyFileOf(config);
  const key = config.secretKey === null ? readKey(keyOfCopy(config, file)) : null;
  if (key === null || key === readKey(target)) return [];
  const draft = keyDraftOf(database);
  writeDraft(draft, key);
  giveToOwnerOf(config.dataDir, draft);
  return [{ draft, target, aside: setAsideAs(target, new Date()) }];
}

/**
 * Restores the key of a copy into the data folder, if it is not there yet.
 * @returns a message for the person, in Spanish; null if there is nothing to say
 */
export function restoreKey(config: KeyPlace, file: string): string | null {
  if (config.secretKey !== null) return null;
  const target = keyFileOf(config);
  const copy = keyOfCopy(config, file);
  const key = readKey(copy);
  if (key !== null) {
    prepareDataDir(config.dataDir);
    const present = readKey(target);
    if (present === key) return null;
    if (present !== null) renameSync(target, setAsideAs(target, new Date()));
    writeKey(target, key);
    giveToOwnerOf(config.dataDir, target);
    return null;
  }
  if (existsSync(target)) return null;
  return (
    `Falta ${copy}: sin esa clave no se puede leer la verificación en dos pasos, y el servidor no inicia. ` +
    `Indica SECRET_KEY o copia la clave a ${target}. Si se perdió: npm run user -- lost-key`
  );
}
