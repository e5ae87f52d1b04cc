import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
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
import type { Actor } from '../../scope.ts';
import { activateInstallation } from './activate-installation.ts';
import { issueFile } from './issue-file.ts';
import { type Admission, admissionOf, answerProgram, noterOf } from './license-key-guard.ts';
import { licenseVerdictsOf } from './license-verdicts.ts';
import { releaseOwnSeat } from './release-own-seat.ts';
import { signedPart } from './signed-answers.ts';
import { takeHeartbeat } from './take-heartbeat.ts';
import { validateLicense } from './validate-license.ts';

const ACTIVATION_ERRORS = {
  403: 'La clave es de otro producto (wrong_software), o la licencia no se puede usar (inactive, suspended, cancelled, expired, updates_ended)',
  404: 'La clave no existe (license_not_found)',
  409: 'No quedan lugares (installation_limit)',
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

const FILE_REFUSED =
  'La licencia no se puede usar (inactive, suspended, cancelled, expired), no quedan lugares (installation_limit), o sus lugares son flotantes (not_available)';

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
      validateLicense(
        context,
        request.body,
        admissionOf(context, request),
        noterOf(context, 'validate', request),
      ),
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
      const note = noterOf(context, 'activate', request);
      const activate = (admit: Admission['known']) =>
        inRequest(context, request, (scope) => activateInstallation(scope, body, admit), machineOf(body));
      const activated = await answerProgram(context, 'activate', request, activate, note);
      const { installation, isNew, license } = activated;
      note(license, null);
      const signed = await signedPart(context, 'activate', body, {
        license,
        reason: null,
        hasSeat: true,
        leaseUntil: installation.lease_until,
      });
      const waits = license.activate_by !== null && { pending_start: true as const };
      return reply
        .code(isNew ? 201 : 200)
        .send({ ...installation, client_name: nameForProgram(license), ...waits, ...signed });
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
      const { body } = request;
      const actor = machineOf({ machine_id: body.machine_id, machine_name: '' });
      const license = await answerProgram(context, 'release', request, (admit) =>
        inRequest(context, request, (scope) => releaseOwnSeat(scope, body, admit), actor),
      );
      const signed = await signedPart(context, 'release', body, {
        license,
        reason: 'not_activated',
        hasSeat: false,
      });
      return { success: true as const, message: INSTALLATION_RESULTS.deleted, ...signed };
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
    (request) => {
      const note = noterOf(context, 'heartbeat', request);
      const beat = (admit: Admission['known']) => takeHeartbeat(context, request.body, admit, note);
      return answerProgram(context, 'heartbeat', request, beat, note);
    },
  );
  addStaffRoutes(app, context);
});

const machineOf = ({ machine_name, machine_id }: { machine_name: string; machine_id: string }): Actor => ({
  kind: 'machine',
  id: null,
  name: machine_name || machine_id,
});
