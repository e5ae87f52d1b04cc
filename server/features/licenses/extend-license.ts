import { countsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { ActionFields } from '../../../contract/licenses/verbs/index.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { actOnLicense, type Verb } from './license-actions.ts';
import { updateLicense } from './licenses.queries.ts';
import { moveEnd } from './move-end.ts';

/**
 * Adds days without a sale, once per term. They count from the end if it is in the future, else from today (LIFE-03).
 * An expired licence becomes active again.
 * @throws as {@link actOnLicense}
 */
export function extendLicense(
  scope: Scope,
  id: number,
  { days, reason, notify }: ActionFields<'extend'>,
): Promise<License> {
  const { tx, now } = scope;
  return actOnLicense(scope, id, 'extend', { reason, notify }, async (row, version) => {
    const expiry_date = mustExist(row.expiry_date, `end of license ${id}`);
    if (row.status === 'expired') await updateLicense(tx, id, { status: 'active' }, version);
    const from = countsFrom({ expiry_date }, now);
    await moveEnd(scope, { ...row, expiry_date }, from, days, version, { extended_at: now.toISOString() });
  });
}

export const extendVerb: Verb<'extend'> = {
  summary: 'Dar una prórroga',
  refused: 'La licencia no admite la acción (invalid_transition, not_renewable, already_extended)',
  event: {
    when: 'Días de prórroga; `reason` says why',
    changes: '`expiry_date`, `expiry_days`; `status` of one that was stored as expired',
  },
  run: extendLicense,
};
