import { queryOptions } from '@tanstack/react-query';
import type { FiscalCheck } from '../../../../contract/figures/fiscal.ts';
import { request } from '../../../api/http.ts';
import { KEYS } from '../../../api/query-keys.ts';
import type { DayRange } from '../period.ts';

const FISCAL_PATH = '/licenses/api/reports/fiscal/';
export const FISCAL_EXPORT_PATH = `${FISCAL_PATH}export/`;

/** The clients with sales in a period to whom an invoice would be refused because of their data. */
export const fiscalCheckQuery = ({ from, to }: DayRange) =>
  queryOptions({
    queryKey: [KEYS.statistics, 'fiscal-check', { from, to }],
    queryFn: ({ signal }) =>
      request<FiscalCheck>('GET', `${FISCAL_PATH}check/`, { query: { from, to }, signal }),
  });
