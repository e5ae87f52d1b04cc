import { setTimeout } from 'node:timers/promises';
import { machineWarning } from '../../../contract/programs/machine-warning.ts';
import { trialRequest, trialResult } from '../../../contract/programs/trials.ts';
import { perDatabase } from '../../db/per-database.ts';
import { unavailable } from '../../errors.ts';
import { anyone } from '../../http/access.ts';
import { callerGone } from '../../http/caller-gone.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { asksForStrictness } from '../../http/strict.ts';
import { Turns } from '../../limits/turns.ts';
import { limitTrial } from '../programs/license-key-guard.ts';
import { collectMachineName } from '../programs/machine-names.ts';
import { answeredPart } from '../programs/signed-answers.ts';
import { startTrial } from './start-trial.ts';

const ERRORS = {
  403: 'El software no ofrece pruebas (not_allowed)',
  409: 'La prueba de este equipo ya es una licencia (trial_converted)',
  429: 'Por hoy no se pueden empezar más pruebas (trial_limit), o el mismo equipo la pide demasiadas veces (rate_limited)',
} as const;

/**
 * New trials wait for each other in the database. They wait in memory instead, so that many at once do not take the
 * connections of other calls.
 */
const AT_ONCE = 3;
const WAITING_MAX = 500;

const turnsOf = perDatabase(() => new Turns(AT_ONCE, WAITING_MAX, { waitMs: 10_000, busy: unavailable }));

/**
 * An answer to a call with an email address takes at least this long: making a client and its mail takes longer than
 * finding that a client has the address, and the time must not tell which.
 */
const ANSWERED_AFTER_MS = 150;

export const trialRoutes = routesOf('Instalaciones', (app, context) => {
  app.post(
    '/licenses/api/trial/',
    {
      config: anyone({
        anyOrigin: true,
        writes: [
          'client.created',
          'license.issued',
          'license.transferred',
          'installation.activated',
          'installation.released',
          'mail.failed',
        ],
        errors: ERRORS,
      }),
      schema: {
        summary: 'Empezar una prueba sin cuenta',
        description:
          'Una por equipo y software: el mismo equipo recibe siempre la misma licencia. Con nonce, la respuesta va firmada como la de una activación.',
        body: trialRequest,
        response: { 200: trialResult, 201: trialResult },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { machine_id, machine_name, nonce, software } = body;
      const isStrict = asksForStrictness(String(request.headers.prefer ?? ''));
      const limitCalls = (licenseId: number) => limitTrial(context, licenseId);
      const actor = { kind: 'machine' as const, id: null, name: machine_name || machine_id };
      const started = performance.now();
      const trial = await turnsOf(context.db).run('', callerGone(reply), () =>
        inRequest(context, request, (scope) => startTrial(scope, { ...body, isStrict }, limitCalls), actor),
      );
      if (body.email?.trim())
        await setTimeout(Math.max(0, ANSWERED_AFTER_MS - (performance.now() - started)));
      const { license, reason, isNew, leaseUntil } = trial;
      collectMachineName(context, body, license.id);
      const { license_key, expiry_date } = license;
      const verdict = {
        license,
        reason: reason === 'trial_ended' ? ('expired' as const) : reason,
        hasSeat: reason === null,
        leaseUntil,
      };
      const asked = { license_key, machine_id, nonce, software };
      const beside = await answeredPart(context, 'activate', asked, { verdict, checked: license });
      return reply.code(isNew ? 201 : 200).send({
        ...{ success: true as const, license_key, expiry_date },
        ...{ valid: reason === null, reason, ...machineWarning(machine_id), ...beside },
      });
    },
  );
});
