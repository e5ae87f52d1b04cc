import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  activation,
  activationResult,
  heartbeat,
  heartbeatResult,
  INSTALLATION_MESSAGES,
  INSTALLATION_RESULTS,
  installation,
  installationPage,
  release,
  releasedByStaff,
  releaseResult,
} from '../../../contract/programs/installations.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, licenseKey, NOTHING } from '../../http/access.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import type { Actor } from '../../scope.ts';
import { activateInstallation } from './activate-installation.ts';
import { installationList } from './installation-list.ts';
import { findInstallation } from './installations.queries.ts';
import { answerProgram, limitMachine } from './license-key-guard.ts';
import { releaseInstallation } from './release-installation.ts';
import { releaseOwnSeat } from './release-own-seat.ts';
import { signedPart } from './signed-answers.ts';
import { takeHeartbeat } from './take-heartbeat.ts';

const tags = ['Instalaciones'];

const ACTIVATION_ERRORS = {
  403: 'La clave es de otro producto (wrong_software), o la licencia no se puede usar (inactive, suspended, cancelled, expired)',
  404: 'La clave no existe (license_not_found)',
  409: 'No quedan instalaciones (installation_limit)',
  429: true,
} as const;
const RELEASE_ERRORS = {
  403: 'La clave es de otro producto (wrong_software), o el programa no puede liberar su equipo (release_not_allowed)',
  404: 'La clave no existe (license_not_found) o la máquina no está activada (not_found)',
  409: 'Por ahora no se puede liberar otro equipo (release_limit), o este tiene un archivo sin conexión vigente (file_issued); available_from dice desde qué día',
  429: true,
} as const;
const HEARTBEAT_ERRORS = {
  403: 'La clave es de otro producto (wrong_software)',
  404: 'La clave no existe (license_not_found) o la máquina no está activada (not_found)',
  429: true,
} as const;

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

    app.post(
      '/licenses/api/installations/',
      {
        // Also of lapsed seats that it frees for itself.
        config: licenseKey({
          writes: ['installation.activated', 'installation.released'],
          errors: ACTIVATION_ERRORS,
        }),
        schema: {
          tags,
          summary: 'Activar una instalación',
          body: activation,
          response: { 200: activationResult, 201: activationResult },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const admit = (licenseId: number, seats: number) =>
          limitMachine(context, licenseId, body.machine_id, { seats, ip: request.ip });
        const { installation, isNew, license } = await answerProgram(context, 'activate', request, () =>
          inRequest(context, request, (scope) => activateInstallation(scope, body, admit), machineOf(body)),
        );
        const signed = await signedPart(context, 'activate', body, {
          license,
          reason: null,
          hasSeat: true,
          leaseUntil: installation.lease_until,
        });
        return reply.code(isNew ? 201 : 200).send({ ...installation, ...signed });
      },
    );

    app.post(
      '/licenses/api/installations/release/',
      {
        config: licenseKey({ writes: ['installation.released'], errors: RELEASE_ERRORS }),
        schema: {
          tags,
          summary: 'Liberar el asiento del propio equipo',
          body: release,
          response: { 200: releaseResult },
        },
      },
      async (request) => {
        const { body } = request;
        const admit = (licenseId: number, seats: number) =>
          limitMachine(context, licenseId, body.machine_id, { seats, ip: request.ip });
        const actor = machineOf({ machine_id: body.machine_id, machine_name: '' });
        const license = await answerProgram(context, 'release', request, () =>
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

    app.post(
      '/licenses/api/installation/heartbeat/',
      {
        config: licenseKey({ writes: NOTHING, errors: HEARTBEAT_ERRORS }),
        schema: {
          tags,
          summary: 'Reportar que la instalación sigue en uso',
          body: heartbeat,
          response: { 200: heartbeatResult },
        },
      },
      (request) =>
        answerProgram(context, 'heartbeat', request, () =>
          takeHeartbeat(context, request.body, (licenseId) =>
            limitMachine(context, licenseId, request.body.machine_id),
          ),
        ),
    );
  };

/** The actor of an installed program, named by its machine. */
const machineOf = ({ machine_name, machine_id }: { machine_name: string; machine_id: string }): Actor => ({
  kind: 'machine',
  id: null,
  name: machine_name || machine_id,
});
