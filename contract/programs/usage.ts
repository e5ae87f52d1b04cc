import { z } from 'zod';
import { METER_AMOUNT_MAX, METER_LIMIT_MAX, USAGE_RECORDS_MAX } from '../base/limits.ts';
import { tokenShape } from '../base/nonce.ts';
import { wholeNumber } from '../base/numbers.ts';
import { REASON_REQUIRED } from '../base/required.ts';
import { instantForm, requiredLine } from '../base/text.ts';
import { METER_MESSAGES, metersAnswered } from '../licenses/meters.ts';
import { machineCredentials, programQuestions } from './installations.ts';
import { machineWarningShape } from './machine-warning.ts';

/** Usage reported by installed programs, and corrections by staff (SELL-03). */

/** A record that is sent again with the same `request_id` within this number of days is not counted again. */
export const REQUEST_ID_DAYS = 40;
/** How old the time of a record may be, and how far in the future. */
export const USAGE_LATE_DAYS = 35;
export const USAGE_EARLY_MINUTES = 5;

const USAGE_MESSAGES = {
  records: `Envía de 1 a ${USAGE_RECORDS_MAX} registros`,
  code: 'Indica el código del contador',
  amount: `La cantidad debe ser un número entero de 1 a ${METER_AMOUNT_MAX}`,
  requestId: 'request_id lleva de 8 a 64 letras sin acento, números, guiones o guiones bajos',
  at: 'El momento no es válido: escríbelo como 2026-01-31T18:00:00Z',
} as const;

const usageRecord = z.object({
  code: requiredLine(100, USAGE_MESSAGES.code),
  amount: wholeNumber(1, METER_AMOUNT_MAX, USAGE_MESSAGES.amount).meta({
    description: 'Cuánto se consumió / How much was used',
  }),
  request_id: z
    .string(USAGE_MESSAGES.requestId)
    .regex(/^[A-Za-z0-9_-]{8,64}$/, USAGE_MESSAGES.requestId)
    .meta({
      examples: ['f3b1c2d4-0001'],
      description:
        'Identifica al registro: cuenta una sola vez en 40 días / Names the record: it counts once in 40 days',
    }),
  /** The time of the usage. Default: now. */
  at: z
    .string(USAGE_MESSAGES.at)
    .refine((text) => instantForm.safeParse(text).success, USAGE_MESSAGES.at)
    .meta({
      format: 'date-time',
      description: 'Cuándo se consumió; sin él, ahora / When it was used; without it, now',
    })
    .optional(),
});
export type UsageRecord = z.output<typeof usageRecord>;

export const usageReport = z
  .object({
    ...machineCredentials,
    ...programQuestions,
    records: z
      .array(usageRecord, USAGE_MESSAGES.records)
      .min(1, USAGE_MESSAGES.records)
      .max(USAGE_RECORDS_MAX, USAGE_MESSAGES.records)
      .meta({ description: 'Lo consumido, de 1 a 100 registros / What was used, 1 to 100 records' }),
  })
  .meta({
    examples: [
      {
        license_key: 'DEMAA-22222-33333-44444-55555',
        machine_id: 'caja-01',
        records: [{ code: 'facturas', amount: 1, request_id: 'f3b1c2d4-0001' }],
      },
    ],
  });
export type UsageReport = z.output<typeof usageReport>;

const USAGE_REFUSALS = ['limit_reached', 'unknown_meter', 'out_of_time'] as const;
export type UsageRefusal = (typeof USAGE_REFUSALS)[number];

const usageAnswer = z.object({
  request_id: z.string(),
  code: z.string(),
  /** True if the record is counted, by this call or an earlier one. */
  accepted: z.boolean(),
  /** True if a record with the same `request_id` was counted before. */
  duplicate: z.boolean(),
  reason: z.enum(USAGE_REFUSALS).nullable(),
  /** The meter in the record's period, after this record; 0 and null for an unknown meter. */
  used: z.number().int(),
  limit: z.number().int().nullable(),
  remaining: z.number().int().nullable(),
  resets_at: z.string().nullable(),
});
export type UsageAnswer = z.infer<typeof usageAnswer>;

export const usageResult = z
  .object({
    success: z.literal(true),
    results: z.array(usageAnswer),
    /** Only for a call with a nonce, as the token. */
    ...metersAnswered,
    ...machineWarningShape,
    ...tokenShape,
  })
  .meta({ id: 'UsageResult' });

export const usageAdjustment = z
  .object({
    used: wholeNumber(0, METER_LIMIT_MAX, METER_MESSAGES.used),
    reason: requiredLine(500, REASON_REQUIRED),
  })
  .meta({ examples: [{ used: 0, reason: 'Facturas de prueba' }] });
