import { idParams } from '../../../contract/base/page.ts';
import {
  LICENSE_TYPE_RESULTS,
  licenseType,
  licenseTypePage,
} from '../../../contract/license-types/license-types.ts';
import { can } from '../../http/access.ts';
import { saveInRequest } from '../../http/request-scope.ts';
import { recordRoutes } from '../../records/plain-routes.ts';
import { licenseTypeRecord } from './license-type.record.ts';
import { licenseTypeCreateBody, licenseTypeUpdateBody } from './license-type-body.ts';
import { licenseTypeList } from './license-type-list.ts';
import { createLicenseType, replaceLicenseType, toggleLicenseType } from './save-license-type.ts';

export const licenseTypeRoutes = recordRoutes({
  tag: 'Tipos de licencia',
  area: 'license_types',
  summaries: {
    list: 'Listar tipos de licencia',
    create: 'Crear un tipo de licencia',
    read: 'Ver un tipo de licencia',
    update: 'Actualizar un tipo de licencia',
    delete: 'Eliminar un tipo de licencia',
  },
  record: licenseTypeRecord,
  list: licenseTypeList,
  page: licenseTypePage,
  answer: licenseType,
  create: { body: licenseTypeCreateBody, run: createLicenseType },
  update: { body: licenseTypeUpdateBody, run: replaceLicenseType },
  deletion: { message: LICENSE_TYPE_RESULTS.deleted },
  ofOne: (app, context) =>
    void app.patch(
      '/licenses/api/license-types/:id(^\\d+$)/toggle-status/',
      {
        config: can('license_types:write', { writes: ['license_type.updated'] }),
        schema: {
          summary: 'Activar o desactivar un tipo de licencia',
          params: idParams,
          response: { 200: licenseType },
        },
      },
      (request, reply) =>
        saveInRequest(context, request, reply, (scope) => toggleLicenseType(scope, request.params.id)),
    ),
});
