// npm run restore -- FILE: brings a copy back into an empty data folder or an empty PostgreSQL database.
import { readConfig } from '../server/config.ts';
import { CopyError, restore } from './database-copies.ts';
import { endWithMessage } from './end-with-message.ts';

try {
  const [file] = process.argv.slice(2);
  if (!file) throw new CopyError('Uso: npm run restore -- ARCHIVO');
  const config = readConfig(process.env);
  await restore(config, file);
  console.log(`Copia restaurada en ${config.databaseUrl === null ? config.dataDir : 'PostgreSQL'}.`);
} catch (error) {
  endWithMessage(error);
}
