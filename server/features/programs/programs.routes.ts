import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { STATE_REFUSALS } from '../../../contract/licenses/license-state.ts';
import { licenseVerdicts, validation, validationResult } from '../../../contract/licenses/license-verdict.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import {
  activation,
  activationResult,
  heartbeat,
  heartbeatResult,
  INSTALLATION_RESULTS,
  release,
  releaseResult,
} from '../../../contract/programs/installations.ts';
import { licenseFileRequest } from '../../../contract/programs/license-file.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, licenseKey, NOTHING } from '../../http/access.ts';
import { answerOnce } from '../../http/idempotency.ts';
import { inRequest } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import { nameForProgram } from '../../rules/verified-clients.ts';
import type { Actor, Scope } from '../../scope.ts';
import { activateInstallation } from './activate-installation.ts';
import { FILE_REFUSED } from './file-refusal.ts';
import { findMachine } from './installations.queries.ts';
import { issueFile } from './issue-file.ts';
import { answerProgram, authorized, countUnknownKey, lockAuthorized } from './license-key-guard.ts';
import { licenseVerdictsOf } from './license-verdicts.ts';
import { collectMachineName, storeMachineNames } from './machine-names.ts';
import { releaseOwnSeat } from './release-own-seat.ts';
import { takeHeartbeat } from './take-heartbeat.ts';
import { findForValidation, validateLicense } from './validate-license.ts';

const ACTIVATION_ERRORS = {
  403: `La clave es de otro producto (wrong_software), o la licencia no se puede usar (${[...STATE_REFUSALS, 'updates_ended'].join(', ')})`,
  404: 'La clave no existe (license_not_found)',
  409: 'No quedan lugares (installation_limit); de una licencia con lugares flotantes seat_free_at y Retry-After dicen cuándo queda libre uno',
  429: true,
} as const;
const RELEASE_ERRORS = {
  403: 'La clave es de otro producto (wrong_software), o el programa no puede liberar su equipo (release_not_allowed)',
  404: 'La clave no existe (license_not_found) o el equipo no está activado (not_found)',
  409: 'Por ahora no se puede liberar otro equipo (release_limit), o este tiene un archivo sin conexión vigente (file_issued); available_from dice desde qué día',
  429: true,
} as const;
const HEARTBEAT_ERRORS = {
  403: 'La clave es de otro producto (wrong_software)',
  404: 'La clave no existe (license_not_found) o el equipo no está activado (not_found)',
  429: true,
} as const;

/** The routes for staff about programs: the answers that programs get, and offline files. */
function addStaffRoutes(app: RoutesApp, context: AppContext): void {
  app.get(
    '/licenses/api/licenses/:id(^\\d+$)/verdicts/',
    {
      config: can('licenses:read'),
      schema: {
        tags: ['Licencias'],
        summary: 'Ver lo que oyen los programas de una licencia',
        description: 'Las mismas reglas que validar, sin ocupar un lugar ni contar como señal de un equipo.',
        params: idParams,
        response: { 200: licenseVerdicts },
      },
    },
    async (request) => {
      const verdicts = await licenseVerdictsOf(context, request.params.id);
      if (!verdicts) throw notFound(LICENSE_MESSAGES.notFound);
      return verdicts;
    },
  );

  app.post(
    '/licenses/api/licenses/:id(^\\d+$)/file/',
    {
      config: can('licenses:file', {
        writes: ['license.file_issued', 'installation.activated', 'license.started'],
        once: true,
        errors: { 409: FILE_REFUSED },
      }),
      schema: {
        tags: ['Licencias'],
        summary: 'Emitir un archivo para un equipo sin conexión',
        params: idParams,
        body: licenseFileRequest,
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      const file = await answerOnce(context, request, reply, async (scope) => ({
        status: 200,
        body: await issueFile(scope, context.secrets, request.params.id, request.body),
      }));
      reply.header('content-disposition', `attachment; filename="${file.name}"`);
      return reply.type('text/plain; charset=utf-8').send(file.text);
    },
  );
}

/** The calls of installed programs, and the offline file that replaces them without connection. */
export const programRoutes = routesOf('Instalaciones', (app, context) => {
  // Stores the names that are still in memory when the server stops regularly.
  app.addHook('onClose', () => storeMachineNames(context).catch(() => {}));

  app.post(
    '/licenses/api/license/validate/',
    {
      config: licenseKey({ writes: NOTHING, errors: { 429: true } }),
      schema: {
        tags: ['Licencias'],
        summary: 'Validar una licencia en un equipo',
        body: validation,
        response: { 200: validationResult },
      },
    },
    (request) =>
      answerProgram(context, 'validate', request, async () => {
        const { body } = request;
        const license = await findForValidation(context.db, body.license_key, body.machine_id);
        if (license) authorized(context, request, license, license.installation_date !== null);
        else await countUnknownKey(context, request);
        return validateLicense(context, body, license);
      }),
  );

  app.post(
    '/licenses/api/installations/',
    {
      // Also writes the release of seats whose lease has ended, if it needs one.
      config: licenseKey({
        writes: ['installation.activated', 'installation.released', 'license.started'],
        errors: ACTIVATION_ERRORS,
      }),
      schema: {
        summary: 'Activar un equipo',
        body: activation,
        response: { 200: activationResult, 201: activationResult },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const activate = async (scope: Scope) =>
        activateInstallation(scope, body, await lockAuthorized(scope, context, request));
      const { installation, isNew, license, warnings, meters, token } = await answerProgram(
        context,
        'activate',
        request,
        () => inRequest(context, request, activate, machineOf(body)),
      );
      collectMachineName(context, body, license.id);
      return reply.code(isNew ? 201 : 200).send({
        ...installation,
        client_name: nameForProgram(license),
        ...(license.activate_by !== null && { pending_start: true as const }),
        meters,
        warnings,
        token,
      });
    },
  );

  app.post(
    '/licenses/api/installations/release/',
    {
      config: licenseKey({ writes: ['installation.released'], errors: RELEASE_ERRORS }),
      schema: {
        summary: 'Liberar el lugar del propio equipo',
        body: release,
        response: { 200: releaseResult },
      },
    },
    async (request) => {
      const actor = machineOf({ machine_id: request.body.machine_id, machine_name: '' });
      const giveBack = async (scope: Scope) => {
        const license = await lockAuthorized(scope, context, request);
        const decided = await releaseOwnSeat(scope, request.body, license);
        return { answer: { success: true as const, message: INSTALLATION_RESULTS.deleted }, ...decided };
      };
      return answerProgram(context, 'release', request, () => inRequest(context, request, giveBack, actor));
    },
  );

  app.post(
    '/licenses/api/installation/heartbeat/',
    {
      config: licenseKey({ writes: NOTHING, errors: HEARTBEAT_ERRORS }),
      schema: {
        summary: 'Reportar que el equipo sigue en uso',
        body: heartbeat,
        response: { 200: heartbeatResult },
      },
    },
    (request) =>
      answerProgram(context, 'heartbeat', request, async () => {
        const found = await findMachine(context.db, request.body);
        const machine = authorized(context, request, found, found?.installation_id != null);
        return takeHeartbeat(context, request.body, machine);
      }),
  );
  addStaffRoutes(app, context);
});

const machineOf = ({ machine_name, machine_id }: { machine_name: string; machine_id: string }): Actor => ({
  kind: 'machine',
  id: null,
  name: machine_name || machine_id,
});
