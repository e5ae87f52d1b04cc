import { bulkResult } from '../../../contract/base/page.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import {
  SOFTWARE_RESULTS,
  software,
  softwareBulkUpdate,
  softwareCreate,
  softwareExportQuery,
  softwarePage,
  softwareUpdate,
} from '../../../contract/licenses/software.ts';
import { can } from '../../http/access.ts';
import { createOnce } from '../../http/idempotency.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { addDeleteRoute, addListRoutes, addRecordRoutes } from '../../records/record-routes.ts';
import { changeSoftware, createSoftware, registerSoftware, replaceSoftware } from './save-software.ts';
import { softwareRecord } from './software.record.ts';
import { softwareList } from './software-list.ts';

const IN_USE = { 409: 'Tiene licencias asociadas (in_use)' };
const CONFLICT = { 409: true } as const;

const ONE = '/licenses/api/software/:id(^\\d+$)/';

export const softwareRoutes = routesOf('Software', (app, context) => {
  addListRoutes(app, context, softwareList, {
    url: '/licenses/api/software/',
    config: can('software:read'),
    summary: 'Listar software',
    page: softwarePage,
    exports: {
      summary: 'Exportar software (CSV)',
      name: 'software',
      columns: EXPORT_COLUMNS.software,
      query: softwareExportQuery,
    },
  });

  app.post(
    '/licenses/api/software/',
    {
      config: can('software:write', { writes: ['software.created'], once: true }),
      schema: { summary: 'Crear un software', body: softwareCreate, response: { 201: software } },
    },
    (request, reply) => createOnce(context, request, reply, (scope) => createSoftware(scope, request.body)),
  );

  app.post(
    '/licenses/api/software/register/',
    {
      config: can('software:write', { writes: ['software.created'], errors: CONFLICT }),
      schema: {
        summary: 'Registrar un software, o encontrar el que ya existe',
        body: softwareCreate,
        response: { 200: software, 201: software },
      },
    },
    async (request, reply) => {
      const result = await inRequest(context, request, (scope) => registerSoftware(scope, request.body));
      return reply.code(result.isNew ? 201 : 200).send(result.software);
    },
  );

  app.patch(
    '/licenses/api/software/bulk_update/',
    {
      config: can('software:write', { writes: ['software.updated'] }),
      schema: {
        summary: 'Activar o desactivar varios',
        body: softwareBulkUpdate,
        response: { 200: bulkResult },
      },
    },
    async (request) =>
      bulkAnswer(
        request.body.ids,
        await inRequest(context, request, (scope) => changeSoftware(scope, request.body)),
      ),
  );

  addRecordRoutes(app, context, softwareRecord, {
    url: ONE,
    read: { config: can('software:read'), summary: 'Ver un software', answer: software },
    save: {
      config: can('software:write', { writes: ['software.updated'], once: true }),
      summary: 'Actualizar un software',
      body: softwareUpdate,
      answer: software,
      run: replaceSoftware,
    },
  });
  addDeleteRoute(app, context, softwareRecord, {
    url: ONE,
    config: can('software:delete', { writes: ['software.deleted'], errors: IN_USE }),
    summary: 'Eliminar un software',
    message: SOFTWARE_RESULTS.deleted,
  });
});
