import { PAGE_SIZES } from '../../../contract/base/limits.ts';
import type { ListPage } from '../../api/list-page.ts';
import type { PageSize } from '../../paths.ts';
import { filters, totalOf } from '../../text/es.ts';
import { capitalized } from '../../text/format.ts';
import { PageSizeSelect } from '../../ui/page-size-select.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Paging } from './list-definition.ts';

interface ListPagingProps {
  /** Undefined: all rows on one page, without a count. */
  paging: Paging | undefined;
  /** Undefined while the first page loads. */
  page: ListPage<unknown> | undefined;
  pageSize: PageSize;
  onResize: (size: PageSize) => void;
}

/** Above the rows: the count, and the page size of a list with pages. */
export function PagingAbove({ paging, page, pageSize, onResize }: ListPagingProps) {
  if (paging === undefined) return null;
  if (paging.kind === 'none') {
    return (
      <p role="status" className="mb-2 min-h-5 px-1 font-medium">
        {page && paging.count(page.total)}
      </p>
    );
  }
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-border px-5 py-2 print:min-h-0 print:px-0">
      <p role="status" className="font-medium">
        {page && capitalized(totalOf(page.total, page.isMore, paging.noun))}
      </p>
      <SizeSelect pageSize={pageSize} onResize={onResize} />
    </div>
  );
}

interface PagingBelowProps extends Pick<ListPagingProps, 'paging' | 'page'> {
  onPage: (page: number) => void;
}

/** Below the rows: the pager. */
export function PagingBelow({ paging, page, onPage }: PagingBelowProps) {
  if (paging?.kind === 'line-below') {
    return (
      <div className="min-h-14 border-t border-border px-5 py-3">
        {page && <Pagination {...page} noun={paging.noun} textAlways onPage={onPage} />}
      </div>
    );
  }
  if (paging?.kind !== 'count-above' || page === undefined || page.totalPages <= 1) return null;
  return (
    <div className="border-t border-border px-5 py-3 print:border-0 print:px-0">
      <Pagination {...page} onPage={onPage} />
    </div>
  );
}

const SizeSelect = ({ pageSize, onResize }: Pick<ListPagingProps, 'pageSize' | 'onResize'>) => (
  <PageSizeSelect value={pageSize} sizes={PAGE_SIZES} label={filters.pageSize} onChange={onResize} />
);
