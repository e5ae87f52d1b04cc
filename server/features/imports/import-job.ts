import { z } from 'zod';
import { defineJob } from '../../jobs/define-job.ts';
import { giveUp, workThrough } from './work-through.ts';

/** Runs the checks and the runs of imports (IMPORT-02). */
export const importJob = defineJob({
  kind: 'import',
  label: 'Importación',
  payload: z.object({ import: z.number().int() }),
  // One in each process: on SQLite two would only wait for each other.
  atOnce: 1,
  triesMax: 20,
  run: async (context, { import: id }, { log, signal, isLastTry, progressed }) => {
    try {
      await workThrough(context, id, { log, signal, progressed });
    } catch (error) {
      if (isLastTry) await giveUp(context, id);
      throw error;
    }
  },
  setAside: (context, { import: id }) => giveUp(context, id, { forGood: true }),
});
