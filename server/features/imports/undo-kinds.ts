import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import { readContacts } from '../../db/contacts.ts';
import { readTags } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { deleteRecord, saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { clientRecord } from '../clients/client.record.ts';
import { updateClient } from '../clients/clients.queries.ts';
import { restoreLicense } from '../licenses/change-license.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { updateSoftware } from '../software/software.queries.ts';
import { softwareRecord } from '../software/software.record.ts';
import { settledTags } from '../tags/settle-tags.ts';
import type { Before } from './import-changes.ts';

/** How records of a kind are put back to what they were before an import (INPUT-07), each with its event. */
type UndoKind = {
  /** Locks records until the transaction ends. */
  lock: (tx: Db, ids: number[]) => Promise<unknown>;
  /** @throws AppError 404, 409 */
  remove: (scope: Scope, id: number) => Promise<void>;
  /** @throws AppError 404, the database's error if another record has an earlier value */
  restore: (scope: Scope, id: number, before: Before) => Promise<void>;
};

export const UNDO_KINDS: Record<ImportKind, UndoKind> = {
  clients: {
    lock: clientRecord.lock,
    remove: (scope, id) => deleteRecord(scope, clientRecord, id),
    restore: async (scope, id, { values }) => {
      const { contacts, tags, ...same } = values as { contacts?: string; tags?: string };
      // The spelling of its tags may be another one since.
      const changes = {
        ...same,
        ...(contacts !== undefined && { contacts: readContacts(contacts) }),
        ...(tags !== undefined && { tags: await settledTags(scope.tx, readTags(tags)) }),
      };
      await saveRecord(scope, clientRecord, id, (row, version) =>
        updateClient(scope.tx, row, changes, version),
      );
    },
  },
  software: {
    lock: softwareRecord.lock,
    remove: (scope, id) => deleteRecord(scope, softwareRecord, id),
    restore: async (scope, id, { values }) => {
      const { trial_type_id, ...same } = values as { trial_type_id?: number | null };
      const changes = { ...same, ...(trial_type_id !== undefined && { trial_type: trial_type_id }) };
      await saveRecord(scope, softwareRecord, id, (row, version) =>
        updateSoftware(scope.tx, row, changes, version),
      );
    },
  },
  licenses: {
    lock: licenseRecord.lock,
    remove: (scope, id) => deleteRecord(scope, licenseRecord, id),
    restore: async (scope, id, { values, terms = [] }) => {
      await restoreLicense(scope, id, values, terms as { id: number }[]);
    },
  },
};
