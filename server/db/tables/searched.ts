/** The tables with a `search_text` and an index of its trigrams; each also has the triggers that write that index. */
export const SEARCHED_TABLES = ['clients', 'software', 'license_types', 'licenses', 'installations'] as const;
export type SearchedTable = (typeof SEARCHED_TABLES)[number];
