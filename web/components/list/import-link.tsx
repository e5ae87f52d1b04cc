import { Upload } from 'lucide-react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { isOffer } from '../../api/offers.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import type { ListKind } from '../../record-kinds.ts';
import { importLabel } from '../../text/es-lists.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Offered } from '../screen/offered.tsx';

/** Licence types cannot be imported: there are few of them, and they have special rules. */
export const isImportKind = (kind: ListKind): kind is ImportKind => isOffer(`${kind}.import`);

/**
 * 'Importar': the link to the wizard that imports records from a file (IMPORT-03). On a phone only its icon is
 * visible.
 */
export const ImportLink = ({ kind }: { kind: ImportKind }) => (
  <Offered what={`${kind}.import`}>
    <Link
      to={PATHS.imports}
      search={{ kind }}
      className={buttonClass('secondary', 'md', 'max-sm:w-9 max-sm:px-0 max-sm:pointer-coarse:w-11')}
    >
      <Upload aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">{importLabel}</span>
    </Link>
  </Offered>
);
