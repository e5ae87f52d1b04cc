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
import { findLastTerm, insertTerm, type NewTerm } from './license-terms.queries.ts';
import { updateLicense } from './licenses.queries.ts';
import { maintenanceTerms } from './maintenance-terms.ts';
import { type RenewalInput, renewalTerms } from './renewal-terms.ts';

/** What a renewal or a maintenance would store. */
type Plan = {
  /** The values of the licence that change. */
  license: Partial<LicenseRecord>;
  term: Pick<
    NewTerm,
    'kind' | 'license_type_id' | 'ends' | 'price_cents' | 'currency' | 'promotion_name' | 'covers_until'
  > & { starts: string };
  /** The last instant of what is sold. */
  until: string;
};

/**
 * Finds what a renewal of a locked licence sells, by its kind.
 * @throws invalid (400) for unknown or missing terms
 */
export async function planRenewal(scope: Scope, license: LicenseRecord, input: RenewalInput): Promise<Plan> {
  const { tx, now, timeZone } = scope;
  if (input.kind === 'maintenance') return planMaintenance(scope, license, input);
  const expiry_date = mustExist(license.expiry_date, `end of license ${license.id}`);
  const errors = await unknownReferences(tx, input);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const typeId = input.license_type_config ?? license.license_type_id;
  const { kind, starts, ends, ...sold } = renewalTerms(input, {
    license: { ...license, expiry_date },
    last: await findLastTerm(tx, license.id),
    type: typeId === null ? undefined : await findLicenseType(tx, typeId),
    now,
    timeZone,
  });
  const { license_type_id, price_cents, currency, promotion_name } = sold.license;
  return {
    license: sold.license,
    term: { kind, license_type_id, starts, ends, price_cents, currency, promotion_name },
    until: ends,
  };
}

async function planMaintenance(scope: Scope, license: LicenseRecord, input: RenewalInput): Promise<Plan> {
  const { tx, now, timeZone } = scope;
  const { license_type_id } = license;
  const updates_until = mustExist(license.updates_until, `updates of license ${license.id}`);
  const sold = maintenanceTerms(input, {
    license: { ...license, updates_until },
    type: license_type_id === null ? undefined : await findLicenseType(tx, license_type_id),
    now,
    timeZone,
  });
  const { kind, starts, covers_until, price_cents, currency } = sold;
  return {
    license: sold.license,
    term: {
      kind,
      license_type_id,
      starts,
      ends: null,
      covers_until,
      price_cents,
      currency,
      promotion_name: '',
    },
    until: sold.ends,
  };
}

/**
 * Renews a licence: a new term, the price and end of which become the licence's own (LIFE-02). A maintenance sells days of
 * updates, and leaves price and end alone (SELL-02).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, not_renewable; invalid (400)
 */
export function renewLicense(
  scope: Scope,
  id: number,
  { notify, reason, ...input }: z.output<typeof licenseRenewal>,
): Promise<License> {
  const said = { reason, notify, kind: input.kind };
  return actOnLicense(scope, id, 'renew', said, async (row, version) => {
    const { license, term } = await planRenewal(scope, row, input);
    await updateLicense(scope.tx, id, license, version);
    const before = Object.fromEntries(
      Object.keys(license).map((field) => [field, row[field as keyof typeof row]]),
    );
    await insertTerm(scope, {
      ...term,
      license_id: id,
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
  requireAction('renew', row, input.kind);
  const { term, until } = await planRenewal(scope, row, input);
  const { starts, price_cents, currency } = term;
  return { starts, ends: until, price: fromMinorUnits(price_cents, currency), currency };
}
