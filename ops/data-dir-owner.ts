import { existsSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../server/db/open.ts';
import { LOCK_FILE } from '../server/db/sqlite/data-dir-lock.ts';
import { type Check, failure, ok } from '../server/features/system/checks/check.ts';
import { SECRET_KEY_FILE } from '../server/secret-key.ts';

/** What the server opens in its data folder, whichever engine it uses. */
const OPENED = [
  ...['', '-wal', '-shm'].map((end) => `${DATABASE_FILE}${end}`),
  SECRET_KEY_FILE,
  LOCK_FILE,
  'outbox',
];

const READ_AND_WRITE = 0o6;

/** Whether the owner of the folder can read and write one of its files. */
function mayUse(folder: Stats, { uid, gid, mode }: Stats): boolean {
  const allows = (shift: number) => ((mode >> shift) & READ_AND_WRITE) === READ_AND_WRITE;
  return uid === folder.uid || allows(0) || (gid === folder.gid && allows(3));
}

/**
 * Root can open every file, so the other checks do not see what the account of the service cannot open: files that root
 * copied by hand into its folder. The service is taken to be the owner of the folder.
 */
export const dataDirOwner: Check = {
  id: 'data_dir',
  needs: 'nothing',
  run: async ({ config: { dataDir } }) => {
    if (process.getuid?.() !== 0 || !existsSync(dataDir)) return null;
    const folder = statSync(dataDir);
    if (folder.uid === 0) return null;
    const names = OPENED.filter((name) => existsSync(join(dataDir, name)));
    const closed = names.filter((name) => !mayUse(folder, statSync(join(dataDir, name))));
    if (closed.length === 0) return ok('Su dueño puede usar lo que tiene.');
    const files = closed.map((name) => `'${join(dataDir, name)}'`).join(' ');
    return failure(
      `La carpeta de datos es de la cuenta ${folder.uid}, que no puede usar ${closed.join(', ')}.`,
      `Si es la del servidor: chown -R ${folder.uid}:${folder.gid} ${files}`,
    );
  },
};
