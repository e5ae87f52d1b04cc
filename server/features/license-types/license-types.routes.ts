import { idParams } from '../../../contract/base/page.ts';
import {
  LICENSE_TYPE_RESULTS,
  licenseType,
  licenseTypePage,
} from '../../../contract/license-types/license-types.ts';
import { can } from '../../http/access.ts';
import { saveInRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import {
  addCreateRoute,
  addDeleteRoute,
  addListRoutes,
  addRecordRoutes,
} from '../../records/record-routes.ts';
import { licenseTypeRecord } from './license-type.record.ts';
import { licenseTypeCreateBody, licenseTypeUpdateBody } from './license-type-body.ts';
import { licenseTypeList } from './license-type-list.ts';
import { createLicenseType, replaceLicenseType, toggleLicenseType } from './save-license-type.ts';

const ONE = '/licenses/api/license-types/:id(^\\d+$)/';

export const licenseTypeRoutes = routesOf('Tipos de licencia', (app, context) => {
  addListRoutes(app, context, licenseTypeList, {
    url: '/licenses/api/license-types/',
    config: can('license_types:read'),
    summary: 'Listar tipos de licencia',
    page: licenseTypePage,
  });

  addCreateRoute(app, context, {
    url: '/licenses/api/license-types/',
    config: can('license_types:write', { writes: ['license_type.created'], once: true }),
    summary: 'Crear un tipo de licencia',
    body: licenseTypeCreateBody,
    answer: licenseType,
    run: createLicenseType,
  });

  addRecordRoutes(app, context, licenseTypeRecord, {
    url: ONE,
    read: { config: can('license_types:read'), summary: 'Ver un tipo de licencia', answer: licenseType },
    save: {
      config: can('license_types:write', { writes: ['license_type.updated'], once: true }),
      summary: 'Actualizar un tipo de licencia',
      body: licenseTypeUpdateBody,
      answer: licenseType,
      run: replaceLicenseType,
    },
  });
  addDeleteRoute(app, context, licenseTypeRecord, {
    url: ONE,
    config: can('license_types:delete', { writes: ['license_type.deleted'] }),
    summary: 'Eliminar un tipo de licencia',
    message: LICENSE_TYPE_RESULTS.deleted,
  });

  app.patch(
    `${ONE}toggle-status/`,
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
  );
});
