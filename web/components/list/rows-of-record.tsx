import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';
import { normalizeList } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { Noun } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { useShownRows } from './use-shown-rows.ts';

/** The list that has all rows of which a record holds the newest: the licences or the machines of a record. */
interface RowsList {
  path: '/licenses/api/licenses/' | '/licenses/api/installations/';
  /** The filter for the record, by its API name. */
  filters: QueryValues;
}

const PAGE_SIZE = 20;

/**
 * A page of the rows of a record. The query key begins with the licences', because each change of a licence or a machine
 * refetches these.
 */
export const rowsQuery = <Row,>({ path, filters }: RowsList, page: number, pageSize = PAGE_SIZE) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'of record', path, filters, page, pageSize],
    queryFn: async ({ signal }) => {
      const query = { ...filters, page, page_size: pageSize };
      return normalizeList<Row>(await request<unknown>('GET', path, { query, signal }), { page, pageSize });
    },
    staleTime: 0,
  });

interface RowsOfRecordProps<Row> {
  /** The rows in the record's answer: all, or the newest (D114). */
  rows: readonly Row[];
  /** The number of all rows. */
  count: number;
  list: RowsList;
  noun: Noun;
  /** 'Error al cargar …' */
  failed: string;
  children: (rows: readonly Row[]) => ReactNode;
}

/** The rows of a record: those in its answer if they are all, else pages of the list that has all. */
export function RowsOfRecord<Row>({ rows, count, children, ...paged }: RowsOfRecordProps<Row>) {
  if (count <= rows.length) return children(rows);
  return (
    <PagedRows rows={rows} {...paged}>
      {children}
    </PagedRows>
  );
}

function PagedRows<Row>({
  rows: newest,
  list,
  noun,
  failed,
  children,
}: Omit<RowsOfRecordProps<Row>, 'count'>) {
  const [page, setPage] = useState(1);
  const top = useRef<HTMLDivElement>(null);
  const found = useQuery({ ...rowsQuery<Row>(list, page), placeholderData: keepPreviousData });
  const turnTo = (requested: number) => {
    setPage(requested);
    top.current?.scrollIntoView({ block: 'start' });
  };
  // The first page is known from the record, so nothing has to load when the tab opens.
  const rows = useShownRows(found, page, setPage) ?? newest.slice(0, PAGE_SIZE);
  return (
    <div ref={top} className="scroll-mt-16 space-y-4">
      {found.isError && (
        <LoadError
          title={failed}
          error={found.error}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      )}
      <div aria-busy={found.isPlaceholderData} className={cx(found.isPlaceholderData && 'opacity-60')}>
        {children(rows)}
      </div>
      {found.data && <Pagination {...found.data} page={page} noun={noun} onPage={turnTo} />}
    </div>
  );
}
