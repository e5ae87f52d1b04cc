import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/errors.ts';
import {
  activation,
  heartbeat,
  heartbeatResult,
  INSTALLATION_MESSAGES,
  INSTALLATION_RESULTS,
  installation,
  installationPage,
} from '../../../contract/installations.ts';
import { idParams } from '../../../contract/page.ts';
import { daysRemaining, isExpired, isInstallationActive } from '../../../contract/time.ts';
import { type AppContext, LICENSE_KEY, STAFF } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { activateInstallation, removeInstallation } from './activate-installation.ts';
import { installationList } from './installation-list.ts';
import { findInstallation, findMachine, stampHeartbeat } from './installations.queries.ts';
import { countUnknownKey, limitMachine } from './license-key-guard.ts';

const tags = ['Instalaciones'];

/** A machine that reports again within this time is active anyway: its row is left alone (promises: Under load). */
const HEARTBEAT_REST_MS = 60_000;

export const installationRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config } = context;

    app.get(
      '/licenses/api/installations/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar instalaciones',
          querystring: installationList.query,
          response: { 200: installationPage },
        },
      },
      (request) =>
        installationList.page(db, request.query, { now: now(), timeZone: config.timeZone }, request.url),
    );

    app.post(
      '/licenses/api/installations/',
      {
        config: LICENSE_KEY,
        schema: {
          tags,
          summary: 'Activar una instalación',
          body: activation,
          response: { 200: installation, 201: installation },
        },
      },
      async (request, reply) => {
        const result = await activateInstallation(context, request.body);
        if (!result) {
          await countUnknownKey(context, request.ip);
          throw new AppError(404, 'license_not_found');
        }
        return reply.code(result.isNew ? 201 : 200).send(result.installation);
      },
    );

    app.get(
      '/licenses/api/installations/:id(^\\d+$)/',
      {
        config: STAFF,
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
        config: STAFF,
        schema: { tags, summary: 'Liberar una instalación', params: idParams, response: { 200: done } },
      },
      async (request) => {
        if (!(await removeInstallation(context, request.params.id))) {
          throw notFound(INSTALLATION_MESSAGES.notFound);
        }
        return { success: true as const, message: INSTALLATION_RESULTS.deleted };
      },
    );

    app.post(
      '/licenses/api/installation/heartbeat/',
      {
        config: LICENSE_KEY,
        schema: {
          tags,
          summary: 'Reportar que la instalación sigue en uso',
          body: heartbeat,
          response: { 200: heartbeatResult },
        },
      },
      async (request) => {
        const { license_key, machine_id, ip_address } = request.body;
        const machine = await findMachine(db, license_key, machine_id);
        if (!machine) {
          await countUnknownKey(context, request.ip);
          throw new AppError(404, 'license_not_found');
        }
        if (machine.installation_id === null) throw notFound(INSTALLATION_MESSAGES.notFound);
        limitMachine(context, machine.license_id, machine_id);

        // The server's own clock, whatever the machine believes (D109).
        const time = now();
        const ipAddress = ip_address || machine.ip_address || '';
        const last = machine.last_heartbeat;
        const rests = last !== null && time.getTime() - Date.parse(last) < HEARTBEAT_REST_MS;
        const unchanged = rests && ipAddress === machine.ip_address;
        const at = unchanged ? last : time.toISOString();
        if (!unchanged) await stampHeartbeat(db, machine.installation_id, { at, ipAddress });
        return {
          success: true as const,
          installation: {
            id: machine.installation_id,
            machine_id,
            last_heartbeat: at,
            is_active: isInstallationActive(at, time),
          },
          license: {
            status: machine.status,
            is_expired: isExpired(machine.expiry_date, time),
            days_remaining: daysRemaining(machine.expiry_date, time, config.timeZone),
          },
        };
      },
    );
  };
