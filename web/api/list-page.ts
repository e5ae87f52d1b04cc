import { isRecord, unwrap } from './answer.ts';

/** One page of a list in the form that screens use, made from any form of answer. */
export interface ListPage<Row> {
  rows: Row[];
  /** The number of all matching rows, not only of this page. */
  total: number;
  /** True when `total` is a lower bound and more rows match (D045). */
  isMore?: boolean;
  totalPages: number;
  page: number;
  pageSize: number;
  /** What the list sums over all matching rows, if it does (MONEY-13). */
  sums?: unknown;
}

interface RequestedPage {
  page: number;
  pageSize: number;
}

/**
 * Makes a page from a plain array, a page object, or either of them in `{success, data}` (SEED-3-26 to -28, D044,
 * D045). An answer without paging fields, or with more rows than the page size, is split into pages here; a page
 * number beyond the end then becomes the last page. Paging fields from the server are used unchanged.
 */
export function normalizeList<Row>(answer: unknown, { page, pageSize }: RequestedPage): ListPage<Row> {
  const body = unwrap(answer);
  const facts = isRecord(body) ? body : {};
  const list = Array.isArray(body) ? body : Array.isArray(facts.results) ? facts.results : [];
  // The rows are not checked: the caller knows the row type of its endpoint.
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
    sums: facts.sums,
  };
}

/** A page of a search without an exact count. More pages follow while the answer has `next`. */
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
  // On the last page the exact count is known.
  return { rows, total: (page - 1) * pageSize + rows.length, totalPages: page, page, pageSize };
}

/** All rows of an unpaged list, from any form of answer. For selects and grids. */
export function allRows<Row>(answer: unknown): Row[] {
  return normalizeList<Row>(answer, { page: 1, pageSize: Number.POSITIVE_INFINITY }).rows;
}

/** Returns one page out of all rows; a page number beyond the end becomes the last page. */
export function pageLocally<Row>(rows: Row[], { page, pageSize }: RequestedPage): ListPage<Row> {
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

/** An unpaged list as a single page (D054). */
export const onePage = <Row>(rows: Row[]): ListPage<Row> => ({
  rows,
  total: rows.length,
  totalPages: 1,
  page: 1,
  pageSize: rows.length,
});

/** The smallest possible total for a number of pages, used if the answer has no count. */
function estimateTotal(rows: number, page: number, totalPages: number, pageSize: number): number {
  return page >= totalPages ? (page - 1) * pageSize + rows : totalPages * pageSize;
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : null;
}
