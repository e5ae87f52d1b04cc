import { useState } from 'react';
import type { LicenseRow } from '../../../contract/licenses.ts';
import { DEFAULT_PAGE_SIZE } from '../../../contract/limits.ts';
import type { ListPage } from '../../api/list-page.ts';
import type { LicensesSearch } from '../../paths.ts';
import { BLOCK_ROWS, type LicenseFilters, licenseBlockQuery } from './licenses.api.ts';

/** What the address says of the list, by the names that the server gives it. */
export const filtersOf = ({ q, status, type, active }: LicensesSearch): LicenseFilters => ({
  search: q,
  status,
  license_type: type,
  is_active: active,
});

/** The block that holds a page, from 1. */
export const blockOf = (page: number, pageSize: number) =>
  Math.floor(((page - 1) * pageSize) / BLOCK_ROWS) + 1;

/** The block that an address asks for. */
export const licensesAt = (search: LicensesSearch) =>
  licenseBlockQuery(filtersOf(search), blockOf(search.page ?? 1, search.page_size ?? DEFAULT_PAGE_SIZE));

/**
 * The page that is on screen, out of the block that holds it (D045). A page beyond the end has no rows and keeps its
 * number, so that the caller sees where the end is.
 */
export function pageOfBlock(
  block: ListPage<LicenseRow>,
  { page, pageSize }: { page: number; pageSize: number },
): ListPage<LicenseRow> {
  const start = (page - 1) * pageSize - (block.page - 1) * BLOCK_ROWS;
  // Of a search that is not counted to its end, as many as all blocks that are known to be there can hold.
  const reachable = block.isMore ? Math.max(block.total, block.totalPages * BLOCK_ROWS) : block.total;
  return {
    rows: start < 0 ? [] : block.rows.slice(start, start + pageSize),
    total: block.total,
    ...(block.isMore && { isMore: true }),
    totalPages: Math.max(1, Math.ceil(reachable / pageSize)),
    page,
    pageSize,
  };
}

/**
 * The value as it was when it last was settled: while newer rows are on their way the old page stays as it is, not
 * the new page's slice of the old rows. `value` must keep its identity while it is the same.
 */
export function useLastSettled<Value>(value: Value, settled: boolean): Value {
  const [last, setLast] = useState(value);
  if (settled && last !== value) setLast(value);
  return settled ? value : last;
}
