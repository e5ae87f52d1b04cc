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
import { recordRoutes } from '../../records/plain-routes.ts';
import { changeSoftware, createSoftware, registerSoftware, replaceSoftware } from './save-software.ts';
import { softwareRecord } from './software.record.ts';
import { softwareList } from './software-list.ts';

export const softwareRoutes = recordRoutes({
  tag: 'Software',
  area: 'software',
  summaries: {
    list: 'Listar software',
    create: 'Crear un software',
    read: 'Ver un software',
    update: 'Actualizar un software',
    delete: 'Eliminar un software',
  },
  record: softwareRecord,
  list: softwareList,
  page: softwarePage,
  file: {
    summary: 'Exportar software (CSV o Excel)',
    name: 'software',
    title: LABELS.software,
    columns: EXPORT_COLUMNS.software,
    query: softwareExportQuery,
  },
  answer: software,
  create: { body: softwareCreate, run: createSoftware },
  update: { body: softwareUpdate, run: replaceSoftware },
  bulk: { summary: 'Activar o desactivar varios', body: softwareBulkUpdate, run: changeSoftware },
  deletion: { message: SOFTWARE_RESULTS.deleted, errors: { 409: 'Tiene licencias asociadas (in_use)' } },
  ofList: (app, context) =>
    void app.post(
      '/licenses/api/software/register/',
      {
        config: can('software:write', { writes: ['software.created'], errors: { 409: true } }),
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
    ),
});
