import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';
import { suspensionOf } from './change-license.ts';
import { actOnLicense, type Verb } from './license-actions.ts';
import { updateLicense } from './licenses.queries.ts';

/** Stores another status, and begins or ends a suspension if the status requires it. */
export const setStatus = ({ tx, now }: Scope, row: LicenseRecord, status: LicenseStatus, version: string) =>
  updateLicense(tx, row.id, { status, ...suspensionOf(row, status, now) }, version);

/**
 * Suspends an active licence or trial; its time continues to run (LIFE-03).
 * @throws as {@link actOnLicense}
 */
export function suspendLicense(
  scope: Scope,
  id: number,
  { reason, notify }: ActionFields<'suspend'>,
): Promise<License> {
  return actOnLicense(scope, id, 'suspend', { reason, notify }, (row, version) =>
    setStatus(scope, row, 'suspended', version),
  );
}

export const suspendVerb: Verb<'suspend'> = {
  summary: 'Suspender una licencia',
  event: {
    when: '',
    changes: '`status`',
  },
  run: suspendLicense,
};
