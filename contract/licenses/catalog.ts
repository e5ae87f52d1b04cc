import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { featuresShape } from './features.ts';
import { SEAT_MODES } from './seats.ts';

/** The catalogue for a vendor's shop (SELL-06): the active and public software and types, sorted by name. */

/** For how many seconds a shop may cache the catalogue. */
export const CATALOG_SECONDS = 60;

export const catalog = z
  .object({
    success: z.literal(true),
    software: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        version: z.string(),
        description: z.string(),
      }),
    ),
    license_types: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        description: z.string(),
        /** Today's price, reduced while a promotion runs. */
        price: z.number(),
        /** The price without the promotion; null if no promotion runs. */
        original_price: z.number().nullable(),
        /** What a renewal asks; null: today's price. */
        renewal_price: z.number().nullable(),
        promotion: z
          .object({
            name: z.string(),
            ends: z.string().nullable().meta({
              description: 'Último día (AAAA-MM-DD); null si no termina / Last day; null where it has none',
            }),
          })
          .nullable()
          .meta({
            description:
              'La promoción de hoy; null si no hay / The promotion of today; null where there is none',
          }),
        currency: currencyCode,
        max_installations: z.number().int(),
        seat_mode: z.enum(SEAT_MODES),
        validity_days: z.number().int(),
        /** Its terms count in months; null: in days (MONEY-10). */
        validity_months: z.number().int().nullable(),
        features: featuresShape,
      }),
    ),
  })
  .meta({ id: 'Catalog' });
export type Catalog = z.infer<typeof catalog>;
