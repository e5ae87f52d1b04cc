import { z } from 'zod';
import { bulkFailure } from '../licenses/bulk.ts';

/** A job that a person started and whose progress they see, such as a bulk call with many records (LIST-01). */

export const JOB_MESSAGES = {
  notFound: 'Trabajo no encontrado',
  isOver: 'Este trabajo ya terminó',
  notYours: 'Solo puede detenerlo quien lo pidió o un administrador',
  cancelled: 'Se detuvo a petición',
  noRights: 'Quien lo pidió ya no tiene permiso para hacerlo',
  interrupted: 'Se interrumpió por un error',
} as const;

const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const jobProgress = z
  .object({
    state: z.enum(JOB_STATES),
    total: z.number().int(),
    /** The number of records processed so far, with or without success. */
    done: z.number().int(),
    /** The result, once the job is done or has failed: the number of successes, and the first 100 failures. */
    result: z.object({ done: z.number().int(), failed: z.array(bulkFailure) }).nullable(),
    /** Why the job ended before all records were processed; null if all were. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'JobProgress' });
export type JobProgress = z.infer<typeof jobProgress>;
