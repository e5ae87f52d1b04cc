import type { z } from 'zod';
import {
  graceUntil,
  licenseRefusal,
  type Refusal,
  VERDICT_MESSAGES,
  type validationResult,
} from '../../../contract/license-verdict.ts';
import { daysRemaining } from '../../../contract/time.ts';
import type { AppContext } from '../../context.ts';
import { readFeatures } from '../../db/features.ts';
import { findForValidation } from './licenses.queries.ts';

type Verdict = z.output<typeof validationResult>;
type Found = NonNullable<Awaited<ReturnType<typeof findForValidation>>>;

/** The first guard that fails, in the order of REFUSALS; null when the licence is valid for this machine. */
function refusalFor(license: Found, now: Date, timeZone: string): Refusal | null {
  const refusal = licenseRefusal(license, now, timeZone);
  if (refusal) return refusal;
  const hasSeat = license.installation_id !== null;
  if (!hasSeat && license.current_installations >= license.max_installations) return 'installation_limit';
  return null;
}

/**
 * Validates a licence for a machine. Read-only: activation takes a seat (D086).
 * @returns the verdict, and the licence's id (null when the key is unknown)
 */
export async function validateLicense(
  context: Pick<AppContext, 'db' | 'now' | 'config'>,
  credentials: { license_key: string; machine_id: string },
): Promise<{ verdict: Verdict; licenseId: number | null }> {
  const now = context.now();
  const { timeZone } = context.config;
  const license = await findForValidation(context.db, credentials.license_key, credentials.machine_id);
  if (!license) {
    return {
      licenseId: null,
      verdict: {
        success: false,
        valid: false,
        reason: 'not_found',
        message: VERDICT_MESSAGES.not_found,
        machine_registered: false,
        license: null,
      },
    };
  }
  const reason = refusalFor(license, now, timeZone);
  const grace_until = reason === null ? graceUntil(license, now, timeZone) : null;
  return {
    licenseId: license.id,
    verdict: {
      success: reason === null,
      valid: reason === null,
      reason,
      message: VERDICT_MESSAGES[reason ?? 'valid'],
      machine_registered: license.installation_id !== null,
      ...(grace_until !== null && { in_grace: true, grace_until }),
      license: {
        license_key: license.license_key,
        status: license.status,
        license_type: license.license_type,
        software_name: license.software_name,
        software_version: license.software_version,
        client_name: license.client_name,
        expiry_date: license.expiry_date,
        days_remaining: daysRemaining(license.expiry_date, now, timeZone),
        max_installations: license.max_installations,
        current_installations: license.current_installations,
        remaining_installations: Math.max(0, license.max_installations - license.current_installations),
        features: readFeatures(license.features),
      },
    },
  };
}
