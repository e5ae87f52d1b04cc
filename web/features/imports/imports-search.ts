import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { searchReader } from '../../search-fields.ts';

/** As in contract/imports/import-fields.ts, whose lists of fields only the page itself needs. */
const KINDS: readonly ImportKind[] = ['clients', 'software', 'licenses'];

/**
 * What the file contains; of an import whose check is done, `paso=columnas` goes back to its columns (IMPORT-03).
 */
export const readImportsSearch = searchReader((raw) => ({
  kind: KINDS.find((kind) => kind === raw.kind),
  paso: raw.paso === 'columnas' ? ('columnas' as const) : undefined,
}));
export type ImportsSearch = ReturnType<typeof readImportsSearch>;
