import type { LicenseRowAnswer, LicenseVerb } from '../../../contract/licenses/license-can.ts';
import { pageQuery } from '../../api/list-query.ts';
import { LICENSE_FIGURES, type LicensesSearch } from '../../components/license/licenses-search.ts';
import { readLicense } from '../../components/license/read-license.ts';

/** The filters by their API names, for the list and its export. */
export const narrowingOf = (search: LicensesSearch) => ({
  search: search.q,
  status: search.status,
  /** A category, or the id of a type (D060). */
  license_type: search.type,
  is_active: search.active,
  client: search.client,
  software: search.software,
  expiry_from: search.expiry_from,
  expiry_to: search.expiry_to,
  expiring_within: search.expiring_within,
  email_status: search.email_status,
  unused: search.unused,
  seats_full: search.seats_full,
  complimentary: search.complimentary,
  country: search.country,
  tag: search.tag?.split(';'),
  currency: search.currency,
  app_version: search.app_version,
  ...Object.fromEntries(LICENSE_FIGURES.map((name) => [name, search[name]])),
  active_within: search.active_within,
  silent_for: search.silent_for,
  import: search.import,
});

/** For bulk actions with another name: the value of `can` that they require. */
const BULK_VERBS: Readonly<Record<string, LicenseVerb>> = {
  set_status: 'update',
  add_tag: 'update',
  remove_tag: 'update',
  charge: 'renew',
};

/** Whether a bulk action is possible for a licence, according to its `can`. */
export const bulkFits = (action: string, { can, current_installations }: LicenseRowAnswer): boolean =>
  action === 'release_seats'
    ? current_installations > 0
    : can.some((verb) => verb === (BULK_VERBS[action] ?? action));

/** The query of the list page at a URL (SEED-2.8-14, D045, D127). */
export const licensesAt = (search: LicensesSearch) =>
  pageQuery<LicenseRowAnswer>({ kind: 'licenses', filters: narrowingOf(search), read: readLicense }, search);
