// npm run backup -- FILE: a consistent copy of the database that the configuration names, while the server runs.
import { readConfig } from '../server/config.ts';
import { engineOf } from '../server/db/open.ts';
import { backUp, CopyError } from './database-copies.ts';
import { endWithMessage } from './end-with-message.ts';

try {
  const [file] = process.argv.slice(2);
  if (!file) throw new CopyError('Uso: npm run backup -- ARCHIVO');
  const bytes = backUp(engineOf(readConfig(process.env)), file);
  console.log(`Copia terminada: ${file} (${(bytes / 1e6).toFixed(1)} MB)`);
} catch (error) {
  endWithMessage(error);
}
