import {
  clientStatistics,
  dateRange,
  licenseStatistics,
  revenueStatistics,
  statisticsAnswer,
  usageStatistics,
} from '../../../contract/figures/statistics.ts';
import { today } from '../../../contract/figures/today.ts';
import { can } from '../../http/access.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { readRange } from '../figures/periods.ts';
import { storedOrLive } from '../figures/stored-figures.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { countLicenses } from './license-counts.queries.ts';
import { CLIENT_STATISTICS, NEW_MACHINES, REVENUE, USE } from './statistics-figures.ts';
import { summarize } from './summary.queries.ts';
import { figuresOfToday } from './today.queries.ts';

export const statisticsRoutes = routesOf('Estadísticas', (app, context) => {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    '/licenses/api/statistics/',
    {
      config: can('statistics:read'),
      schema: { summary: 'Estadísticas del panel', response: { 200: statisticsAnswer } },
    },
    async () => ({ success: true as const, statistics: await summarize(db, now()) }),
  );

  app.get(
    '/licenses/api/statistics/today/',
    {
      config: can('statistics:read'),
      schema: { summary: 'Lo que hay que hacer hoy', response: { 200: today } },
    },
    async (request) =>
      figuresOfToday(
        db,
        now(),
        {
          timeZone,
          transport: await context.mailer.transport(),
          readsPayments: principalOf(request).permissions.has('payments:read'),
        },
        await readSettings(db),
      ),
  );

  app.get(
    '/licenses/api/statistics/licenses/',
    {
      config: can('statistics:read'),
      schema: { summary: 'Estadísticas de licencias', response: { 200: licenseStatistics } },
    },
    async () => ({ success: true as const, statistics: await countLicenses(db, now(), timeZone) }),
  );

  app.get(
    '/licenses/api/statistics/clients/',
    {
      config: can('statistics:read'),
      schema: { summary: 'Estadísticas de clientes', response: { 200: clientStatistics } },
    },
    async () => ({
      success: true as const,
      statistics: (await storedOrLive(context, CLIENT_STATISTICS)).figures,
    }),
  );

  app.get(
    '/licenses/api/statistics/revenue/',
    {
      config: can('statistics:read'),
      schema: {
        summary: 'Ventas de licencias, netas',
        querystring: dateRange,
        response: { 200: revenueStatistics },
      },
    },
    async (request) => {
      const range = readRange(request.query, now(), timeZone);
      const { currency } = await readSettings(db);
      return {
        success: true as const,
        statistics: (await storedOrLive(context, REVENUE, { range, currency })).figures,
      };
    },
  );

  app.get(
    '/licenses/api/statistics/usage/',
    {
      config: can('statistics:read'),
      schema: { summary: 'Uso de las licencias', querystring: dateRange, response: { 200: usageStatistics } },
    },
    async (request) => {
      const range = readRange(request.query, now(), timeZone);
      const { figures } = await storedOrLive(context, USE);
      const machines = await storedOrLive(context, NEW_MACHINES, { range });
      return {
        success: true as const,
        statistics: { ...range, ...figures, new_installations: machines.figures },
      };
    },
  );
});
