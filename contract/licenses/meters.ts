import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { METER_LIMIT_MAX, METERS_MAX } from '../base/limits.ts';
import { FEATURE_MESSAGES, isFeatureCode } from './features.ts';

/**
 * The meters of a type or a licence: amounts that a program reports, each with its code and its limit for a period
 * (SELL-03). A save replaces all meters.
 */

export const METER_PERIODS = ['never', 'day', 'month', 'year', 'term'] as const;
/** When a meter is reset to 0: never, with each local day, month or year, or with each term of the licence. */
export type MeterPeriod = (typeof METER_PERIODS)[number];

export const METER_OVERAGES = ['refuse', 'allow'] as const;
/** Whether usage beyond the limit is refused or counted. */
export type MeterOverage = (typeof METER_OVERAGES)[number];

export const METER_MESSAGES = {
  meter: 'Indica limit, period y overage',
  limit: `El límite debe ser un número entero de 0 a ${METER_LIMIT_MAX}, o quedar vacío para no tener límite`,
  period: 'El periodo debe ser never, day, month, year o term',
  overage: 'Indica en overage refuse o allow',
  tooMany: `Se admiten como máximo ${METERS_MAX} contadores`,
  unknown: 'La licencia no tiene este contador',
  used: `El consumo debe ser un número entero de 0 a ${METER_LIMIT_MAX}`,
} as const;

export type Meter = { limit: number | null; period: MeterPeriod; overage: MeterOverage };
export type Meters = Record<string, Meter>;

/**
 * Puts the meter's code into the message, because field errors are reported by field, and all meters are one field.
 */
const atMeter = (message: string) => (issue: { path?: PropertyKey[] | undefined }) => {
  const path = issue.path ?? [];
  const code = path[path.indexOf('meters') + 1];
  return code === undefined ? message : `${String(code)}: ${message}`;
};
const said = (message: string) => ({ error: atMeter(message) });

const meter = z.object(
  {
    limit: z
      .int(said(METER_MESSAGES.limit))
      .min(0, said(METER_MESSAGES.limit))
      .max(METER_LIMIT_MAX, said(METER_MESSAGES.limit))
      .nullable(),
    period: z.enum(METER_PERIODS, said(METER_MESSAGES.period)),
    overage: z.enum(METER_OVERAGES, said(METER_MESSAGES.overage)),
  },
  said(METER_MESSAGES.meter),
);

/** The meters in a request. Their codes follow the rules of feature codes. */
export const meters = z
  .record(z.string().refine(isFeatureCode), meter, said(FEATURE_MESSAGES.code))
  .refine((all) => Object.keys(all).length <= METERS_MAX, coded('too_long', METER_MESSAGES.tooMany))
  .meta({ examples: [{ facturas: { limit: 500, period: 'month', overage: 'refuse' } }] });

/** The meters in an answer. */
export const metersShape = z.record(
  z.string(),
  z.object({
    limit: z.number().int().nullable(),
    period: z.enum(METER_PERIODS),
    overage: z.enum(METER_OVERAGES),
  }),
);

/** A meter of a licence in its current period. */
export const usageRow = z
  .object({
    code: z.string(),
    limit: z.number().int().nullable(),
    period: z.enum(METER_PERIODS),
    overage: z.enum(METER_OVERAGES),
    used: z.number().int(),
    /** Null if there is no limit; 0 if it is exceeded. */
    remaining: z.number().int().nullable(),
    /** Null while the term of the licence has not started. */
    starts: z.string().nullable(),
    /** When the meter is reset; null if never. */
    resets_at: z.string().nullable(),
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof usageRow>;

/** A meter in answers to programs, tokens and files (CODE-01): what a program needs to stop at the limit. */
const meterState = usageRow.pick({
  code: true,
  limit: true,
  used: true,
  remaining: true,
  overage: true,
  resets_at: true,
});
export type MeterState = z.infer<typeof meterState>;

/** The field of an answer to a program; absent for a licence without meters. */
export const metersAnswered = {
  meters: z
    .array(meterState)
    .optional()
    .meta({
      description:
        'Los contadores de la licencia en su periodo actual; sin contadores no está / The meters of the licence in their present period; absent without meters',
      examples: [
        [
          {
            ...{ code: 'facturas', limit: 500, used: 120, remaining: 380, overage: 'refuse' },
            resets_at: '2026-12-01T06:00:00.000Z',
          },
        ],
      ],
    }),
};

export const usageRows = z.object({ results: z.array(usageRow) }).meta({ id: 'UsageRows' });

/** The amount left until a limit; null if there is no limit. */
export const remainingOf = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);
