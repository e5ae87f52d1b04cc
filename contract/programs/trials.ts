import { z } from 'zod';
import { PROGRAM_TEXT_MAX } from '../base/limits.ts';
import { nonce, tokenShape } from '../base/nonce.ts';
import { requiredLine } from '../base/text.ts';
import { metersAnswered } from '../licenses/meters.ts';
import { describedLine, describedValue } from '../reading/described.ts';
import { askedSoftware, INSTALLATION_MESSAGES } from './installations.ts';
import { machineWarningShape } from './machine-warning.ts';
import { TRIAL_REFUSALS } from './trial-terms.ts';

/** Trials that a program starts without an account (SELL-04). */

export const trialRequest = z
  .object({
    software: askedSoftware,
    machine_id: requiredLine(200, INSTALLATION_MESSAGES.machineIdRequired),
    machine_name: describedLine(200),
    /** Checked only if the software's trials ask for an address. */
    email: describedValue(
      500,
      'Correo de quien prueba, sin verificar / Mail address of the user, not verified',
    ),
    name: describedLine(200),
    app_version: describedLine(PROGRAM_TEXT_MAX),
    os: describedLine(PROGRAM_TEXT_MAX),
    nonce: nonce.optional(),
  })
  .meta({ examples: [{ software: 'punto-de-venta', machine_id: 'caja-09', machine_name: 'Caja 9' }] });
export type TrialRequest = z.output<typeof trialRequest>;

export const trialResult = z
  .object({
    success: z.literal(true),
    license_key: z.string(),
    expiry_date: z.string().nullable(),
    valid: z.boolean(),
    reason: z.enum(TRIAL_REFUSALS).nullable(),
    ...metersAnswered,
    ...machineWarningShape,
    ...tokenShape,
  })
  .meta({ id: 'TrialResult' });
export type TrialResult = z.infer<typeof trialResult>;
