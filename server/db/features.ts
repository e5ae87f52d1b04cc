import type { Features } from '../../contract/licenses/features.ts';
import type { Meters } from '../../contract/licenses/meters.ts';

/**
 * Parses the features in a column. Most licences have none, and every validation reads them, so the empty case is
 * fast.
 */
export const readFeatures = (column: string): Features => (column === '{}' ? {} : JSON.parse(column));

/** Parses the meters in a column. Most licences have none. */
export const readMeters = (column: string): Meters => (column === '{}' ? {} : JSON.parse(column));

/** Parses the tags in a column. Most records have none. */
export const readTags = (column: string): string[] => (column === '[]' ? [] : JSON.parse(column));
