import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, UNPAGED_ROWS } from '../../contract/base/limits.ts';
import type { Page } from '../../contract/base/page.ts';
import { readClamped } from '../../contract/reading/whole-numbers.ts';
import { notFound } from '../errors.ts';

/** The paging parameters of every list (contract/base/page.ts); all other parameters are filters. */
export type PageQuery = {
  page?: string | undefined;
  page_size?: string | undefined;
  after?: string | undefined;
  search?: string | undefined;
  ordering?: string | undefined;
};

/** The requested page. `paged` is false if the request has neither page nor page_size (D045). */
type PageRequest = { page: number; pageSize: number; paged: boolean };

/**
 * Reads the paging parameters of a list. A page_size that is not a number counts as absent; one out of range is
 * clamped.
 * @returns null for a malformed page number, which is answered with 404 (D045)
 */
export function readPageRequest(query: {
  page?: string | undefined;
  page_size?: string | undefined;
}): PageRequest | null {
  if (query.page === undefined && query.page_size === undefined) {
    return { page: 1, pageSize: UNPAGED_ROWS, paged: false };
  }
  const page = query.page ?? '1';
  if (!/^[1-9]\d{0,8}$/.test(page)) return null;
  const pageSize = readClamped(query.page_size ?? '', 1, MAX_PAGE_SIZE) ?? DEFAULT_PAGE_SIZE;
  return { page: Number(page), pageSize, paged: true };
}

/**
 * The page that the query of a list asks for.
 * @throws notFound for a malformed page number (D045)
 */
export function pageRequestOf(query: Parameters<typeof readPageRequest>[0]): PageRequest {
  const request = readPageRequest(query);
  if (!request) throw notFound('Página no encontrada');
  return request;
}

/** The number of rows before the page. */
export const offsetOf = (request: PageRequest) => (request.page - 1) * request.pageSize;

/**
 * The number of matches, and whether it is exact (D045).
 * @property next the `after` of the following page (after.ts); null if no rows follow
 */
type Counted = { count: number; isExact: boolean; next: string | null };

/**
 * Makes the answer for a page.
 * @param url path and query of the request, for the links to the previous and next page
 */
export function toPage<Row>(request: PageRequest, counted: Counted, results: Row[], url: string): Page<Row> {
  const { count, isExact, next } = counted;
  const totalPages = Math.max(1, Math.ceil(count / request.pageSize));
  // For a page after the last one, the previous page is the last page that is known.
  const last = isExact || results.length === 0 ? totalPages : request.page;
  return {
    count,
    count_is_exact: isExact,
    total_pages: totalPages,
    current_page: request.page,
    page_size: request.pageSize,
    next: next === null ? null : link(url, nextOf(request), next),
    previous: request.page > 1 ? link(url, { ...request, page: Math.min(request.page - 1, last) }) : null,
    results,
  };
}

/** The page that follows; after an answer without paging it is the next page of the maximum size. */
function nextOf(request: PageRequest): PageRequest {
  if (request.paged) return { ...request, page: request.page + 1 };
  return { page: UNPAGED_ROWS / MAX_PAGE_SIZE + 1, pageSize: MAX_PAGE_SIZE, paged: true };
}

function link(url: string, request: PageRequest, after?: string): string {
  const [path, query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(request.page));
  parameters.set('page_size', String(request.pageSize));
  if (after === undefined) parameters.delete('after');
  else parameters.set('after', after);
  return `${path}?${parameters}`;
}
