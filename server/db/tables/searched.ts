/** The tables with a `search_text`. */
export type SearchedTable = (typeof INDEXED_TABLES)[number] | 'software' | 'license_types';

/** Those with an index of its trigrams, and triggers that write it on SQLite. The others have few rows, which are read. */
export const INDEXED_TABLES = ['clients', 'licenses', 'installations'] as const;
export type IndexedTable = (typeof INDEXED_TABLES)[number];

export const isIndexedTable = (table: SearchedTable): table is IndexedTable =>
  (INDEXED_TABLES as readonly string[]).includes(table);
