import { useQuery } from '@tanstack/react-query';
import type { MonthsFrom } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { monthsFromQuery } from '../../components/license/lifecycle.api.ts';
import type { LengthUnit } from '../../text/es-terms.ts';

/**
 * From where changed months of an existing licence count (MONEY-10), asked as soon as its form counts by months.
 * @returns null for a new licence, and until the server has said it
 */
export function useMonthsFrom(license: LicenseRow | null, unit: LengthUnit): MonthsFrom | null {
  const enabled = license !== null && unit !== 'days';
  const { data = null } = useQuery({ ...monthsFromQuery(license?.id ?? 0), enabled });
  return enabled ? data : null;
}
