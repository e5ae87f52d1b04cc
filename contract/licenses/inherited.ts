import { z } from 'zod';
import { graceDays, offlineDays } from '../base/numbers.ts';
import { features, featuresShape } from './features.ts';
import { meters, metersShape } from './meters.ts';
import { seatFields, seatShape } from './seats.ts';
import { startFields, startShape } from './start.ts';

/** Fields that a new licence copies from its type if the call does not set them. They can be changed later. */
export const inheritedFields = {
  grace_days: graceDays,
  offline_days: offlineDays,
  features,
  meters,
  ...seatFields,
  ...startFields,
};

/**
 * The same fields, all optional. Default: the value of the type. Without a type: 0 (LIFE-13), 7 (PROG-03), no features
 * and no meters (PROG-04, SELL-03), 'fixed', null, false, null (PROG-05, PROG-06), 'issue', 365 (SELL-01).
 */
export const optionalInherited = z.object(inheritedFields).partial().shape;

/** The same fields in an answer. */
export const inheritedShape = {
  /** Days after its end during which programs keep working (LIFE-13). */
  grace_days: z.number().int(),
  /** Days for which a program trusts its last signed answer (PROG-03). */
  offline_days: z.number().int(),
  /** The features that the vendor's program may offer (PROG-04). */
  features: featuresShape,
  /** The amounts that the program counts, each with its limit (SELL-03). */
  meters: metersShape,
  /** Whether seats are fixed or floating, and the rules for releasing them (PROG-05, PROG-06). */
  ...seatShape,
  /** When the term of the licence starts (SELL-01). */
  ...startShape,
};
