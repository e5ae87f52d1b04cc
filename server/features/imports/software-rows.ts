import { TRIAL_DAILY_DEFAULT } from '../../../contract/programs/trial-terms.ts';
import { type Software, softwareCreate, softwareUpdate } from '../../../contract/software/software.ts';
import { AppError, fault } from '../../errors.ts';
import { eachOrRefusal } from '../../records/each-or-refusal.ts';
import type { Scope } from '../../scope.ts';
import { findTypesNamed } from '../license-types/license-types.queries.ts';
import { createSoftware, replaceSoftware } from '../software/save-software.ts';
import { findSoftwareLikeAny, identityKey } from '../software/software.queries.ts';
import { softwareRecord } from '../software/software.record.ts';
import { type RowKind, saveIfDifferent } from './row-kind.ts';
import { parseValues, pastInstant, ROW_MESSAGES, type RowValues, textOf } from './row-values.ts';

/** Finds the ids of licence types by their name. */
type Types = (name: string) => number[];

/** The value of a cleared field, if it is not the empty text. */
const CLEARED: Record<string, unknown> = {
  trial_type: null,
  trial_email: 'no',
  trial_daily_limit: TRIAL_DAILY_DEFAULT,
};

function valuesOf(row: RowValues, types: Types) {
  const { created_at: _created, updated_at: _updated, trial_type: _type, ...values } = row.values;
  const errors = { ...row.errors };
  for (const field of row.cleared) {
    if (field !== 'created_at' && field !== 'updated_at') values[field] = CLEARED[field] ?? '';
  }
  if (row.cleared.has('trial_type')) values.trial_type = null;
  const named = textOf(row, 'trial_type');
  if (named !== undefined) {
    const found = types(named);
    if (found.length === 1) values.trial_type = found[0];
    else if (found.length > 1) errors.trial_type = [fault('invalid', ROW_MESSAGES.whichType)];
    else errors.trial_type = [fault('unknown_reference', ROW_MESSAGES.noType)];
  }
  return { values, errors };
}

/** Name and version; undefined if the row lacks one of them. */
function identityOf(row: RowValues): { name: string; version: string } | undefined {
  const [name, version] = [textOf(row, 'name'), textOf(row, 'version')];
  return name === undefined || version === undefined ? undefined : { name, version };
}

export const softwareRows: RowKind = {
  keyField: 'name',
  unknown: ROW_MESSAGES.noSoftware,
  keyOf: (row) => {
    const identity = identityOf(row);
    return identity ? identityKey(identity) : null;
  },
  lookUp: async (scope, rows) => {
    const ids = await findSoftwareLikeAny(
      scope.tx,
      rows.flatMap((row) => identityOf(row) ?? []),
    );
    const types = await findTypesNamed(
      scope.tx,
      rows.flatMap((row) => textOf(row, 'trial_type') ?? []),
    );
    return {
      find: (row) => {
        const identity = identityOf(row);
        return identity && ids.get(identityKey(identity));
      },
      // Software is created one by one, because all versions of one name must get the same code.
      createAll: async (fresh) => {
        const made = await eachOrRefusal(fresh, (row) => create(scope, row, types));
        return made.map((one) => (one instanceof AppError ? one : one.id));
      },
      update: (id, row) => {
        const { values, errors } = valuesOf(row, types);
        // Name and version identify the software, so they are not changed, not even their case.
        const { name: _name, version: _version, ...changes } = parseValues(softwareUpdate, values, errors);
        return saveIfDifferent(scope, softwareRecord, id, () => replaceSoftware(scope, id, changes));
      },
    };
  },
};

function create(scope: Scope, row: RowValues, types: Types): Promise<Software> {
  const { values, errors } = valuesOf(row, types);
  const created = pastInstant(row, 'created_at', scope, errors) ?? scope.now;
  const updated = pastInstant(row, 'updated_at', scope, errors) ?? created;
  return createSoftware(scope, parseValues(softwareCreate, values, errors), { created, updated });
}
