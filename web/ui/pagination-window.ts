/** The number of consecutive page numbers shown, including the current page (specification §9, D050). */
const PAGE_WINDOW = 5;

export type PageMark = number | 'gap';

/**
 * The entries of the pager: all pages if there are at most five; otherwise five consecutive ones around `page`,
 * shifted at the ends, plus the first and the last page, with a gap where numbers are skipped (D050).
 *
 * @param page the current page, from 1; a page beyond the last counts as the last
 */
export function pageMarks(page: number, totalPages: number): PageMark[] {
  const length = Math.min(PAGE_WINDOW, totalPages);
  const latestStart = totalPages - length + 1;
  const start = Math.min(Math.max(page - Math.floor(PAGE_WINDOW / 2), 1), latestStart);
  const end = start + length - 1;
  const marks: PageMark[] = Array.from({ length }, (_, offset) => start + offset);
  if (start > 1) marks.unshift(1, ...(start > 2 ? (['gap'] as const) : []));
  if (end < totalPages) marks.push(...(end < totalPages - 1 ? (['gap'] as const) : []), totalPages);
  return marks;
}
