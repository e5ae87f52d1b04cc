import type { Software } from '../../../contract/software/software.ts';
import { wholeListQuery } from '../../api/list-query.ts';
import { recordQuery } from '../../components/record/record-calls.ts';
import type { SoftwareSearch } from './software-search.ts';

/** The filters by their API names, for the grid and its export. */
export const narrowingOf = ({ q, active, import: imported }: SoftwareSearch) => ({
  search: q,
  is_active: active,
  import: imported,
});

/** The query of the grid at a URL: all matching software, because this screen has no pages (D054). */
export const softwareAt = (search: SoftwareSearch) =>
  wholeListQuery<Software>({ kind: 'software', filters: narrowingOf(search) });

export const softwareItemQuery = (id: number) => recordQuery<Software>('software', id);
