import { LABELS } from '../../../contract/base/labels.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import {
  SOFTWARE_RESULTS,
  software,
  softwareBulkUpdate,
  softwareCreate,
  softwareExportQuery,
  softwarePage,
  softwareUpdate,
} from '../../../contract/software/software.ts';
import { can } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import {
  addBulkUpdateRoute,
  addCreateRoute,
  addDeleteRoute,
  addListRoutes,
  addRecordRoutes,
} from '../../records/record-routes.ts';
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
      summary: 'Exportar software (CSV o Excel)',
      name: 'software',
      title: LABELS.software,
      columns: EXPORT_COLUMNS.software,
      query: softwareExportQuery,
    },
  });

  addCreateRoute(app, context, {
    url: '/licenses/api/software/',
    config: can('software:write', { writes: ['software.created'], once: true }),
    summary: 'Crear un software',
    body: softwareCreate,
    answer: software,
    run: createSoftware,
  });

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

  addBulkUpdateRoute(app, context, {
    url: '/licenses/api/software/bulk_update/',
    config: can('software:write', { writes: ['software.updated'] }),
    summary: 'Activar o desactivar varios',
    body: softwareBulkUpdate,
    run: changeSoftware,
  });

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
