import { queryOptions } from '@tanstack/react-query';
import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts';
import type { QueryValue } from './answer.ts';
import { request } from './http.ts';
import { allRows, normalizeList } from './list-page.ts';

interface ListOnServer<Row> {
  /** The first word of its query key (`KEYS`): what a change of a record makes stale. */
  key: string;
  path: string;
  /** What narrows it, by the names that the server gives it; what is absent is not sent (SEED-7.4-02). */
  filters: Record<string, QueryValue>;
  /** Completes a row as this server or another sends it. */
  read?: (row: Row) => Row;
}

/** What the address of a list says of its page; absent is the default. */
interface PageInAddress {
  page?: number | undefined;
  page_size?: number | undefined;
}

/**
 * One page of a list, as its address asks for it: page and size are always sent (D044, D127). An answer without paging
 * facts is paged here (D045).
 */
export const pageQuery = <Row>(
  { key, path, filters, read = asItIs }: ListOnServer<Row>,
  { page = 1, page_size = DEFAULT_PAGE_SIZE }: PageInAddress,
) =>
  queryOptions({
    queryKey: [key, 'list', filters, page, page_size],
    queryFn: async ({ signal }) => {
      const answer = await request<unknown>('GET', path, { query: { page, page_size, ...filters }, signal });
      const list = normalizeList<Row>(answer, { page, pageSize: page_size });
      return { ...list, rows: list.rows.map(read) };
    },
  });

/** Every row of a list that has no pages (D054), whatever form the server gave it. */
export const wholeListQuery = <Row>({ key, path, filters, read = asItIs }: ListOnServer<Row>) =>
  queryOptions({
    queryKey: [key, 'list', filters],
    queryFn: async ({ signal }) =>
      allRows<Row>(await request<unknown>('GET', path, { query: filters, signal })).map(read),
  });

const asItIs = <Row>(row: Row) => row;
