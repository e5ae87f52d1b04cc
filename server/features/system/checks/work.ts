import { backupLateSince } from '../../../../contract/system/backups.ts';
import type { Finding } from '../../../../contract/system/system.ts';
import { formatMoment } from '../../../lib/format-moment.ts';
import { currentPlan, skippedText } from '../copies/backup-plan.ts';
import { type Check, type CheckContext, counted, failure, ok, warning } from './check.ts';
import { jobsAtWork, mailsAtWork, webhooksAtWork } from './work.queries.ts';

/** Longer than a job normally waits. */
const LATE_MS = 15 * 60_000;

/** Work that has waited since before this moment is late. For some minutes after a start nothing is late. */
function lateBefore({ now, startedAt }: CheckContext): Date {
  const before = now().getTime() - LATE_MS;
  const isFresh = startedAt !== undefined && startedAt.getTime() > before;
  return new Date(isFresh ? 0 : before);
}
const MAIL_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

export const jobs: Check = {
  id: 'jobs',
  needs: 'schema',
  run: async (context) => {
    const { failed, late } = await jobsAtWork(context.db, lateBefore(context), context.now());
    // In a drill, jobs that would send something wait on purpose.
    if (late > 0 && context.config.outbound) {
      return failure(
        `${counted(late, 'trabajo espera', 'trabajos esperan')} desde hace más de 15 minutos.`,
        'Revisa que el servidor esté en marcha y lo que dice su registro.',
      );
    }
    if (failed > 0) {
      return warning(
        `${counted(failed, 'trabajo falló y no se reintentará', 'trabajos fallaron y no se reintentarán')}.`,
        'Míralos en Configuración › Sistema y pulsa Reintentar cuando su causa esté resuelta.',
      );
    }
    return ok('Ninguno falló.');
  },
};

export const mails: Check = {
  id: 'mails',
  needs: 'schema',
  run: async (context) => {
    const { failed, late } = await mailsAtWork(context.db, {
      since: new Date(context.now().getTime() - MAIL_DAYS * DAY_MS),
      before: lateBefore(context),
    });
    if (!context.config.outbound) return ok('OUTBOUND=0: los correos esperan.');
    if (late > 0) {
      return warning(
        `${counted(late, 'correo espera', 'correos esperan')} desde hace más de 15 minutos.`,
        'Mira en Configuración › Correos por qué no salen, y revisa el servidor de correo.',
      );
    }
    if (failed > 0) {
      return warning(
        `${counted(failed, 'correo falló', 'correos fallaron')} en los últimos ${MAIL_DAYS} días.`,
        'Míralos en Configuración › Correos: ahí se reenvían.',
      );
    }
    return ok(`Ninguno falló en los últimos ${MAIL_DAYS} días.`);
  },
};

export const webhooks: Check = {
  id: 'webhooks',
  needs: 'schema',
  run: async ({ db, config }) => {
    if (!config.outbound) return ok('OUTBOUND=0: los avisos esperan.');
    const { disabled, failing } = await webhooksAtWork(db);
    if (disabled + failing === 0) return ok('Todos entregan.');
    const parts = [
      disabled > 0 && `${counted(disabled, 'webhook se desactivó solo', 'webhooks se desactivaron solos')}`,
      failing > 0 && `${counted(failing, 'webhook falla', 'webhooks fallan')}`,
    ];
    return warning(
      `${parts.filter((part) => part !== false).join(', ')}.`,
      'Mira en Configuración › Webhooks qué respondió su receptor.',
    );
  },
};

/** Reports on the last verified copy (OPS-03). */
export const backup: Check = {
  id: 'backup',
  needs: 'schema',
  run: async (context) => {
    const { config, now } = context;
    if (!config.outbound) return ok('OUTBOUND=0: un simulacro no hace copias.');
    const plan = await currentPlan(context);
    if (plan === null) return withoutCopies(context);
    const { last_tried_at, error, skipped_rows } = plan;
    const last =
      last_tried_at === null
        ? 'Todavía no hay ninguna copia probada'
        : `Última copia probada: ${formatMoment(last_tried_at, config.timeZone)}`;
    if (skipped_rows !== null) {
      return warning(
        skippedText(skipped_rows),
        'Quita BACKUP_DIR, o sube BACKUP_ROWS_MAX si hay tiempo y disco.',
      );
    }
    if (backupLateSince(plan, now()) !== null) {
      return failure(
        `${last}. ${error ?? 'Nadie la hace.'}`,
        'Revisa BACKUP_DIR y su disco, y que esté en marcha el servidor que la tiene.',
      );
    }
    if (error !== null)
      return warning(`${last}. ${error}`, 'Revisa BACKUP_DIR y su disco; se reintenta cada hora.');
    return ok(`${last}.`);
  },
};

const withoutCopies = ({ config }: CheckContext): Finding =>
  config.demo
    ? ok('Modo de demostración: no hace falta ninguna.')
    : warning(
        'El programa no hace copias, y no sabe de las que haces tú.',
        'Escribe en BACKUP_DIR una carpeta de otro disco y lleva sus copias a otro lugar, o programa npm run backup -- ARCHIVO cada noche.',
      );
