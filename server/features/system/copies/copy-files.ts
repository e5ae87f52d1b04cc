import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BackupConfig, Config } from '../../../config.ts';
import { isInside } from '../../../lib/is-inside.ts';
import { publish } from '../../../lib/publish-file.ts';
import { SECRET_KEY_FILE } from '../../../secret-key.ts';

/**
 * The files in BACKUP_DIR and BACKUP_KEY_DIR. Only files with a name that this program gave are listed or removed
 * (OPS-03).
 */

const NAME = /^license-manager-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})Z\.sqlite$/;
const DRAFT = /^\.license-manager-\d{8}-\d{6}Z\.sqlite\.tmp(?:-journal|-wal|-shm)?$/;

/** The name of a copy made at a moment, in UTC to the second: `license-manager-20261126-090000Z.sqlite`. */
export const copyName = (at: Date): string =>
  `license-manager-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}Z.sqlite`;

/** The moment in the name of a copy; null for any other name. */
export function momentOfCopy(name: string): string | null {
  const parts = NAME.exec(name);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`);
  // A month 13 is not a moment, and February 31 would give another name.
  return Number.isNaN(at.getTime()) || copyName(at) !== name ? null : at.toISOString();
}

export const draftOf = (dir: string, name: string): string => join(dir, `.${name}.tmp`);

export type CopyFile = { name: string; at: string; size: number };

/** The copies in a folder, newest first; empty if the folder does not exist. */
export function listCopies(dir: string): CopyFile[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .flatMap((name) => {
      const at = momentOfCopy(name);
      const file = at === null ? undefined : statSync(join(dir, name), { throwIfNoEntry: false });
      return at !== null && file?.isFile() ? [{ name, at, size: file.size }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Makes the folder for copies, and removes drafts of interrupted attempts. */
export function prepareCopies(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(dir)) if (DRAFT.test(name)) rmSync(join(dir, name), { force: true });
}

export const keyCopyOf = (keyDir: string, name: string): string => join(keyDir, `${name}.key`);

/** The key would be stored beside the copies that it decrypts. */
class KeyBesideCopyError extends Error {
  override name = 'KeyBesideCopyError';
}

/**
 * Copies the key file of the data folder for a copy of the database; does nothing if SECRET_KEY is set.
 * @throws KeyBesideCopyError if the folder for keys is inside the folder for copies
 */
export function copyKey(
  { dir, keyDir }: BackupConfig,
  { dataDir }: Pick<Config, 'dataDir'>,
  name: string,
): void {
  if (keyDir === null) return;
  mkdirSync(keyDir, { recursive: true, mode: 0o700 });
  // The real paths are compared, because different names may be links to one folder.
  if (isInside(realpathSync(keyDir), realpathSync(dir))) {
    throw new KeyBesideCopyError(
      'BACKUP_KEY_DIR lleva a BACKUP_DIR: la clave no se guarda junto a las copias.',
    );
  }
  const file = keyCopyOf(keyDir, name);
  const draft = `${file}.tmp`;
  try {
    writeFileSync(draft, readFileSync(join(dataDir, SECRET_KEY_FILE)), { mode: 0o600, flush: true });
    publish(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a copy and its key. */
export function removeCopy({ dir, keyDir }: BackupConfig, name: string): void {
  if (momentOfCopy(name) === null) throw new Error(`${name} is no copy of this program`);
  const files = [join(dir, name), ...(keyDir === null ? [] : [keyCopyOf(keyDir, name)])];
  for (const file of files) if (existsSync(file)) rmSync(file);
}
