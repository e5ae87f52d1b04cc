import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  INSTALLATION_MESSAGES,
  INSTALLATION_RESULTS,
  installation,
  installationPage,
  releasedByStaff,
  releaseQuery,
  undoRelease as undoReleaseBody,
} from '../../../contract/programs/installations.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { installationList } from './installation-list.ts';
import { findInstallation } from './installations.queries.ts';
import { releaseInstallation } from './release-installation.ts';
import { sealFreed, undoRelease } from './undo-release.ts';

const tags = ['Instalaciones'];

export const installationRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, secrets } = context;
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
          querystring: releaseQuery,
          response: { 200: releasedByStaff },
        },
      },
      async (request) => {
        const { until, freed } = await inRequest(context, request, (scope) =>
          releaseInstallation(scope, request.params.id),
        );
        return {
          success: true as const,
          message: INSTALLATION_RESULTS.deleted,
          ...(until !== null && { works_until: until }),
          ...(request.query.undo && { undo: sealFreed(secrets, freed) }),
        };
      },
    );

    app.post(
      '/licenses/api/installations/undo_release/',
      {
        config: can('installations:release', {
          writes: ['installation.activated'],
          errors: { 409: 'Ya no se puede deshacer (not_undoable), o el lugar se ocupó (installation_limit)' },
        }),
        schema: {
          tags,
          summary: 'Deshacer la liberación de una instalación',
          body: undoReleaseBody,
          response: { 200: installation },
        },
      },
      (request) => inRequest(context, request, (scope) => undoRelease(scope, secrets, request.body.undo)),
    );
  };
