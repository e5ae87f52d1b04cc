import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  INSTALLATION_MESSAGES,
  INSTALLATION_RESULTS,
  installation,
  installationPage,
  releasedByStaff,
} from '../../../contract/programs/installations.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { installationList } from './installation-list.ts';
import { findInstallation } from './installations.queries.ts';
import { releaseInstallation } from './release-installation.ts';

const tags = ['Instalaciones'];

export const installationRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    app.get(
      '/licenses/api/installations/',
      {
        config: can('licenses:read'),
        schema: {
          tags,
          summary: 'Listar instalaciones',
          querystring: installationList.query,
          response: { 200: installationPage },
        },
      },
      (request) =>
        installationList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
    );

    app.get(
      '/licenses/api/installations/:id(^\\d+$)/',
      {
        config: can('licenses:read'),
        schema: { tags, summary: 'Ver una instalación', params: idParams, response: { 200: installation } },
      },
      async (request) => {
        const found = await findInstallation(db, request.params.id, now());
        if (!found) throw notFound(INSTALLATION_MESSAGES.notFound);
        return found;
      },
    );

    app.delete(
      '/licenses/api/installations/:id(^\\d+$)/',
      {
        config: can('installations:release', { writes: ['installation.released'] }),
        schema: {
          tags,
          summary: 'Liberar una instalación',
          params: idParams,
          response: { 200: releasedByStaff },
        },
      },
      async (request) => {
        const until = await inRequest(context, request, (scope) =>
          releaseInstallation(scope, request.params.id),
        );
        const left = until === null ? {} : { works_until: until };
        return { success: true as const, message: INSTALLATION_RESULTS.deleted, ...left };
      },
    );
  };
