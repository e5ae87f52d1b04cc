import type { z } from 'zod';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { METER_MESSAGES, type UsageRow } from '../../../contract/licenses/meters.ts';
import type { usageAdjustment } from '../../../contract/programs/usage.ts';
import { notFound } from '../../errors.ts';
import { record } from '../../records/record-event.ts';
import { toUsageRow } from '../../rules/license-meters.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { findLicenseRow } from '../licenses/licenses.queries.ts';
import { presentSpan } from './present-span.ts';
import { findCounts, lockLicenses } from './usage.queries.ts';
import { addLocked } from './write-counts.queries.ts';

/**
 * Sets the used amount of a meter in its present period; the event contains the reason (SELL-03).
 * @returns the meter after the change
 * @throws notFound (404) for an unknown licence, and for a code that is not one of its meters
 */
export async function adjustUsage(
  scope: Scope,
  id: number,
  code: string,
  { used, reason }: z.output<typeof usageAdjustment>,
): Promise<UsageRow> {
  const { tx, now, timeZone } = scope;
  await lockLicenses(tx, [id]);
  const license = await findLicenseRow(tx, id, now, timeZone);
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  if (!Object.hasOwn(license.meters, code)) throw notFound(METER_MESSAGES.unknown);
  const meter = license.meters[code]!;
  const span = await presentSpan(tx, license, meter, { now, timeZone });
  const [before] = await findCounts(tx, [{ license_id: id, code, period: span.key, request_id: '' }]);
  const added = used - (before?.used ?? 0);
  const resets_at = meter.period === 'term' ? null : span.resetsAt;
  const addition = {
    license_id: id,
    code,
    period: span.key,
    added,
    base: added,
    reached_at: null,
    resets_at,
  };
  await addLocked(tx, [addition], [], now);
  await record(scope, {
    type: 'license.usage_adjusted',
    ...licenseRecord.about(license),
    changes: { code: { before: null, after: code }, used: { before: before?.used ?? 0, after: used } },
    reason,
  });
  return toUsageRow(code, meter, used, span);
}
