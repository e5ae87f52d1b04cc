import { z } from 'zod';
import { PROGRAM_TEXT_MAX } from '../base/limits.ts';
import { tokenShape } from '../base/nonce.ts';
import { graceShape, machineCredentials, programQuestions, releasedOn } from '../programs/installations.ts';
import { machineWarningShape } from '../programs/machine-warning.ts';
import { describedChange } from '../reading/described.ts';
import { featuresShape } from './features.ts';
import { REFUSALS, type Refusal } from './license-state.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from './licenses.fields.ts';
import { metersAnswered } from './meters.ts';
import { pendingShape } from './start.ts';

export const validation = z
  .object({
    ...machineCredentials,
    ...programQuestions,
    released_on: releasedOn,
    /** If true, a machine without a seat gets `valid: false` with the reason 'not_activated' (API-03). */
    require_seat: z.boolean().default(false),
    /**
     * Both are only recorded with the check; the version is shown in 'Actividad' (SELL-07). The stored installation
     * does not change.
     */
    app_version: describedChange(PROGRAM_TEXT_MAX),
    os: describedChange(PROGRAM_TEXT_MAX),
  })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });

/** The text of each verdict for the people who use a program. */
export const VERDICT_MESSAGES: Record<Refusal | 'valid', string> = {
  valid: 'Licencia válida',
  not_found: 'Licencia no encontrada',
  wrong_software: 'La clave es de otro producto',
  inactive: 'La licencia no está activa',
  suspended: 'La licencia está suspendida',
  cancelled: 'La licencia está cancelada',
  expired: 'La licencia está vencida',
  updates_ended: 'La licencia no incluye esta versión: sus actualizaciones terminaron antes',
  installation_limit: 'Se alcanzó el máximo de instalaciones',
  not_activated: 'El equipo no está activado',
};

export const validationResult = z
  .object({
    success: z.boolean(),
    valid: z.boolean(),
    reason: z.enum(REFUSALS).nullable(),
    message: z.string(),
    machine_registered: z.boolean(),
    ...graceShape,
    ...pendingShape,
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
    ...metersAnswered,
    /** When a floating seat is free, with reason 'installation_limit' (CODE-03). It is not signed. */
    seat_free_at: z.string().optional(),
    ...machineWarningShape,
    ...tokenShape,
  })
  .meta({ id: 'ValidationResult' });

const machineVerdict = z.object({
  valid: z.boolean(),
  reason: z.enum(REFUSALS).nullable(),
  message: z.string(),
  ...graceShape,
});

/** The answers that programs get for a licence now. Staff use them to see why a licence does not work. */
export const licenseVerdicts = z
  .object({
    as_of: z.string(),
    /** The answer on a machine that holds a seat. */
    activated: machineVerdict.meta({
      description: 'Qué se responde a un equipo que ya tiene lugar / What a machine with a seat is answered',
    }),
    /** The answer on a machine without a seat. If it is valid, the machine can take a seat. */
    other: machineVerdict.meta({
      description: 'Qué se responde a un equipo sin lugar / What a machine without a seat is answered',
    }),
    max_installations: z.number().int(),
    /** Does not count lapsed floating seats: they are free. */
    current_installations: z.number().int(),
  })
  .meta({ id: 'LicenseVerdicts' });
export type LicenseVerdicts = z.infer<typeof licenseVerdicts>;
export type MachineVerdict = LicenseVerdicts['other'];
