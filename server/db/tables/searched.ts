/** The tables that have a `search_text`. */
export type SearchedTable = (typeof INDEXED_TABLES)[number] | 'software' | 'license_types';

/**
 * The tables with a trigram index, which triggers update on SQLite. The other tables have few rows, which are read
 * instead.
 */
export const INDEXED_TABLES = ['clients', 'licenses', 'installations', 'payments'] as const;
export type IndexedTable = (typeof INDEXED_TABLES)[number];

export const isIndexedTable = (table: SearchedTable): table is IndexedTable =>
  (INDEXED_TABLES as readonly string[]).includes(table);
