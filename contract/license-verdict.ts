import { z } from 'zod';
import { featuresShape } from './features.ts';
import { graceShape, machineCredentials, programQuestions } from './installations.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES, type LicenseStatus } from './licenses.ts';
import { HOLDING_STATUSES } from './limits.ts';
import { tokenShape } from './nonce.ts';
import { addDays, endOfLocalDay, isExpired, localDay } from './time.ts';

export const validation = z
  .object({
    ...machineCredentials,
    ...programQuestions,
    /** A machine without a seat is not valid either, with the reason 'not_activated' (API-03). */
    require_seat: z.boolean().default(false),
  })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });

/** Why a licence is not valid, in the order of the guards (docs/product-decisions.md). */
export const REFUSALS = [
  'not_found',
  'wrong_software',
  'inactive',
  'suspended',
  'cancelled',
  'expired',
  'installation_limit',
  'not_activated',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export const VERDICT_MESSAGES: Record<Refusal | 'valid', string> = {
  valid: 'Licencia válida',
  not_found: 'Licencia no encontrada',
  wrong_software: 'La clave es de otro producto',
  inactive: 'La licencia no está activa',
  suspended: 'La licencia está suspendida',
  cancelled: 'La licencia está cancelada',
  expired: 'La licencia ha expirado',
  installation_limit: 'Se alcanzó el máximo de instalaciones',
  not_activated: 'La máquina no está activada',
};

/** What decides whether programs may use a licence. */
export type Usable = { status: LicenseStatus; expiry_date: string | null; grace_days: number };

/**
 * The end of the grace of a licence that is in it: its days are counted like those of a licence, so it ends with a
 * local day (D071). Null before the end, after the grace, and for a status other than 'active' and 'trial' (LIFE-13).
 */
export function graceUntil(state: Usable, now: Date, timeZone: string): string | null {
  const { status, expiry_date, grace_days } = state;
  // First what nearly all validations need: the zone is asked only for a licence that has ended.
  if (grace_days === 0 || expiry_date === null || !isExpired(expiry_date, now)) return null;
  if (!HOLDING_STATUSES.some((holding) => holding === status)) return null;
  const until = usableUntil({ expiry_date, grace_days }, timeZone);
  return isExpired(until, now) ? null : until;
}

/** The last moment of a licence, its grace included; null for one without an end (LIFE-13). */
export function usableUntil(
  { expiry_date, grace_days }: Pick<Usable, 'expiry_date' | 'grace_days'>,
  timeZone: string,
): string | null {
  if (expiry_date === null || grace_days === 0) return expiry_date;
  return endOfLocalDay(addDays(localDay(expiry_date, timeZone), grace_days), timeZone);
}

/**
 * Whether a licence may be used, on any machine. Ordered guards: the first that fails gives the answer. Statuses
 * 'active' and 'trial' are valid until the expiry date (D067) and in the grace after it (LIFE-13); the date wins over
 * an outdated status (D066).
 */
export function licenseRefusal(
  state: Usable,
  now: Date,
  timeZone: string,
): Extract<Refusal, 'inactive' | 'suspended' | 'cancelled' | 'expired'> | null {
  if (state.status === 'inactive') return 'inactive';
  if (state.status === 'suspended') return 'suspended';
  if (state.status === 'cancelled') return 'cancelled';
  if (state.status === 'expired') return 'expired';
  if (isExpired(state.expiry_date, now) && graceUntil(state, now, timeZone) === null) return 'expired';
  return null;
}

export const validationResult = z
  .object({
    success: z.boolean(),
    valid: z.boolean(),
    reason: z.enum(REFUSALS).nullable(),
    message: z.string(),
    machine_registered: z.boolean(),
    ...graceShape,
    license: z
      .object({
        license_key: z.string(),
        status: z.enum(LICENSE_STATUSES),
        license_type: z.enum(LICENSE_CATEGORIES),
        software_name: z.string(),
        software_version: z.string(),
        client_name: z.string(),
        expiry_date: z.string().nullable(),
        days_remaining: z.number().int().nullable(),
        max_installations: z.number().int(),
        current_installations: z.number().int(),
        remaining_installations: z.number().int(),
        features: featuresShape,
      })
      .nullable(),
    ...tokenShape,
  })
  .meta({ id: 'ValidationResult' });
