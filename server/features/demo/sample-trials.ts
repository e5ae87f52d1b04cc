import type { Db } from '../../db/tables.ts';
import { SOFTWARE, TYPES } from './sample-records.ts';

/** The software whose programs may start a trial without an account, and the type of that trial. */
const [OFFERING] = SOFTWARE;
const TRIAL = TYPES[4]!;

/** Enables trials of the software that is sold most. */
export async function offerTrials(tx: Db): Promise<void> {
  const type = tx.selectFrom('license_types').select('id').where('name', '=', TRIAL.name).limit(1);
  await tx
    .updateTable('software')
    .set({ trial_type_id: type })
    .where('name', '=', OFFERING!.name)
    .where('version', '=', OFFERING!.version)
    .execute();
}
