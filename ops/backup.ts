// npm run backup -- FILE: writes a consistent copy of the configured database into a SQLite file, also while the server
// runs, and FILE.key with the key that decrypts its secrets.
import { readConfig } from '../server/config.ts';
import { CopyError } from './copy-error.ts';
import { backUp } from './database-copies.ts';
import { endWithMessage } from './end-with-message.ts';
import { backUpKey } from './secret-key-copies.ts';

process.umask(0o077);
try {
  const [file] = process.argv.slice(2);
  if (!file) throw new CopyError('Uso: npm run backup -- ARCHIVO');
  const config = readConfig(process.env);
  const { advice, takeBack } = backUpKey(config, file);
  const { size, leftOut } = await backUp(config, file).catch((error) => {
    // A key without its copy would lie about, and refuse the next backup after the key was changed.
    takeBack();
    throw error;
  });
  console.log(`Copia terminada: ${file} (${(size / 1e6).toFixed(1)} MB)\n${advice}`);
  if (leftOut.length > 0) console.log(`No se copiaron las tablas de otros programas: ${leftOut.join(', ')}.`);
} catch (error) {
  endWithMessage(error);
}
