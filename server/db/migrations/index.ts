import type { Migration, MigrationProvider } from 'kysely/migration';
import * as foundation from './001-foundation.ts';
import * as keptCounts from './002-kept-counts.ts';
import * as listIndexes from './003-list-indexes.ts';
import * as reportCounts from './004-report-counts.ts';
import * as searchWrittenLate from './005-search-written-late.ts';
import * as heartbeatsWithoutIndex from './006-heartbeats-without-index.ts';
import * as textOrder from './007-text-order.ts';

/** In the order in which they run. One that has been released is never changed; a new one is added. */
const migrations: Record<string, Migration> = {
  '001-foundation': { up: (db) => foundation.up(db) },
  '002-kept-counts': { up: (db) => keptCounts.up(db) },
  '003-list-indexes': { up: (db) => listIndexes.up(db) },
  '004-report-counts': { up: (db) => reportCounts.up(db) },
  '005-search-written-late': { up: (db) => searchWrittenLate.up(db) },
  '006-heartbeats-without-index': { up: (db) => heartbeatsWithoutIndex.up(db) },
  '007-text-order': { up: (db) => textOrder.up(db) },
};

export const migrationProvider: MigrationProvider = {
  getMigrations: async () => migrations,
};
