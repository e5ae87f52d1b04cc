import { Suspense, useState } from 'react';
import { searchedFor } from '../../text/es-lists.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import type { BulkDefinition } from './bulk-definition.ts';
import type { Chip } from './filter-chips.tsx';
import type { Listed, ListSearch } from './list-definition.ts';
import type { ListScreenState } from './use-list-screen.ts';
import type { RowSelection } from './use-row-selection.ts';

const bar = codeOf(() => import('./bulk-bar.tsx'));
const BulkBar = lazyComponent(bar, (module) => module.BulkBar);

interface ListBulkProps<Row extends Listed, Search extends ListSearch> {
  screen: ListScreenState<Row, Search>;
  bulk: BulkDefinition<Row>;
  selection: RowSelection<Row>;
  chips: readonly Chip[];
}

/** The bulk actions for the selected rows. Their code is loaded when the first row is selected. */
export function ListBulk<Row extends Listed, Search extends ListSearch>({
  screen,
  bulk,
  selection,
  chips,
}: ListBulkProps<Row, Search>) {
  const isTicked = selection.all || selection.names.size > 0;
  // Stays rendered after that, because its dialog may still be open when no row is selected any more.
  const [requested, setRequested] = useState(false);
  if (isTicked && !requested) setRequested(true);
  const { kind, exports, narrowing } = screen.definition;
  // Only the kinds in record-kinds.ts have bulk calls.
  if (!requested || typeof kind !== 'string') return null;
  const { q } = screen.search;
  const narrowedBy = [
    ...(q ? [searchedFor(q)] : []),
    ...chips.map(({ name, value }) => (value === '' ? name : `${name}: ${value}`)),
  ];
  return (
    <Suspense fallback={null}>
      <BulkBar
        kind={kind}
        bulk={bulk}
        exports={exports}
        filters={narrowing?.(screen.search) ?? {}}
        selection={selection}
        fitting={(action) => countFitting(bulk, selection, action)}
        page={screen.page}
        narrowedBy={narrowedBy.join(', ')}
        heading={() => screen.headingRef.current}
      />
    </Suspense>
  );
}

/** For how many selected rows an action is possible; null if some selected rows were never loaded. */
function countFitting<Row extends Listed>(
  { fits }: Pick<BulkDefinition<Row>, 'fits'>,
  { rows, all }: RowSelection<Row>,
  action: string,
): number | null {
  if (fits === undefined || all) return null;
  return rows.filter((row) => fits(action, row)).length;
}
