import type { z } from 'zod';
import { fromMinorUnits } from '../../../contract/base/money.ts';
import type { licenseRenewal, RenewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES, type License } from '../../../contract/licenses/licenses.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { invalid, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { licenseRecord } from './license.record.ts';
import { actOnLicense, requireAction } from './license-actions.ts';
import { unknownReferences } from './license-references.ts';
import { findLastTerm, insertTerm } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';
import { type Renewal, type RenewalInput, renewalTerms } from './renewal-terms.ts';

/**
 * Finds the terms of a renewal of a locked licence.
 * @throws invalid (400) for unknown or missing terms
 */
async function planRenewal(scope: Scope, license: LicenseRecord, input: RenewalInput): Promise<Renewal> {
  const { tx, now, timeZone } = scope;
  const expiry_date = mustExist(license.expiry_date, `end of license ${license.id}`);
  const errors = await unknownReferences(tx, input);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const typeId = input.license_type_config ?? license.license_type_id;
  return renewalTerms(input, {
    license: { ...license, expiry_date },
    last: await findLastTerm(tx, license.id),
    type: typeId === null ? undefined : await findLicenseType(tx, typeId),
    now,
    timeZone,
  });
}

/**
 * Renews a licence: a new term, the price and end of which become the licence's own (LIFE-02).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, not_renewable; invalid (400)
 */
export function renewLicense(
  scope: Scope,
  id: number,
  { notify, reason, ...input }: z.output<typeof licenseRenewal>,
): Promise<License> {
  return actOnLicense(scope, id, 'renew', { reason, notify }, async (row, version) => {
    const { kind, starts, ends, license } = await planRenewal(scope, row, input);
    await updateLicense(scope.tx, id, license, version);
    const before = Object.fromEntries(
      Object.keys(license).map((field) => [field, row[field as keyof typeof row]]),
    );
    await insertTerm(scope, {
      license_id: id,
      kind,
      license_type_id: license.license_type_id,
      starts,
      ends,
      price_cents: license.price_cents,
      currency: license.currency,
      promotion_name: license.promotion_name,
      software_id: row.software_id,
      is_counted: true,
      replaced: JSON.stringify({ before, after: license }),
    });
  });
}

/** What a renewal would be; stores nothing. @throws as {@link renewLicense} */
export async function previewRenewal(scope: Scope, id: number, input: RenewalInput): Promise<RenewalPreview> {
  const [row] = await licenseRecord.lock(scope.tx, [id]);
  if (!row) throw notFound(LICENSE_MESSAGES.notFound);
  requireAction('renew', row);
  const { starts, ends, license } = await planRenewal(scope, row, input);
  const { price_cents, currency } = license;
  return { starts, ends, price: fromMinorUnits(price_cents, currency), currency };
}
