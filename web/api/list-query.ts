import { queryOptions } from '@tanstack/react-query';
import { apiOf, type ListKind } from '../record-kinds.ts';
import type { QueryValues } from './answer.ts';
import { request } from './http.ts';
import { allRows, normalizeList } from './list-page.ts';
import { preferredPageSize } from './page-size.ts';

interface ListOnServer<Row> {
  /** The first part of the query key. A change of a record invalidates lists by it. */
  kind: ListKind;
  /** The API path. Default: the list of the kind. */
  path?: string;
  /** The filters by their API names; absent ones are not sent (SEED-7.4-02). */
  filters: QueryValues;
  /** Converts a row of the answer to the current form, if the server may send another one. */
  read?: (row: Row) => Row;
}

/** Order, page and page size from the URL of a list; absent values have defaults. */
interface PageInAddress {
  ordering?: string | undefined;
  page?: number | undefined;
  page_size?: number | undefined;
}

/**
 * The query for one page of a list by the values in its URL. Page and size are always sent (D044, D127). An answer
 * without paging fields is split into pages here (D045).
 */
export const pageQuery = <Row>(
  { kind, path = apiOf(kind), filters, read = asItIs }: ListOnServer<Row>,
  { ordering, page = 1, page_size = preferredPageSize() }: PageInAddress,
) =>
  queryOptions({
    queryKey: [kind, 'list', filters, ordering, page, page_size],
    queryFn: async ({ signal }) => {
      const answer = await request<unknown>('GET', path, {
        query: { page, page_size, ordering, ...filters },
        signal,
      });
      const list = normalizeList<Row>(answer, { page, pageSize: page_size });
      return { ...list, rows: list.rows.map(read) };
    },
  });

/** The query for all rows of an unpaged list (D054), from any form of answer. */
export const wholeListQuery = <Row>({
  kind,
  path = apiOf(kind),
  filters,
  read = asItIs,
}: ListOnServer<Row>) =>
  queryOptions({
    queryKey: [kind, 'list', filters],
    queryFn: async ({ signal }) =>
      allRows<Row>(await request<unknown>('GET', path, { query: filters, signal })).map(read),
  });

const asItIs = <Row>(row: Row) => row;
