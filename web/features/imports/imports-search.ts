import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportsSearch, RawSearch } from '../../paths.ts';

/** As in contract/imports/import-fields.ts, whose lists of fields only the page itself needs. */
const KINDS: readonly ImportKind[] = ['clients', 'software', 'licenses'];

/** The search parameters of /imports; an unknown value is ignored. */
export const readImportsSearch = (raw: RawSearch): ImportsSearch => ({
  kind: KINDS.find((kind) => kind === raw.kind),
  paso: raw.paso === 'columnas' ? 'columnas' : undefined,
});
