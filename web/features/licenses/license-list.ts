import type { LicenseRow } from '../../../contract/licenses.ts';
import { pageQuery } from '../../api/list-query.ts';
import { KEYS } from '../../api/query-keys.ts';
import type { LicensesSearch } from '../../paths.ts';
import { LICENSES_PATH } from './licenses.api.ts';
import { readLicense } from './read-license.ts';

/** The filters by their names on the wire; shared by the list and its export. */
export const narrowingOf = ({ q, status, type, active }: LicensesSearch) => ({
  search: q,
  status,
  /** A category, or the id of a catalogue type (D060). */
  license_type: type,
  is_active: active,
});

/** The list page of a URL (SEED-2.8-14, D045, D127). */
export const licensesAt = (search: LicensesSearch) =>
  pageQuery<LicenseRow>(
    { key: KEYS.licenses, path: LICENSES_PATH, filters: narrowingOf(search), read: readLicense },
    search,
  );
