import { ChevronLeft, ChevronRight } from 'lucide-react';
import { totalOf } from '../text/es.ts';
import { formatNumber, type Noun } from '../text/format.ts';
import { buttonClass } from './button.tsx';
import { cx } from './cx.ts';
import { pageMarks } from './pagination-window.ts';

const RESULTS: Noun = { one: 'resultado', many: 'resultados' };

interface PaginationProps {
  /** The current page, from 1. */
  page: number;
  totalPages: number;
  /** The number of all matching rows. */
  total: number;
  /** True if there are more matching rows than `total`. */
  isMore?: boolean;
  pageSize: number;
  noun?: Noun;
  /** Shows the text also for a single page, as on the licences screen (D049); the buttons stay hidden. */
  textAlways?: boolean;
  onPage: (page: number) => void;
}

/**
 * 'Mostrando X a Y de Z resultados' (singular for one) and the page buttons. Renders nothing for a single page (D049).
 */
export function Pagination({
  page,
  totalPages,
  total,
  isMore = false,
  pageSize,
  noun = RESULTS,
  textAlways = false,
  onPage,
}: PaginationProps) {
  const hasOtherPages = totalPages > 1;
  if (!hasOtherPages && !(textAlways && total > 0)) return null;
  const known = isMore ? Number.POSITIVE_INFINITY : total;
  const from = Math.min((page - 1) * pageSize + 1, known);
  const to = Math.min(page * pageSize, known);
  const all = totalOf(total, isMore, noun);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="text-muted">{`Mostrando ${formatNumber(from)} a ${formatNumber(to)} de ${all}`}</p>
      {hasOtherPages && <PageButtons page={page} totalPages={totalPages} onPage={onPage} />}
    </div>
  );
}

function PageButtons({ page, totalPages, onPage }: Pick<PaginationProps, 'page' | 'totalPages' | 'onPage'>) {
  const marks = pageMarks(page, totalPages);
  return (
    <nav
      aria-label="Paginación"
      data-print="hidden"
      className="flex flex-wrap items-center gap-1 max-sm:w-full"
    >
      <button
        type="button"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
        className={buttonClass('ghost', 'sm', 'max-sm:flex-1')}
      >
        <ChevronLeft aria-hidden className="size-4" />
        Anterior
      </button>
      {/* On a narrow screen the numbers are in a separate row, above Previous and Next. */}
      <div className="flex flex-wrap items-center gap-1 max-sm:order-first max-sm:w-full max-sm:justify-center max-sm:gap-0.5">
        {marks.map((mark, position) =>
          mark === 'gap' ? (
            <span key={position === 1 ? 'gap-before' : 'gap-after'} className="px-1 text-muted">
              ...
            </span>
          ) : (
            <button
              key={mark}
              type="button"
              aria-current={mark === page ? 'page' : undefined}
              onClick={() => onPage(mark)}
              className={cx(
                'h-8 min-w-8 rounded-lg px-2 font-medium text-muted transition-colors hover:bg-sunken hover:text-text',
                'aria-[current=page]:bg-brand-tint aria-[current=page]:text-brand-text pointer-coarse:h-11 pointer-coarse:min-w-9 sm:pointer-coarse:min-w-11',
              )}
            >
              {formatNumber(mark)}
            </button>
          ),
        )}
      </div>
      <button
        type="button"
        disabled={page >= totalPages}
        onClick={() => onPage(page + 1)}
        className={buttonClass('ghost', 'sm', 'max-sm:flex-1')}
      >
        Siguiente
        <ChevronRight aria-hidden className="size-4" />
      </button>
    </nav>
  );
}
