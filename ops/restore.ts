// npm run restore -- COPY: restores a copy into a data folder or a PostgreSQL database, with the key of its secrets.
// Without a name it lists the copies in BACKUP_DIR.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../server/config.ts';
import { bytesText } from '../server/features/system/checks/check.ts';
import { listCopies, momentOfCopy } from '../server/features/system/copies/copy-files.ts';
import { formatMoment } from '../server/lib/format-moment.ts';
import { consent } from './consent.ts';
import { CopyError } from './copy-error.ts';
import { restore } from './database-copies.ts';
import { endWithMessage } from './end-with-message.ts';
import { restoreKey } from './secret-key-copies.ts';

const USAGE = 'Uso: npm run restore -- COPIA [--replace]';

/** The names of the available copies, newest first. */
function listed({ backup, timeZone }: Config): string {
  if (backup === null) throw new CopyError(`${USAGE}\nSin BACKUP_DIR no hay una lista de copias.`);
  const copies = listCopies(backup.dir);
  if (copies.length === 0) return `No hay copias en ${backup.dir}.`;
  const lines = copies.map(
    ({ name, at, size }) => `  ${name}  ${bytesText(size).padStart(9)}  ${formatMoment(at, timeZone)}`,
  );
  return [`Copias en ${backup.dir}:`, ...lines, '', USAGE].join('\n');
}

/** The file for a name: the file itself if it exists, else the copy with this name in BACKUP_DIR. */
function fileOf({ backup }: Config, name: string): string {
  const isListed = backup !== null && !existsSync(name) && momentOfCopy(name) !== null;
  return isListed ? join(backup.dir, name) : name;
}

process.umask(0o077);
try {
  const args = process.argv.slice(2);
  const names = args.filter((word) => word !== '--replace');
  if (names.length > 1 || names.some((word) => word.startsWith('--'))) throw new CopyError(USAGE);
  const config = readConfig(process.env);
  const [name] = names;
  if (name === undefined) {
    console.log(listed(config));
  } else {
    const file = fileOf(config, name);
    await restore(config, file, consent(args.includes('--replace')));
    const advice = restoreKey(config, file);
    console.log(`Copia restaurada en ${config.databaseUrl === null ? config.dataDir : 'PostgreSQL'}.`);
    if (advice !== null) console.log(advice);
  }
} catch (error) {
  endWithMessage(error);
}
