import { UNSPECIFIED } from '../../../contract/base/limits.ts';
import { daysBetween, daysRemaining, isExpired, localDay } from '../../../contract/base/time.ts';
import {
  LICENSE_CATEGORY_LABELS,
  LICENSE_STATUS_LABELS,
  OVER,
} from '../../../contract/licenses/license-words.ts';
import type { LicenseCategory, LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { LicenseVariables } from './mail-variables.ts';

/** A client reads of an end that is over, and of a trial, in words of daily use. */
const STATUS_LABELS: Record<LicenseStatus, string> = {
  ...LICENSE_STATUS_LABELS,
  expired: OVER,
  trial: 'En prueba',
};

/** The facts about a licence that a mail can contain; the API's licence has this type too. */
export type MailedLicense = {
  id: number;
  license_key: string;
  software_name: string;
  software_version: string;
  license_type: LicenseCategory;
  license_type_name: string | null;
  max_installations: number;
  issued_date: string;
  expiry_date: string | null;
  updates_until: string | null;
  /** Null once the licence has started. */
  activate_by: string | null;
  status: LicenseStatus;
};

/** The variables of a client. If no company was entered, a special word is stored, which no mail may contain. */
export const clientVariables = ({
  name,
  company,
  email,
}: {
  name: string;
  company: string;
  email: string;
}) => ({
  name,
  company: ['', UNSPECIFIED].includes(company) ? null : company,
  email: shownMailAddress(email),
});

/** The variables of a licence, without a price (D012). */
export function licenseVariables(license: MailedLicense, now: Date, timeZone: string): LicenseVariables {
  const { expiry_date, status } = license;
  const expired = isExpired(expiry_date, now);
  const isUsable = status === 'active' || status === 'trial';
  return {
    key: { license: license.id, key: license.license_key },
    product: license.software_name,
    version: license.software_version,
    type: license.license_type_name ?? LICENSE_CATEGORY_LABELS[license.license_type],
    seats: license.max_installations,
    issued: formatDay(license.issued_date, timeZone),
    expires: endInWords(license, timeZone),
    updates: license.updates_until?.split('-').reverse().join('/') ?? null,
    days_left: daysRemaining(expiry_date, now, timeZone) ?? 0,
    when: license.activate_by === null ? whenItEnds(expiry_date, now, timeZone) : 'empieza al activarse',
    expired,
    status: STATUS_LABELS[expired && isUsable ? 'expired' : status],
  };
}

/** The day on which a licence ends, or a text for a licence that has no end (yet). */
function endInWords({ expiry_date, activate_by }: MailedLicense, timeZone: string): string {
  if (activate_by !== null) return 'Empieza al activarse';
  return expiry_date === null ? 'Sin expiración' : formatDay(expiry_date, timeZone);
}

/** When a licence ends, in words: 'vence mañana', 'venció hace 3 días'. */
export function whenItEnds(expiryDate: string | null, now: Date, timeZone: string): string {
  if (expiryDate === null) return 'no vence';
  const days = daysBetween(localDay(now, timeZone), localDay(expiryDate, timeZone));
  if (days === 0) return isExpired(expiryDate, now) ? 'venció hoy' : 'vence hoy';
  if (days === 1) return 'vence mañana';
  if (days === -1) return 'venció ayer';
  return days > 0 ? `vence en ${days} días` : `venció hace ${-days} días`;
}

/** Day/month/year, as in México and Argentina. */
export const formatDay = (instant: string, timeZone: string) =>
  localDay(instant, timeZone).split('-').reverse().join('/');
