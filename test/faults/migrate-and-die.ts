// Migrates the database of DATA_DIR or DATABASE_URL and kills itself with SIGKILL after a number of statements.
import { Kysely } from 'kysely';
import { readConfig } from '../../server/config.ts';
import { createDialect, forLongWork } from '../../server/db/dialect.ts';
import { engineOf, migrate, prepareDataDir } from '../../server/db/open.ts';
import type { Tables } from '../../server/db/tables.ts';

const deathAt = Number(process.argv[2]);
const config = readConfig(process.env);
prepareDataDir(config.dataDir);
let statements = 0;
const db = new Kysely<Tables>({
  // Without the time limit for requests, as at the start of the server.
  dialect: createDialect(forLongWork(engineOf(config)), () => {}),
  // Called after each statement.
  log: () => {
    statements += 1;
    if (statements === deathAt) process.kill(process.pid, 'SIGKILL');
  },
});
await migrate(db);
await db.destroy();
process.stdout.write(String(statements));
