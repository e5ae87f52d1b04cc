// npm run restore -- FILE: brings a copy back into an empty data folder or an empty PostgreSQL database, with the key of
// its secrets from FILE.key.
import { readConfig } from '../server/config.ts';
import { CopyError, restore } from './database-copies.ts';
import { endWithMessage } from './end-with-message.ts';
import { checkKey, restoreKey } from './secret-key-copies.ts';

try {
  const [file] = process.argv.slice(2);
  if (!file) throw new CopyError('Uso: npm run restore -- ARCHIVO');
  const config = readConfig(process.env);
  checkKey(config, file);
  await restore(config, file);
  const advice = restoreKey(config, file);
  console.log(`Copia restaurada en ${config.databaseUrl === null ? config.dataDir : 'PostgreSQL'}.`);
  if (advice !== null) console.log(advice);
} catch (error) {
  endWithMessage(error);
}
