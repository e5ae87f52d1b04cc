import { z } from 'zod';
import { OPTIONAL, type WritableFields } from '../base/fields.ts';
import { graceDays, offlineDays } from '../base/numbers.ts';
import { features, featuresShape } from './features.ts';
import { meters, metersShape } from './meters.ts';
import { SEAT_FIELDS } from './seats.ts';
import { START_FIELDS } from './start.ts';

/**
 * Fields that a new licence copies from its type if the call does not set them. They can be changed later. Without a
 * type: 0 (LIFE-13), 7 (PROG-03), no features and no meters (PROG-04, SELL-03), 'fixed', null, false, null (PROG-05,
 * PROG-06), 'issue', 365 (SELL-01).
 */
export const INHERITED_FIELDS = {
  /** Days after its end during which programs keep working (LIFE-13). */
  grace_days: {
    label: 'Días de Gracia',
    schema: graceDays,
    absent: OPTIONAL,
    answer: z.number().int(),
  },
  /** Days for which a program trusts its last signed answer (PROG-03). */
  offline_days: {
    label: 'Días sin Conexión',
    schema: offlineDays,
    absent: OPTIONAL,
    answer: z.number().int(),
  },
  /** The features that the vendor's program may offer (PROG-04). */
  features: { label: 'Características', schema: features, absent: OPTIONAL, answer: featuresShape },
  /** The amounts that the program counts, each with its limit (SELL-03). */
  meters: { label: 'Contadores', schema: meters, absent: OPTIONAL, answer: metersShape },
  /** Whether seats are fixed or floating, and the rules for releasing them (PROG-05, PROG-06). */
  ...SEAT_FIELDS,
  /** When the term of the licence starts (SELL-01). */
  ...START_FIELDS,
} as const satisfies WritableFields;
