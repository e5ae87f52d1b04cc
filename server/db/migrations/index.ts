import type { Migration, MigrationProvider } from 'kysely/migration';
import * as foundation from './001-foundation.ts';

/** In the order in which they run. One that has been released is never changed; a new one is added. */
const migrations: Record<string, Migration> = {
  '001-foundation': { up: (db) => foundation.up(db) },
};

export const migrationProvider: MigrationProvider = {
  getMigrations: async () => migrations,
};
