import { type Software, softwareCreate, softwareUpdate } from '../../../contract/licenses/software.ts';
import { AppError } from '../../errors.ts';
import { eachOrRefusal } from '../../records/each-or-refusal.ts';
import type { Scope } from '../../scope.ts';
import { createSoftware, replaceSoftware } from '../software/save-software.ts';
import { findSoftwareLikeAny, identityKey } from '../software/software.queries.ts';
import { softwareRecord } from '../software/software.record.ts';
import { type RowKind, saveIfDifferent } from './row-kind.ts';
import { parseValues, pastInstant, ROW_MESSAGES, type RowValues, textOf } from './row-values.ts';

function valuesOf(row: RowValues): Record<string, unknown> {
  const { created_at: _created, updated_at: _updated, ...values } = row.values;
  for (const field of row.cleared) if (field !== 'created_at' && field !== 'updated_at') values[field] = '';
  return values;
}

/** Name and version; undefined for a row that lacks one. */
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
    return {
      find: (row) => {
        const identity = identityOf(row);
        return identity && ids.get(identityKey(identity));
      },
      // Software is stored one by one: versions of one name share a code.
      createAll: async (fresh) => {
        const made = await eachOrRefusal(fresh, (row) => create(scope, row));
        return made.map((one) => (one instanceof AppError ? one : undefined));
      },
      update: (id, row) => {
        // Name and version say which software it is, in whatever case.
        const {
          name: _name,
          version: _version,
          ...changes
        } = parseValues(softwareUpdate, valuesOf(row), row.errors);
        return saveIfDifferent(scope, softwareRecord, id, () => replaceSoftware(scope, id, changes));
      },
    };
  },
};

function create(scope: Scope, row: RowValues): Promise<Software> {
  const errors = { ...row.errors };
  const created = pastInstant(row, 'created_at', scope, errors) ?? scope.now;
  const updated = pastInstant(row, 'updated_at', scope, errors) ?? created;
  return createSoftware(scope, parseValues(softwareCreate, valuesOf(row), errors), { created, updated });
}
