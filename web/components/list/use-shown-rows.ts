import { useEffect } from 'react';

/** A page of a list as a query gives it. */
interface Fetched<Row> {
  data: { totalPages: number; rows: readonly Row[] } | undefined;
  isPlaceholderData: boolean;
}

/**
 * The rows of the page that is shown. After the last row of the last page was deleted, the page of the address has none:
 * then the last one is opened (D044).
 * @param page the page of the address
 * @returns undefined while they load, and while the address is corrected
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
