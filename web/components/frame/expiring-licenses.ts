import { queryOptions } from '@tanstack/react-query';
import { EXPIRING_SOON_DAYS, HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { afterDays, isExpired } from '../../../contract/base/time.ts';
import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import type { Notification } from '../screen/ui-store.ts';

const MOST_SHOWN = 20;
/** Imported from limits.ts because that file is small and every screen loads the bell. */
const HOLDS: readonly LicenseStatus[] = HOLDING_STATUSES;

/** Licences and trials that can be used and end within thirty local days, the earliest end first (D022). */
export function expiringSoon(
  licenses: readonly Pick<LicenseRow, 'id' | 'license_key' | 'client_name' | 'status' | 'expiry_date'>[],
  now: Date,
): Notification[] {
  const after = afterDays(now, EXPIRING_SOON_DAYS, businessTimeZoneInUse());
  return licenses
    .flatMap(({ id, license_key, client_name, status, expiry_date }) =>
      expiry_date !== null &&
      HOLDS.includes(status) &&
      !isExpired(expiry_date, now) &&
      Date.parse(expiry_date) < Date.parse(after)
        ? [{ id, licenseKey: license_key, clientName: client_name, expiryDate: expiry_date }]
        : [],
    )
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}

/** Derives the bell's entries from the list of licences. */
export const expiringQuery = queryOptions({
  queryKey: [KEYS.licenses, 'expiring'],
  queryFn: async ({ signal }) => {
    const answer = await request<unknown>('GET', apiOf('licenses'), {
      query: { expiring_within: EXPIRING_SOON_DAYS, ordering: 'expiry_date', page_size: MOST_SHOWN },
      signal,
    });
    return expiringSoon(allRows<LicenseRow>(answer), new Date());
  },
});
