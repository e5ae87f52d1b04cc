import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { searchReader } from '../../search-fields.ts';

/**
 * Equal to IMPORT_KINDS of contract/imports/import-fields.ts. Repeated here, because that file would load its lists of
 * fields with the first screen.
 */
const KINDS: readonly ImportKind[] = ['clients', 'software', 'licenses'];

/** The kind of records in the file. `paso=columnas` returns from a checked import to its columns (IMPORT-03). */
export const readImportsSearch = searchReader((raw) => ({
  kind: KINDS.find((kind) => kind === raw.kind),
  paso: raw.paso === 'columnas' ? ('columnas' as const) : undefined,
}));
export type ImportsSearch = ReturnType<typeof readImportsSearch>;
