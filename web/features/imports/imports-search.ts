import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { searchReader } from '../../search-fields.ts';

/** As IMPORT_KINDS of contract/imports/import-fields.ts, which would load its lists of fields with the first screen. */
const KINDS: readonly ImportKind[] = ['clients', 'software', 'licenses'];

/**
 * What the file contains; of an import whose check is done, `paso=columnas` goes back to its columns (IMPORT-03).
 */
export const readImportsSearch = searchReader((raw) => ({
  kind: KINDS.find((kind) => kind === raw.kind),
  paso: raw.paso === 'columnas' ? ('columnas' as const) : undefined,
}));
export type ImportsSearch = ReturnType<typeof readImportsSearch>;
