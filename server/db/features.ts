import type { Features } from '../../contract/licenses/features.ts';
import type { Meters } from '../../contract/licenses/meters.ts';

/** The features in a column. Most licences have none, and every validation reads them. */
export const readFeatures = (column: string): Features => (column === '{}' ? {} : JSON.parse(column));

/** The meters in a column; most licences have none. */
export const readMeters = (column: string): Meters => (column === '{}' ? {} : JSON.parse(column));
