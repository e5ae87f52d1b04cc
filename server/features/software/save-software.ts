import type { z } from 'zod';
import { TRIAL_MESSAGES } from '../../../contract/programs/trial-terms.ts';
import { SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import type {
  Software,
  SoftwareValues,
  softwareBulkUpdate,
  softwareUpdate,
} from '../../../contract/software/software.ts';
import { keepRows } from '../../db/dialect.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import { refuseTaken } from '../../records/refuse-taken.ts';
import { saveRecord, saveRecords } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { findSoftwareLike, getSoftware, insertSoftware, updateSoftware } from './software.queries.ts';
import { softwareRecord } from './software.record.ts';

const TAKEN = { name: [fault('taken', SOFTWARE_MESSAGES.taken)] };

/** For an imported software: when it was created and last changed. */
type Dates = { created: Date; updated: Date };

/** Creates a software and returns its answer; undefined when its name and version are taken. */
async function insert(scope: Scope, values: SoftwareValues, dates?: Dates): Promise<Software | undefined> {
  const { created, updated } = dates ?? { created: scope.now, updated: scope.now };
  const id = await insertSoftware(scope.tx, values, created, updated);
  if (id === undefined) return undefined;
  const software = await getSoftware(scope.tx, id, scope.now);
  await record(scope, { type: 'software.created', ...softwareRecord.about(software) });
  return software;
}

/**
 * Checks that the trial type exists, and prevents its deletion until the transaction ends.
 * @throws invalid (400) on `trial_type`
 */
async function requireTrialType({ tx }: Scope, { trial_type }: Partial<SoftwareValues>): Promise<void> {
  if (trial_type === undefined || trial_type === null) return;
  const type = tx.selectFrom('license_types').select('id').where('id', '=', trial_type);
  if (await keepRows(tx, type).executeTakeFirst()) return;
  throw invalid({ trial_type: [fault('unknown_reference', TRIAL_MESSAGES.type)] });
}

/**
 * Creates a software and returns its answer.
 * @throws invalid (400) when its name and version are taken (D098)
 */
export async function createSoftware(scope: Scope, values: SoftwareValues, dates?: Dates): Promise<Software> {
  await requireTrialType(scope, values);
  const software = await insert(scope, values, dates);
  if (!software) throw invalid(TAKEN);
  return software;
}

/**
 * Creates a software, or returns the existing one with this name and version, so that build pipelines can repeat the
 * call.
 * @throws conflict (409) when another call deletes it at the same moment
 */
export async function registerSoftware(
  scope: Scope,
  values: SoftwareValues,
): Promise<{ isNew: boolean; software: Software }> {
  await requireTrialType(scope, values);
  const created = await insert(scope, values);
  if (created) return { isNew: true, software: created };
  const software = await findSoftwareLike(scope.tx, values, scope.now);
  if (!software) throw new AppError(409, 'conflict');
  return { isNew: false, software };
}

/**
 * Changes the given fields and leaves the others unchanged (D091).
 * @throws notFound (404), stale (412) with the current record, invalid (400) when name and version are taken
 */
export function replaceSoftware(
  scope: Scope,
  id: number,
  { updated_at: _read, ...changes }: z.output<typeof softwareUpdate>,
): Promise<Software> {
  return saveRecord(scope, softwareRecord, id, async (row, version) => {
    await requireTrialType(scope, changes);
    await updateSoftware(scope.tx, row, changes, version).catch(refuseTaken(TAKEN));
  });
}

/**
 * Activates or deactivates several software records.
 * @returns the ids that exist
 */
export function changeSoftware(
  scope: Scope,
  { ids, updates }: z.output<typeof softwareBulkUpdate>,
): Promise<number[]> {
  return saveRecords(scope, softwareRecord, ids, (row, version) =>
    updateSoftware(scope.tx, row, updates, version),
  );
}
