import { isRecord, unwrap } from './answer.ts';

/** One page of a list as the screens use it, whatever form the server gave it. */
export interface ListPage<Row> {
  rows: Row[];
  /** All rows that match, not only those of this page. */
  total: number;
  /** True where a search counts no further than `total`, and more rows follow (D045). */
  isMore?: boolean;
  totalPages: number;
  page: number;
  pageSize: number;
}

interface Wanted {
  page: number;
  pageSize: number;
}

/**
 * Makes a page of a bare list, a page, or either of them in `{success, data}` (SEED-3-26 to -28, D044, D045).
 * A list without paging facts, or one that holds more rows than were asked for, is paged here; then a page beyond
 * the end is brought back to the last one. Of a page made by the server the facts are taken as they are.
 */
export function normalizeList<Row>(answer: unknown, { page, pageSize }: Wanted): ListPage<Row> {
  const body = unwrap(answer);
  const facts = isRecord(body) ? body : {};
  const list = Array.isArray(body) ? body : Array.isArray(facts.results) ? facts.results : [];
  // The row type is the caller's knowledge of its endpoint; nothing here looks into a row.
  const rows = list as Row[];
  const count = wholeNumber(facts.count);
  const totalPages = wholeNumber(facts.total_pages);
  if ((count === null && totalPages === null) || rows.length > pageSize) {
    return pageLocally(rows, { page, pageSize });
  }
  const current = Math.max(1, wholeNumber(facts.current_page) ?? page);
  if (facts.count_is_exact === false && count !== null)
    return openPage(facts, rows, current, count, pageSize);
  const total = count ?? estimateTotal(rows.length, current, totalPages ?? 1, pageSize);
  return {
    rows,
    total,
    totalPages: Math.max(1, totalPages ?? Math.ceil(total / pageSize)),
    page: current,
    pageSize,
  };
}

/** A page of a search that is not counted to its end: there is a page after it as long as the server names one. */
function openPage<Row>(
  facts: Record<string, unknown>,
  rows: Row[],
  page: number,
  count: number,
  pageSize: number,
): ListPage<Row> {
  const countedPages = Math.ceil(count / pageSize);
  if (typeof facts.next === 'string') {
    return { rows, total: count, isMore: true, totalPages: Math.max(countedPages, page + 1), page, pageSize };
  }
  if (rows.length === 0)
    return { rows, total: count, isMore: true, totalPages: countedPages, page, pageSize };
  // The last page tells how many there are.
  return { rows, total: (page - 1) * pageSize + rows.length, totalPages: page, page, pageSize };
}

/** Every row of a list that is not paged, whatever form the server gave it: for selects and grids. */
export function allRows<Row>(answer: unknown): Row[] {
  return normalizeList<Row>(answer, { page: 1, pageSize: Number.POSITIVE_INFINITY }).rows;
}

/** Pages rows that are all here; a page beyond the end becomes the last. */
export function pageLocally<Row>(rows: Row[], { page, pageSize }: Wanted): ListPage<Row> {
  const totalPages = Math.max(1, Math.ceil(rows.length / pageSize));
  const current = Math.min(Math.max(1, page), totalPages);
  const start = current === 1 ? 0 : (current - 1) * pageSize;
  return {
    rows: rows.slice(start, start + pageSize),
    total: rows.length,
    totalPages,
    page: current,
    pageSize,
  };
}

/** A list that has no pages, as the one page that it is (D054). */
export const onePage = <Row>(rows: Row[]): ListPage<Row> => ({
  rows,
  total: rows.length,
  totalPages: 1,
  page: 1,
  pageSize: rows.length,
});

/** Without a count, what the number of pages tells at least. */
function estimateTotal(rows: number, page: number, totalPages: number, pageSize: number): number {
  return page >= totalPages ? (page - 1) * pageSize + rows : totalPages * pageSize;
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}
