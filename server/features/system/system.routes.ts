import { done } from '../../../contract/base/errors.ts';
import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { idParams } from '../../../contract/base/page.ts';
import {
  SYSTEM_MESSAGES,
  SYSTEM_PATH,
  systemAnswer,
  systemJob,
  systemJobPage,
  systemJobQuery,
} from '../../../contract/system/system.ts';
import { databaseFacts, databaseSizes } from '../../db/diagnosis.ts';
import { AppError, notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { labelOfJob } from '../../jobs/define-job.ts';
import { record } from '../../records/record-event.ts';
import { freeBytes } from './checks/machine.ts';
import { listChecks } from './checks/stored-checks.queries.ts';
import { systemChecksJob } from './checks/system-checks-job.ts';
import { currentPlan, shownPlan } from './copies/backup-plan.ts';
import { listBackups } from './copies/backups.queries.ts';
import { countSystemJobs, lockJob, restartJob, systemJobList, toSystemJob } from './system-jobs.queries.ts';

/** 'Sistema': the state of the server for the vendor (OPS-02). */
export const systemRoutes = routesOf('Estado', (app, context) => {
  const { db, now, config } = context;
  const startedAt = now().toISOString();

  app.get(
    SYSTEM_PATH,
    {
      config: can('settings:manage'),
      schema: {
        summary: 'Ver el estado del sistema',
        description: 'Las comprobaciones son las de la última vez: cada hora, o cuando alguien las pide.',
        response: { 200: systemAnswer },
      },
    },
    async () => {
      const [{ engine, version }, sizes, free, checks, jobs, backups, plan] = await Promise.all([
        databaseFacts(db),
        databaseSizes(db),
        freeBytes(config.dataDir),
        listChecks(db),
        countSystemJobs(db, now()),
        listBackups(db),
        currentPlan(context),
      ]);
      return {
        version: config.version,
        engine,
        database_version: version,
        started_at: startedAt,
        sizes: { database: sizes.database, write_ahead_log: sizes.writeAheadLog, free_disk: free },
        checks,
        jobs,
        backups: backups.slice(0, UNPAGED_ROWS),
        backup_plan: plan && shownPlan(plan, context),
        outbound: config.outbound,
      };
    },
  );

  app.post(
    `${SYSTEM_PATH}check/`,
    {
      config: can('settings:manage', { writes: NOTHING }),
      schema: {
        summary: 'Comprobar el sistema ahora',
        description: 'Empieza la comprobación y no la espera: lo que encuentra está después en system/.',
        response: { 202: done },
      },
    },
    async (_request, reply) => {
      context.nudgeJobs(systemChecksJob.kind);
      return reply.code(202).send({ success: true, message: SYSTEM_MESSAGES.checking });
    },
  );

  app.get(
    `${SYSTEM_PATH}jobs/`,
    {
      config: can('settings:manage'),
      schema: {
        summary: 'Listar los trabajos en segundo plano',
        querystring: systemJobQuery,
        response: { 200: systemJobPage },
      },
    },
    (request) => {
      const moment = { now: now(), timeZone: config.timeZone };
      return systemJobList(moment.now).page(db, request.query, moment, request.url);
    },
  );

  app.post(
    `${SYSTEM_PATH}jobs/:id(^\\d+$)/retry/`,
    {
      config: can('settings:manage', {
        writes: ['job.retried'],
        errors: { 409: 'El trabajo no falló (conflict)' },
      }),
      schema: {
        summary: 'Reintentar un trabajo que falló',
        params: idParams,
        response: { 200: systemJob },
      },
    },
    (request) =>
      inRequest(context, request, async (scope) => {
        const job = await lockJob(scope.tx, request.params.id);
        if (!job) throw notFound(SYSTEM_MESSAGES.jobNotFound);
        if (job.failed_at === null)
          throw new AppError(409, 'conflict', { message: SYSTEM_MESSAGES.notFailed });
        const restarted = await restartJob(scope.tx, job.id, scope.now);
        await record(scope, { type: 'job.retried', subject: { id: job.id, name: labelOfJob(job.kind) } });
        scope.nudgeJobs(job.kind);
        return toSystemJob(restarted, scope.now);
      }),
  );
});
