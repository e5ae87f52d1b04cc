import type { Features } from '../../contract/licenses/features.ts';

/** The features in a column. Most licences have none, and every validation reads them. */
export const readFeatures = (column: string): Features => (column === '{}' ? {} : JSON.parse(column));
