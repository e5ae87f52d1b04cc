import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { METER_LIMIT_MAX, METERS_MAX } from '../base/limits.ts';
import { FEATURE_MESSAGES, isFeatureCode } from './features.ts';

/**
 * The meters of a type or a licence: what a program counts, by code, and how much of it is allowed in a period (SELL-03).
 * A save replaces all of them.
 */

export const METER_PERIODS = ['never', 'day', 'month', 'year', 'term'] as const;
/** When a meter begins again: never, with a local day, month or year, or with a term of the licence. */
export type MeterPeriod = (typeof METER_PERIODS)[number];

export const METER_OVERAGES = ['refuse', 'allow'] as const;
/** What becomes of use beyond the limit: it is refused, or counted on. */
export type MeterOverage = (typeof METER_OVERAGES)[number];

export const METER_MESSAGES = {
  meter: 'Indica limit, period y overage',
  limit: `El límite debe ser un número entero de 0 a ${METER_LIMIT_MAX}, o quedar vacío para no tener límite`,
  period: 'El periodo debe ser never, day, month, year o term',
  overage: 'Indica en overage refuse o allow',
  tooMany: `Se admiten como máximo ${METERS_MAX} contadores`,
  unknown: 'La licencia no tiene este contador',
  used: `El consumo debe ser un número entero de 0 a ${METER_LIMIT_MAX}`,
  reason: 'El motivo es obligatorio',
} as const;

export type Meter = { limit: number | null; period: MeterPeriod; overage: MeterOverage };
export type Meters = Record<string, Meter>;

/** Names the meter in the message: an answer has its errors by field, and all meters are one field. */
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

/** What a caller may write. The codes are those of features. */
export const meters = z
  .record(z.string().refine(isFeatureCode), meter, said(FEATURE_MESSAGES.code))
  .refine((all) => Object.keys(all).length <= METERS_MAX, coded('too_long', METER_MESSAGES.tooMany))
  .meta({ examples: [{ facturas: { limit: 500, period: 'month', overage: 'refuse' } }] });

/** What an answer has. */
export const metersShape = z.record(
  z.string(),
  z.object({
    limit: z.number().int().nullable(),
    period: z.enum(METER_PERIODS),
    overage: z.enum(METER_OVERAGES),
  }),
);

/** A meter of a licence in its present period. */
export const usageRow = z
  .object({
    code: z.string(),
    limit: z.number().int().nullable(),
    period: z.enum(METER_PERIODS),
    overage: z.enum(METER_OVERAGES),
    used: z.number().int(),
    /** Null without a limit; 0 beyond it. */
    remaining: z.number().int().nullable(),
    /** Null while a licence has not begun. */
    starts: z.string().nullable(),
    /** When it begins again; null where it never does. */
    resets_at: z.string().nullable(),
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof usageRow>;

export const usageRows = z.object({ results: z.array(usageRow) }).meta({ id: 'UsageRows' });

/** What is left below a limit: null without one. */
export const remainingOf = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);
