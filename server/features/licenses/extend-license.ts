import type { z } from 'zod';
import { countsFrom, type licenseExtension } from '../../../contract/licenses/license-lifecycle.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { actOnLicense } from './license-actions.ts';
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
  { days, reason, notify }: z.output<typeof licenseExtension>,
): Promise<License> {
  const { tx, now } = scope;
  return actOnLicense(scope, id, 'extend', { reason, notify }, async (row, version) => {
    const expiry_date = mustExist(row.expiry_date, `end of license ${id}`);
    if (row.status === 'expired') await updateLicense(tx, id, { status: 'active' }, version);
    const from = countsFrom({ expiry_date }, now);
    await moveEnd(scope, { ...row, expiry_date }, from, days, version, { extended_at: now.toISOString() });
  });
}
