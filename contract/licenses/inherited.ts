import { z } from 'zod';
import { graceDays, offlineDays } from '../base/numbers.ts';
import { features, featuresShape } from './features.ts';
import { meters, metersShape } from './meters.ts';
import { seatFields, seatShape } from './seats.ts';
import { startFields, startShape } from './start.ts';

/** What a licence has from its type at issue where its call names nothing else; both can be changed later. */
export const inheritedFields = {
  grace_days: graceDays,
  offline_days: offlineDays,
  features,
  meters,
  ...seatFields,
  ...startFields,
};

/**
 * The same where none has to be named. Absent: those of the type, else 0 (LIFE-13), 7 (PROG-03), none of both (PROG-04, SELL-03), and
 * 'fixed', null, false, null (PROG-05, PROG-06), 'issue', 365 (SELL-01).
 */
export const optionalInherited = z.object(inheritedFields).partial().shape;

/** The same in an answer. */
export const inheritedShape = {
  /** Days after its end during which programs keep working (LIFE-13). */
  grace_days: z.number().int(),
  /** Days for which a program trusts its last signed answer (PROG-03). */
  offline_days: z.number().int(),
  /** What the vendor's program may offer (PROG-04). */
  features: featuresShape,
  /** What its program counts, and how much of it is allowed (SELL-03). */
  meters: metersShape,
  /** How machines hold its seats (PROG-05, PROG-06). */
  ...seatShape,
  /** When its clock starts (SELL-01). */
  ...startShape,
};
