import type { z } from 'zod';
import { localDay } from '../../../contract/base/time.ts';
import {
  FISCAL_TITLE,
  fiscalCheck,
  fiscalExportQuery,
  fiscalQuery,
} from '../../../contract/figures/fiscal.ts';
import { can } from '../../http/access.ts';
import { sendTable } from '../../http/file-reply.ts';
import { routesOf } from '../../http/routes.ts';
import type { DayRange } from '../figures/periods.ts';
import { checkFiscalData, countSold, fiscalSales } from './fiscal.queries.ts';
import { fiscalColumns } from './fiscal-export.ts';
import { checkedRange } from './report-period.ts';

export const fiscalRoutes = routesOf('Reportes', (app, context) => {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    '/licenses/api/reports/fiscal/check/',
    {
      config: can('reports:read'),
      schema: {
        summary: 'Clientes con datos fiscales que una factura rechazaría',
        querystring: fiscalQuery,
        response: { 200: fiscalCheck },
      },
    },
    async (request) => {
      const range = rangeOf(request.query, now(), timeZone);
      const found = await checkFiscalData(db, range, timeZone);
      return { success: true as const, from: range.start_date, to: range.end_date, ...found };
    },
  );

  app.get(
    '/licenses/api/reports/fiscal/export/',
    {
      config: can('reports:read'),
      schema: {
        summary: 'Exportar datos fiscales de las ventas (CSV o Excel)',
        querystring: fiscalExportQuery,
      },
    },
    async (request, reply) => {
      const range = rangeOf(request.query, now(), timeZone);
      return sendTable(context, reply, request.query.file, {
        name: 'datos-fiscales',
        title: FISCAL_TITLE,
        columns: fiscalColumns(timeZone),
        batches: fiscalSales(db, range, timeZone),
        hasMoreThan: async (rows) => (await countSold(db, range, timeZone)) > rows,
      });
    },
  );
});

/**
 * The range in the query. Without a first day it is the first of the last day's month.
 * @throws invalid (400) as {@link checkedRange}
 */
function rangeOf({ from, to }: z.output<typeof fiscalQuery>, now: Date, timeZone: string): DayRange {
  const last = to ?? localDay(now, timeZone);
  return checkedRange({ start_date: from ?? `${last.slice(0, 7)}-01`, end_date: last });
}
