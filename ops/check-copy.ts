import Database from 'better-sqlite3';
import { hasOldNames, hindranceOf, refusalText } from '../server/db/migrations/baseline.ts';
import { migrationProvider } from '../server/db/migrations/index.ts';
import { CopyError } from './copy-error.ts';

/**
 * Checks a copy before a restore changes anything.
 * @param file is opened, so it is a draft of the copy
 * @param name the copy in messages
 * @throws CopyError if the copy is damaged, of another program, or of a version that this program cannot restore
 */
export async function checkCopy(file: string, name: string): Promise<void> {
  const database = new Database(file, { readonly: true });
  try {
    const check = database.pragma('quick_check', { simple: true });
    if (check !== 'ok') throw new CopyError(`La copia está dañada: ${String(check)}`);
    const ours = database.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get();
    if (ours === undefined) throw new CopyError(`${name} no es una copia de License Manager.`);
    await refuseOtherVersions(database);
  } catch (error) {
    if (error instanceof Database.SqliteError) throw new CopyError(`La copia está dañada: ${error.message}`);
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Every restore compares the version of its copy here, by the migrations that the copy contains.
 * @throws CopyError if this program does not know them, or if 0.3.0 must restore the copy first: the server would refuse
 * the restored database
 */
async function refuseOtherVersions(database: Database.Database): Promise<void> {
  const applied = database
    .prepare('select name from kysely_migration order by name')
    .pluck()
    .all() as string[];
  if (hasOldNames(applied)) {
    const hindrance = await hindranceOf(applied, (statement) => database.prepare(statement).all());
    if (hindrance !== null) throw new CopyError(refusalText(hindrance, 'copy'));
    return;
  }
  const known = Object.keys(await migrationProvider.getMigrations());
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new CopyError(
    `La copia es de una versión más nueva del programa (${unknown.join(', ')}): restáurala con esa versión. No se cambió nada.`,
  );
}
