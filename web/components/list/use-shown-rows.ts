import { useEffect } from 'react';

/** A page of a list in a query's result. */
interface Fetched<Row> {
  data: { totalPages: number; rows: readonly Row[] } | undefined;
  isPlaceholderData: boolean;
}

/**
 * The rows of the shown page. After the only row of the last page was deleted, the page in the address has no rows;
 * then the new last page is opened (D044).
 * @param page the page in the address
 * @returns undefined while the rows load, and while the address is corrected
 */
export function useShownRows<Row>(
  list: Fetched<Row>,
  page: number | undefined,
  turnTo: (page: number, options: { replace: boolean }) => void,
): readonly Row[] | undefined {
  const lastPage = list.data && !list.isPlaceholderData ? list.data.totalPages : null;
  const isBeyondEnd = lastPage !== null && (page ?? 1) > lastPage;
  useEffect(() => {
    if (isBeyondEnd) turnTo(lastPage, { replace: true });
  }, [isBeyondEnd, lastPage, turnTo]);
  return isBeyondEnd ? undefined : list.data?.rows;
}
